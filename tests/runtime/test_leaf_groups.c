/* SPDX-License-Identifier: MIT */
/* Leaves as branches of a group: a read against a sleep, a read with a time limit, several reads at
 * once; losers leave no trace. */
#include <sys/socket.h>

#include "tests/runtime/leaf_script.h"

/* aw_race(n = aw_read(fd, buf, len), aw_sleep_us(us)), or aw_timeout, or aw_all of the two. */
struct duel {
    int kind; /* AW_RACE, ... */
    int fd;
    uint64_t us;
    char buf[8];
    ssize_t n;
    int64_t outcome;
};

enum { READ_ROOM = 104, SLEEP_ROOM = AW_SLEEP_NEED };

struct duel__frame {
    aw_frame head;
    struct duel *d;
    aw_group *g;
};

static void duel__resume(aw_cx *c, aw_frame *frame, unsigned st);
static void duel__start(aw_cx *c, void *fp, void *args);
static const aw_site duel__1 = {
    .resume = duel__resume, .state = 1, .line = __LINE__, .func = "duel", .file = __FILE__};

static const aw_spawn_site duel__spawn = {
    .start = duel__start,
    .args_bytes = sizeof(struct duel *),
    .args_align = sizeof(struct duel *),
    .result_bytes = sizeof(int),
    .need_bytes = sizeof(struct duel__frame) + AW_GROUP_NEED(2, READ_ROOM + SLEEP_ROOM + 32),
    .func = "duel",
};

static void duel_finish(aw_cx *c, struct duel__frame *f)
{
    struct duel *d = f->d;
    if (aw_group_late(f->g, 0))
        d->n = *(ssize_t *)aw_group_ret(f->g, 0);
    d->outcome = aw_group_end(f->g);
    *AW_RESULT(f, int) = 0;
    c->ret = AW_RESULT(f, int);
}

static void duel__start(aw_cx *c, void *fp, void *args)
{
    struct duel__frame *f = fp;
    struct duel *d = *(struct duel **)args;
    f->d = d;
    f->g = aw_group_begin(c, f + 1, d->kind, 2);
    if (f->g == NULL) {
        AW_LINK(c, &f->head, &duel__1);
        return;
    }
    aw_cx *s = aw_group_strand(f->g, 0, READ_ROOM);
    if (s != NULL) {
        ssize_t n = aw_read(s, aw_group_room(f->g, 0), d->fd, d->buf, sizeof d->buf);
        if (aw_group_started(f->g, 0))
            d->n = n;
    }
    s = aw_group_strand(f->g, 1, SLEEP_ROOM);
    if (s != NULL) {
        aw_sleep_us(s, aw_group_room(f->g, 1), d->us);
        aw_group_started(f->g, 1);
    }
    if (aw_group_wait(f->g))
        AW_LINK(c, &f->head, &duel__1);
    else
        duel_finish(c, f);
}

static void duel__resume(aw_cx *c, aw_frame *frame, unsigned st)
{
    assert_int_equal(st, 1);
    duel_finish(c, (struct duel__frame *)(void *)frame);
}

static int ends[2];

static int open_ends(void **state)
{
    (void)state;
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends);
}

static int close_ends(void **state)
{
    (void)state;
    return aw_close(ends[0]) != 0 || aw_close(ends[1]) != 0;
}

static int run_duel(struct duel *d)
{
    d->n = NOT_DONE;
    d->outcome = NOT_DONE;
    return aw_block_on_site(rt, &duel__spawn, &d, NULL);
}

static void write_late(uint64_t us)
{
    static struct step writer[3];
    static char text[] = "data";
    struct step *script = writer;
    writer[0] = (struct step){.kind = SLEEP_US, .n = us};
    writer[1] = (struct step){.kind = WRITE, .fd = ends[1], .buf = text, .len = 4};
    writer[2] = (struct step){.kind = END};
    aw_spawn_detached(rt, &script__spawn, &script);
}

static void test_the_read_wins(void **state)
{
    (void)state;
    static const int kinds[] = {AW_RACE, AW_TIMEOUT};
    for (size_t i = 0; i < 2; i++) {
        struct duel d = {.kind = kinds[i], .fd = ends[0], .us = 5000000};
        write_late(500);
        assert_int_equal(run_duel(&d), 0);
        assert_int_equal(d.outcome, 0);
        assert_int_equal(d.n, 4);
        assert_memory_equal(d.buf, "data", 4);
    }
}

static void test_the_time_wins_and_the_data_stays(void **state)
{
    (void)state;
    static const int kinds[] = {AW_RACE, AW_TIMEOUT};
    static const int64_t outcomes[] = {1, -ETIMEDOUT};
    for (size_t i = 0; i < 2; i++) {
        struct duel d = {.kind = kinds[i], .fd = ends[0], .us = 300};
        char buf[8];
        assert_int_equal(run_duel(&d), 0);
        assert_int_equal(d.outcome, outcomes[i]);
        assert_int_equal(d.n, NOT_DONE);
        assert_int_equal(write(ends[1], "left", 4), 4);
        struct step steps[] = {{.kind = READ, .fd = ends[0], .buf = buf, .len = 8}, {.kind = END}};
        assert_int_equal(run(steps), 0);
        assert_int_equal(steps[0].result, 4);
        assert_int_equal(d.buf[0], 0);
    }
}

static void test_a_ready_read_keeps_the_sleep_from_starting(void **state)
{
    (void)state;
    struct duel d = {.kind = AW_RACE, .fd = ends[0], .us = 5000000};
    assert_int_equal(write(ends[1], "now", 3), 3);
    assert_int_equal(run_duel(&d), 0);
    assert_int_equal(d.outcome, 0);
    assert_int_equal(d.n, 3);
}

static void test_both_are_waited_for(void **state)
{
    (void)state;
    struct duel d = {.kind = AW_ALL, .fd = ends[0], .us = 1000};
    write_late(100);
    assert_int_equal(run_duel(&d), 0);
    assert_int_equal(d.n, 4);
}

static void test_both_are_cancelled(void **state)
{
    (void)state;
    struct duel d = {.kind = AW_ALL, .fd = ends[0], .us = 5000000, .n = NOT_DONE}, *arg = &d;
    aw_task *t = aw_spawn_task(rt, &duel__spawn, &arg);
    struct step steps[] = {{.kind = SLEEP_US, .n = 200},
                           {.kind = CANCEL, .task = &t},
                           {.kind = JOIN, .task = &t},
                           {.kind = END}};
    assert_int_equal(run(steps), 0);
    assert_int_equal(steps[2].result, AW_ECANCELED);
    assert_int_equal(d.n, NOT_DONE);
}

static void close_first(void *arg)
{
    assert_int_equal(aw_close(*(int *)arg), 0);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
}

/* From another thread, while the branches wait. */
static void test_close_ends_a_branch(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        struct duel d = {.kind = AW_RACE, .fd = ends[0], .us = 5000000}, *arg = &d;
        int other = ends[1];
        d.n = NOT_DONE;
        aw_task *t = aw_spawn_task(rt, &duel__spawn, &arg);
        struct step steps[] = {{.kind = YIELD},
                               {.kind = POOL, .call = close_first, .arg = &d.fd},
                               {.kind = JOIN, .task = &t},
                               {.kind = END}};
        assert_int_equal(run(steps), 0);
        assert_int_equal(d.n, -ECANCELED);
        assert_int_equal(d.outcome, 0);
        assert_int_equal(aw_close(other), 0);
    }
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, open_ends, close_ends)
    const struct CMUnitTest tests[] = {
        CASE(test_the_read_wins),
        CASE(test_the_time_wins_and_the_data_stays),
        CASE(test_a_ready_read_keeps_the_sleep_from_starting),
        CASE(test_both_are_waited_for),
        CASE(test_both_are_cancelled),
        CASE(test_close_ends_a_branch),
    };
#undef CASE
    alarm(60);
    return cmocka_run_group_tests_name("leaf_groups", tests, script_set_up, script_tear_down);
}
