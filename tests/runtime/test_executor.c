/* SPDX-License-Identifier: MIT */
/* The executor: order, fairness against tasks that never stop, sleep that costs nothing, ends. */
#include "tests/runtime/lowered_by_hand.h"

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

/* Logs its number `arg / 100` times, yields in between. */
struct talks__frame {
    aw_frame head;
    intptr_t arg;
    int i;
};
ASYNC_INT(talks, NEED(talks, AW_LEAF_ROOM))
static const aw_site talks__sites[] = {SITE(talks, 0, 0), SITE(talks, 1, 0)};

static int talks__poll(aw_cx *c, struct talks__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        f->arg = arg;
        for (f->i = 0; f->i < f->arg / 100; f->i++) {
            say("%d ", (int)f->arg % 100);
            AWAIT(talks, 1, aw_yield(c, f + 1));
        }
    }
    return 0;
}

struct starts__frame {
    aw_frame head;
    intptr_t arg;
    int i, rc;
    aw_task *t[3];
};
ASYNC_INT(starts, NEED(starts, 64))
static const aw_site starts__sites[] = {SITE(starts, 0, 0), SITE(starts, 1, 0)};

static int starts__poll(aw_cx *c, struct starts__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        (void)arg;
        for (f->i = 0; f->i < 3; f->i++)
            f->t[f->i] = SPAWN(talks, 301 + f->i);
        say("0 ");
        for (f->i = 0; f->i < 3; f->i++)
            AWAIT_INT(starts, 1, f->rc, aw_join(c, f + 1, f->t[f->i], NULL));
    }
    return 0;
}

static void tasks_take_turns(void **state)
{
    (void)state;
    int out;
    log_reset();
    BLOCK_ON(rt, starts, 0, &out);
    assert_string_equal(test_log, "0 1 2 3 1 2 3 1 2 3 ");
}

/* ---- fairness ------------------------------------------------------------------------------- */

static int spins_to_stop;

struct spins__frame {
    aw_frame head;
    intptr_t arg;
    int i;
};
ASYNC_INT(spins, NEED(spins, AW_LEAF_ROOM))
static const aw_site spins__sites[] = {SITE(spins, 0, 0), SITE(spins, 1, 0)};

static int spins__poll(aw_cx *c, struct spins__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        (void)arg;
        while (!spins_to_stop)
            AWAIT(spins, 1, aw_yield(c, f + 1));
    }
    return 0;
}

/* Sleeps `arg` ms while two tasks spin; returns how long it took. */
struct among__frame {
    aw_frame head;
    intptr_t arg;
    uint64_t from_ns;
    aw_task *t[2];
    int rc;
};
ASYNC_INT(among, NEED(among, 80))
static const aw_site among__sites[] = {SITE(among, 0, 0), SITE(among, 1, 0), SITE(among, 2, 0),
                                       SITE(among, 3, 0)};

static int among__poll(aw_cx *c, struct among__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        spins_to_stop = 0;
        f->t[0] = SPAWN(spins, 0);
        f->t[1] = SPAWN(spins, 0);
        f->from_ns = aw_now();
        AWAIT(among, 1, aw_sleep_ms(c, f + 1, (uint64_t)arg));
        spins_to_stop = 1;
        f->from_ns = aw_now() - f->from_ns;
        AWAIT_INT(among, 2, f->rc, aw_join(c, f + 1, f->t[0], NULL));
        AWAIT_INT(among, 3, f->rc, aw_join(c, f + 1, f->t[1], NULL));
    }
    return (int)(f->from_ns / 1000000);
}

static void tasks_that_spin_do_not_starve_timers(void **state)
{
    (void)state;
    int out = 0;
    BLOCK_ON(rt, among, 20, &out);
    assert_in_range(out, 20, 500);
}

static void *wakes_soon(void *arg)
{
    (void)arg;
    usleep(20000);
    aw_wake(&parks_waker);
    return NULL;
}

/* Nor tasks that other threads wake. */
struct woken__frame {
    aw_frame head;
    intptr_t arg;
    aw_task *t[2];
    int rc;
};
ASYNC_INT(woken, NEED(woken, 64))
static const aw_site woken__sites[] = {SITE(woken, 0, 0), SITE(woken, 1, 0), SITE(woken, 2, 0)};

static int woken__poll(aw_cx *c, struct woken__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        (void)arg;
        spins_to_stop = 0;
        f->t[0] = SPAWN(spins, 0);
        parks_waker = aw_waker_get();
        pthread_t thread;
        pthread_create(&thread, NULL, wakes_soon, NULL);
        pthread_detach(thread);
        AWAIT(woken, 1, aw_park(c, f + 1));
        spins_to_stop = 1;
        AWAIT_INT(woken, 2, f->rc, aw_join(c, f + 1, f->t[0], NULL));
    }
    return 3;
}

static void tasks_that_spin_do_not_starve_wakes(void **state)
{
    (void)state;
    int out = 0;
    BLOCK_ON(rt, woken, 0, &out);
    assert_int_equal(out, 3);
}

/* ---- rest ----------------------------------------------------------------------------------- */

struct naps__frame {
    aw_frame head;
    intptr_t arg;
};
ASYNC_INT(naps, NEED(naps, 80))
static const aw_site naps__sites[] = {SITE(naps, 0, 0), SITE(naps, 1, 0)};

static int naps__poll(aw_cx *c, struct naps__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        AWAIT(naps, 1, aw_sleep_ms(c, f + 1, (uint64_t)arg));
    }
    return 0;
}

static double cpu_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void idle_costs_no_cpu(void **state)
{
    (void)state;
    int out;
    BLOCK_ON(rt, naps, 1, &out);
    double from = cpu_seconds();
    BLOCK_ON(rt, naps, 300, &out);
    assert_true(cpu_seconds() - from < 0.1);
}

/* ---- freeing -------------------------------------------------------------------------------- */

/* Leaves tasks behind in every state: new, parked, asleep, spinning, done but not joined. */
struct leaves__frame {
    aw_frame head;
    intptr_t arg;
    int i;
};
ASYNC_INT(leaves, NEED(leaves, AW_LEAF_ROOM))
static const aw_site leaves__sites[] = {SITE(leaves, 0, 0), SITE(leaves, 1, 0)};
static aw_task *left_handle[2];

static int leaves__poll(aw_cx *c, struct leaves__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        (void)arg;
        spins_to_stop = 0;
        aw_spawn_detached(NULL, &holds__spawn, &(intptr_t){1});
        aw_spawn_detached(NULL, &naps__spawn, &(intptr_t){1000000});
        aw_spawn_detached(NULL, &spins__spawn, &(intptr_t){0});
        left_handle[0] = SPAWN(yields, 0);
        left_handle[1] = SPAWN(parks, 1);
        AWAIT(leaves, 1, aw_yield(c, f + 1));
        aw_spawn_detached(NULL, &holds__spawn, &(intptr_t){2});
    }
    return 0;
}

static void freeing_cancels_what_runs(void **state)
{
    (void)state;
    int out;
    aw_runtime *own = aw_runtime_new(NULL);
    log_reset();
    BLOCK_ON(own, leaves, 0, &out);
    assert_string_equal(test_log, "+1 ");
    aw_task *t = aw_spawn_task(own, &holds__spawn, &(intptr_t){3});
    assert_non_null(t);
    aw_detach(t);
    aw_runtime_free(own);
    assert_string_equal(test_log, "+1 -1 ");
    aw_detach(left_handle[0]); /* handles outlive the runtime */
    aw_cancel(left_handle[1]);
    aw_detach(left_handle[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_take_turns),
        cmocka_unit_test(tasks_that_spin_do_not_starve_timers),
        cmocka_unit_test(tasks_that_spin_do_not_starve_wakes),
        cmocka_unit_test(idle_costs_no_cpu),
        cmocka_unit_test(freeing_cancels_what_runs),
    };
    return cmocka_run_group_tests_name("executor", tests, set_up, tear_down);
}
