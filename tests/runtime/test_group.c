/* SPDX-License-Identifier: MIT */
/*
 * Groups: aw_all, aw_try_all, aw_race, aw_timeout, with branches that are ready, suspended,
 * cancelled, nested, short of memory.
 *
 * A branch is act(code): what it does, and what it returns, are in the code:
 *
 *     1000 * yields + value       yields, then returns value
 *     HOLD + value                logs +value, parks for ever, logs -value when it is left
 *     FAIL + 1000 * yields + v    yields, then returns -v
 *     FEED + v                    parks; returns v when woken
 *     MEMORY                      cannot get memory
 *     ASK + v                     cancels its own task, then returns v at once
 */
#include "tests/runtime/lowered_by_hand.h"

#include "runtime/sys/sys_alloc.h"

enum {
    HOLD = 1 << 24,
    FAIL = 2 << 24,
    FEED = 3 << 24,
    MEMORY = 4 << 24,
    ASK = 5 << 24,
    KIND = 15 << 24,
    CODE = (1 << 24) - 1
};

static aw_waker wakers[64];
static int waker_count;

struct huge__frame {
    aw_frame head;
    intptr_t arg;
    char more[30000];
};
ASYNC_INT(huge, NEED(huge, AW_LEAF_ROOM))

static int huge__poll(aw_cx *c, struct huge__frame *f, unsigned st, intptr_t arg)
{
    (void)c;
    (void)f;
    (void)st;
    return (int)arg;
}

static bool refuse(size_t bytes)
{
    (void)bytes;
    return false;
}

static int no_memory(aw_cx *c, void *fp)
{
    awi_alloc_hook = refuse;
    int v = huge__entry(c, fp, 1);
    awi_alloc_hook = NULL;
    return v;
}

struct act__frame {
    aw_frame head;
    intptr_t arg;
    int i, v;
};
ASYNC_INT(act, NEED(act, AW_LEAF_ROOM))
static const aw_site act__sites[] = {SITE(act, 0, 0), SITE(act, 1, 0), SITE(act, 2, AW_SITE_CLEAN),
                                     SITE(act, 3, 0), SITE(act, 4, AW_SITE_CLEAN)};

static int act__poll(aw_cx *c, struct act__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        f->arg = arg;
        f->v = (int)(arg & CODE) % 1000;
        if ((arg & KIND) == HOLD) {
            say("+%d ", f->v);
            AWAIT(act, 2, aw_park(c, f + 1));
            say("woken ");
            break;
        }
        if ((arg & KIND) == FEED) {
            wakers[waker_count++] = aw_waker_get();
            AWAIT(act, 3, aw_park(c, f + 1));
            break;
        }
        if ((arg & KIND) == MEMORY)
            AWAIT_INT(act, 4, f->v, no_memory(c, f + 1));
        if ((arg & KIND) == ASK)
            aw_cancel(aw_task_self());
        for (f->i = 0; f->i < (f->arg & CODE) / 1000; f->i++)
            AWAIT(act, 1, aw_yield(c, f + 1));
        break;
    case 2 | AW_CANCEL:
        say("-%d ", f->v);
        return 0;
    case 4 | AW_CANCEL:
        say("-memory ");
        return 0;
    }
    return (f->arg & KIND) == FAIL ? -f->v : f->v;
}

/* ---- three branches ------------------------------------------------------------------------- */

struct three {
    int kind;
    int code[3];
    int out[3]; /* 777: untouched */
    int64_t outcome;
    int catches; /* the await has a clean-up: logs "group left" */
    int takes;   /* and takes late results first */
    int asks;    /* cancels its own task before the group */
};

struct three__frame {
    aw_frame head;
    intptr_t arg;
    struct three *a;
    aw_group *g;
    char room[AW_GROUP_NEED(3, 3 * (size_t)act__need)];
};
ASYNC_INT(three, NEED(three, 0))
static const aw_site three__sites[] = {SITE(three, 0, 0), SITE(three, 1, AW_SITE_CLEAN),
                                       SITE(three, 2, 0)};

static int three__poll(aw_cx *c, struct three__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        f->arg = arg;
        f->a = (struct three *)arg;
        f->a->out[0] = f->a->out[1] = f->a->out[2] = 777;
        f->a->outcome = 777;
        if (f->a->asks)
            aw_cancel(aw_task_self());
        f->g = aw_group_begin(c, f->room, f->a->kind | (f->a->takes ? AW_TAKES_LATE : 0), 3);
        if (f->g != NULL) {
            BRANCH(0, act, f->a->code[0], f->a->out[0]);
            BRANCH(1, act, f->a->code[1], f->a->out[1]);
            BRANCH(2, act, f->a->code[2], f->a->out[2]);
        }
        if (f->g == NULL || aw_group_wait(f->g)) {
            AW_LINK(c, &f->head, &three__sites[f->a->catches ? 1 : 2]);
            return 0;
        case 1:
        case 2:;
        }
        LATE(0, f->a->out[0]);
        LATE(1, f->a->out[1]);
        LATE(2, f->a->out[2]);
        f->a->outcome = aw_group_end(f->g);
        break;
    case 1 | AW_CANCEL:
        if (f->a->takes) {
            f->g = AW_ALIGN_UP(f->room, __alignof__(aw_group));
            LATE(0, f->a->out[0]);
            LATE(1, f->a->out[1]);
            LATE(2, f->a->out[2]);
            (void)aw_group_end(f->g);
        }
        say("group left");
        return 0;
    }
    say("end");
    return 0;
}

static void run(int kind, int a, int b, int d, int64_t outcome, int out_a, int out_b, int out_d,
                const char *log)
{
    struct three three = {.kind = kind, .code = {a, b, d}};
    int out;
    log_reset();
    waker_count = 0;
    assert_int_equal(BLOCK_ON(rt, three, (intptr_t)&three, &out), 0);
    assert_string_equal(test_log, log);
    assert_int_equal(three.outcome, outcome);
    assert_int_equal(three.out[0], out_a);
    assert_int_equal(three.out[1], out_b);
    assert_int_equal(three.out[2], out_d);
}

static void all_waits_for_all(void **state)
{
    (void)state;
    run(AW_ALL, 1, 2, 3, 0, 1, 2, 3, "end");
    run(AW_ALL, 2001, 2, 1003, 0, 1, 2, 3, "end");
    run(AW_ALL, 1001, 5002, 3, 0, 1, 2, 3, "end");
    run(AW_ALL, FAIL + 1, FAIL + 2002, 1003, 0, -1, -2, 3, "end");
}

static void try_all_stops_at_the_first_failure(void **state)
{
    (void)state;
    run(AW_TRY_ALL, 1, 1002, 3, 0, 1, 2, 3, "end");
    run(AW_TRY_ALL, FAIL + 5, HOLD + 2, 3, -5, -5, 777, 777, "end");
    run(AW_TRY_ALL, HOLD + 1, FAIL + 5, 3, -5, 777, -5, 777, "+1 -1 end");
    run(AW_TRY_ALL, HOLD + 1, FAIL + 2005, HOLD + 3, -5, 777, -5, 777, "+1 +3 -1 -3 end");
    run(AW_TRY_ALL, FAIL + 3001, FAIL + 2002, 1003, -2, 777, -2, 3, "end");
}

static void race_gives_the_first(void **state)
{
    (void)state;
    run(AW_RACE, 1, 2, 3, 0, 1, 777, 777, "end");
    run(AW_RACE, HOLD + 1, 2, HOLD + 3, 1, 777, 2, 777, "+1 -1 end");
    run(AW_RACE, HOLD + 1, 3002, HOLD + 3, 1, 777, 2, 777, "+1 +3 -1 -3 end");
    run(AW_RACE, 2001, 2002, 2003, 0, 1, 777, 777, "end");
    run(AW_RACE, 3001, 2002, 2003, 1, 777, 2, 777, "end");
}

/* ---- wakes of branches ---------------------------------------------------------------------- */

/* Spawns three(arg), yields, wakes branches as `order` says, yields, joins. */
struct feeder {
    struct three three;
    int order[4]; /* -1: the end */
    int cancel;   /* 1: cancels before the wakes; 2: after them */
    int rc;
};

struct feeds__frame {
    aw_frame head;
    intptr_t arg;
    struct feeder *a;
    aw_task *t;
    int i;
};
ASYNC_INT(feeds, NEED(feeds, 64))
static const aw_site feeds__sites[] = {SITE(feeds, 0, 0), SITE(feeds, 1, 0), SITE(feeds, 2, 0)};

static int feeds__poll(aw_cx *c, struct feeds__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        f->a = (struct feeder *)arg;
        f->t = SPAWN(three, (intptr_t)&f->a->three);
        AWAIT(feeds, 1, aw_yield(c, f + 1));
        if (f->a->cancel == 1)
            aw_cancel(f->t);
        for (f->i = 0; f->a->order[f->i] >= 0; f->i++)
            aw_wake(&wakers[f->a->order[f->i]]);
        if (f->a->cancel == 2)
            aw_cancel(f->t);
        AWAIT_INT(feeds, 2, f->a->rc, aw_join(c, f + 1, f->t, NULL));
        for (f->i = 0; f->i < waker_count; f->i++)
            aw_wake(&wakers[f->i]); /* too late: harmless */
    }
    return f->a->rc;
}

static struct feeder feed(struct feeder a, const char *log)
{
    int out;
    log_reset();
    waker_count = 0;
    assert_int_equal(BLOCK_ON(rt, feeds, (intptr_t)&a, &out), 0);
    assert_string_equal(test_log, log);
    return a;
}

static void wakes_reach_their_branch(void **state)
{
    (void)state;
    struct feeder a = {.three = {.kind = AW_RACE, .code = {FEED + 1, FEED + 2, FEED + 3}},
                       .order = {1, -1}};
    a = feed(a, "end");
    assert_int_equal(a.three.outcome, 1);
    assert_int_equal(a.three.out[0], 777);
    assert_int_equal(a.three.out[1], 2);

    struct feeder all = {.three = {.kind = AW_ALL, .code = {FEED + 1, FEED + 2, FEED + 3}},
                         .order = {2, 0, 1, -1}};
    all = feed(all, "end");
    assert_int_equal(all.three.out[0], 1);
    assert_int_equal(all.three.out[1], 2);
    assert_int_equal(all.three.out[2], 3);
}

static void the_smallest_index_wins_a_tie(void **state)
{
    (void)state;
    struct feeder a = {.three = {.kind = AW_RACE, .code = {FEED + 1, FEED + 2, FEED + 3}},
                       .order = {2, 0, 1, -1}};
    a = feed(a, "end");
    assert_int_equal(a.three.outcome, 0);
    /* All had been woken: completion wins over the cancel of the losers. */
    assert_int_equal(a.three.out[0], 1);
    assert_int_equal(a.three.out[1], 2);
    assert_int_equal(a.three.out[2], 3);
}

static void a_cancelled_task_cancels_its_branches(void **state)
{
    (void)state;
    struct feeder a = {
        .three = {.kind = AW_ALL, .code = {HOLD + 1, FEED + 2, HOLD + 3}, .catches = 1},
        .order = {-1},
        .cancel = 1};
    a = feed(a, "+1 +3 -1 -3 group left");
    assert_int_equal(a.rc, AW_ECANCELED);
    a = (struct feeder){
        .three = {.kind = AW_TRY_ALL, .code = {HOLD + 1, 2, HOLD + 3}}, .order = {-1}, .cancel = 1};
    a = feed(a, "+1 +3 -1 -3 ");
    assert_int_equal(a.rc, AW_ECANCELED);
    assert_int_equal(a.three.out[1], 2);
}

/* The group is not decided, so the task leaves, with what has been returned until then. */
static void a_cancelled_task_takes_late_results(void **state)
{
    (void)state;
    struct three all = {.kind = AW_ALL, .catches = 1, .takes = 1};
    struct feeder a = {.three = all, .order = {0, -1}, .cancel = 2};
    memcpy(a.three.code, (int[]){HOLD + 1, FEED + 2, 3}, sizeof a.three.code);
    a = feed(a, "+1 -1 group left");
    assert_int_equal(a.rc, AW_ECANCELED);
    assert_int_equal(a.three.out[0], 777);
    assert_int_equal(a.three.out[1], 2);
    assert_int_equal(a.three.out[2], 3);
    a = (struct feeder){.three = all, .order = {-1}, .cancel = 1};
    a.three.kind = AW_TRY_ALL;
    memcpy(a.three.code, (int[]){HOLD + 1, 2, FEED + 3}, sizeof a.three.code);
    a = feed(a, "+1 -1 group left");
    assert_int_equal(a.rc, AW_ECANCELED);
    assert_int_equal(a.three.out[1], 2);
    assert_int_equal(a.three.out[2], 777);
}

static void a_group_that_cannot_start_has_nothing_late(void **state)
{
    (void)state;
    struct three three = {.kind = AW_ALL, .code = {1, 2, 3}, .catches = 1, .takes = 1, .asks = 1};
    int out;
    log_reset();
    assert_int_equal(BLOCK_ON(rt, three, (intptr_t)&three, &out), AW_ECANCELED);
    assert_string_equal(test_log, "group left");
    assert_int_equal(three.out[0], 777);
}

static void completion_wins_over_cancel(void **state)
{
    (void)state;
    struct feeder a = {
        .three = {.kind = AW_ALL, .code = {FEED + 1, FEED + 2, FEED + 3}, .catches = 1},
        .order = {0, 1, 2, -1},
        .cancel = 2};
    a = feed(a, "end");
    assert_int_equal(a.rc, 0);
    assert_int_equal(a.three.out[2], 3);
    a = (struct feeder){
        .three = {.kind = AW_RACE, .code = {HOLD + 1, FEED + 2, HOLD + 3}, .catches = 1},
        .order = {0, -1},
        .cancel = 2};
    a = feed(a, "+1 +3 -1 -3 end");
    assert_int_equal(a.rc, 0);
    assert_int_equal(a.three.outcome, 1);
    a = (struct feeder){.three = {.kind = AW_ALL, .code = {HOLD + 1, FEED + 2, 3}, .catches = 1},
                        .order = {0, -1},
                        .cancel = 2};
    a = feed(a, "+1 -1 group left");
    assert_int_equal(a.rc, AW_ECANCELED);
}

static void branches_without_memory_cancel_the_group(void **state)
{
    (void)state;
    struct three three = {.kind = AW_ALL, .code = {HOLD + 1, MEMORY, HOLD + 3}, .catches = 1};
    int out;
    log_reset();
    assert_int_equal(BLOCK_ON(rt, three, (intptr_t)&three, &out), -ENOMEM);
    assert_string_equal(test_log, "+1 +3 -memory -1 -3 group left");
    three = (struct three){.kind = AW_RACE, .code = {MEMORY, 1002, 2003}, .catches = 1};
    log_reset();
    assert_int_equal(BLOCK_ON(rt, three, (intptr_t)&three, &out), -ENOMEM);
    assert_string_equal(test_log, "-memory group left");
}

static void a_branch_that_cancels_its_task(void **state)
{
    (void)state;
    struct three three = {.kind = AW_ALL, .code = {HOLD + 1, ASK + 2, HOLD + 3}, .catches = 1};
    int out;
    log_reset();
    assert_int_equal(BLOCK_ON(rt, three, (intptr_t)&three, &out), -ECANCELED);
    assert_string_equal(test_log, "+1 +3 -3 -1 group left");
    assert_int_equal(three.out[1], 2);
    /* None is left to cancel: the group is complete, the cancel would land later. */
    three = (struct three){.kind = AW_ALL, .code = {1, ASK + 2, 3}, .catches = 1};
    log_reset();
    assert_int_equal(BLOCK_ON(rt, three, (intptr_t)&three, &out), 0);
    assert_string_equal(test_log, "end");
}

/* ---- timeout -------------------------------------------------------------------------------- */

struct limit {
    int code, ms;
    int out;
    int64_t outcome;
};

struct limit__frame {
    aw_frame head;
    intptr_t arg;
    struct limit *a;
    aw_group *g;
    char room[AW_GROUP_NEED(2, (size_t)act__need + 80)];
};
ASYNC_INT(limit, NEED(limit, 0))
static const aw_site limit__sites[] = {SITE(limit, 0, 0), SITE(limit, 1, 0)};

static int limit__poll(aw_cx *c, struct limit__frame *f, unsigned st, intptr_t arg)
{
    aw_cx *s;
    switch (st) {
    case 0:
        f->a = (struct limit *)arg;
        f->a->out = 777;
        f->g = aw_group_begin(c, f->room, AW_TIMEOUT, 2);
        if (f->g != NULL) {
            BRANCH(0, act, f->a->code, f->a->out);
            if ((s = aw_group_strand(f->g, 1, 80)) != NULL) {
                aw_sleep_ms(s, aw_group_room(f->g, 1), (uint64_t)f->a->ms);
                aw_group_started(f->g, 1);
            }
        }
        if (f->g == NULL || aw_group_wait(f->g)) {
            AW_LINK(c, &f->head, &limit__sites[1]);
            return 0;
        case 1:;
        }
        LATE(0, f->a->out);
        f->a->outcome = aw_group_end(f->g);
    }
    return 0;
}

static void time_limits(void **state)
{
    (void)state;
    struct limit limit = {.code = 5, .ms = 1000};
    int out;
    BLOCK_ON(rt, limit, (intptr_t)&limit, &out);
    assert_int_equal(limit.outcome, 0);
    assert_int_equal(limit.out, 5);
    limit = (struct limit){.code = 3005, .ms = 1000};
    BLOCK_ON(rt, limit, (intptr_t)&limit, &out);
    assert_int_equal(limit.outcome, 0);
    assert_int_equal(limit.out, 5);
    limit = (struct limit){.code = HOLD + 5, .ms = 20};
    log_reset();
    uint64_t from_ns = aw_now();
    BLOCK_ON(rt, limit, (intptr_t)&limit, &out);
    assert_true(aw_now() - from_ns >= 20 * 1000000u);
    assert_int_equal(limit.outcome, AW_ETIMEDOUT);
    assert_int_equal(limit.out, 777);
    assert_string_equal(test_log, "+5 -5 ");
    limit = (struct limit){.code = HOLD + 5, .ms = 0};
    BLOCK_ON(rt, limit, (intptr_t)&limit, &out);
    assert_int_equal(limit.outcome, AW_ETIMEDOUT);
}

/* ---- nested, wide, deep --------------------------------------------------------------------- */

/* tree(n): two branches tree(n - 1); leaves count themselves and park. Unmeasured. */
static int tree_leaves, tree_left;

struct tree__frame {
    aw_frame head;
    intptr_t arg;
    aw_group *g;
    int v[2];
    char room[AW_GROUP_NEED(2, 2 * AW_LEAF_ROOM)];
};
ASYNC_INT(tree, NEED(tree, 0))
static const aw_site tree__sites[] = {SITE(tree, 0, 0), SITE(tree, 1, 0), SITE(tree, 2, 0)};

static int tree_branch(struct tree__frame *f, int i)
{
    aw_cx *s = aw_group_strand(f->g, i, AW_LEAF_ROOM);
    if (s == NULL)
        return 0;
    int v = tree__entry(s, aw_group_room(f->g, i), f->arg - 1);
    if (aw_group_started(f->g, i))
        f->v[i] = v;
    return 0;
}

static int tree__poll(aw_cx *c, struct tree__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        f->arg = arg;
        f->v[0] = f->v[1] = 0;
        if (arg == 0) {
            wakers[tree_leaves++ % 64] = aw_waker_get();
            AWAIT(tree, 1, aw_park(c, f + 1));
            tree_left++;
            return 1;
        }
        f->g = aw_group_begin(c, f->room, AW_ALL, 2);
        if (f->g != NULL) {
            tree_branch(f, 0);
            tree_branch(f, 1);
        }
        if (f->g == NULL || aw_group_wait(f->g)) {
            AW_LINK(c, &f->head, &tree__sites[2]);
            return 0;
        case 2:;
        }
        LATE(0, f->v[0]);
        LATE(1, f->v[1]);
        aw_group_end(f->g);
    }
    return f->v[0] + f->v[1];
}

struct waters__frame {
    aw_frame head;
    intptr_t arg;
    aw_task *t;
    int i, rc, v;
};
ASYNC_INT(waters, NEED(waters, 64))
static const aw_site waters__sites[] = {SITE(waters, 0, 0), SITE(waters, 1, 0), SITE(waters, 2, 0),
                                        SITE(waters, 3, 0)};

/* Grows a tree of 64 leaves; wakes the leaves in a strange order, or cancels. */
static int waters__poll(aw_cx *c, struct waters__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        f->arg = arg;
        tree_leaves = tree_left = 0;
        f->t = SPAWN(tree, 6);
        AWAIT(waters, 1, aw_yield(c, f + 1));
        assert_int_equal(tree_leaves, 64);
        for (f->i = 0; f->i < 64; f->i++) {
            if (f->i == 32 && f->arg) {
                aw_cancel(f->t);
                break;
            }
            aw_wake(&wakers[f->i * 37 % 64]);
            aw_wake(&wakers[f->i * 37 % 64]);
            AWAIT(waters, 2, aw_yield(c, f + 1));
            assert_int_equal(tree_left, f->i + 1);
        }
        AWAIT_INT(waters, 3, f->rc, aw_join(c, f + 1, f->t, &f->v));
    }
    return f->rc != 0 ? f->rc : f->v;
}

static void a_tree_of_groups(void **state)
{
    (void)state;
    int out = 0;
    assert_int_equal(BLOCK_ON(rt, waters, 0, &out), 0);
    assert_int_equal(out, 64);
    assert_int_equal(BLOCK_ON(rt, waters, 1, &out), 0);
    assert_int_equal(out, AW_ECANCELED);
    assert_int_equal(tree_left, 32);
}

/* comb(n): aw_all(comb(n - 1), act(0)): groups in groups, n deep; the innermost yields. */
struct comb__frame {
    aw_frame head;
    intptr_t arg;
    aw_group *g;
    int v[2];
    char room[AW_GROUP_NEED(2, 2 * AW_LEAF_ROOM)];
};
ASYNC_INT(comb, NEED(comb, 0))
static const aw_site comb__sites[] = {SITE(comb, 0, 0), SITE(comb, 1, 0), SITE(comb, 2, 0)};

static int comb__poll(aw_cx *c, struct comb__frame *f, unsigned st, intptr_t arg)
{
    aw_cx *s;
    int v;
    switch (st) {
    case 0:
        f->arg = arg;
        if (arg <= 0) {
            if (arg == 0)
                AWAIT(comb, 1, aw_yield(c, f + 1));
            return 0;
        }
        f->g = aw_group_begin(c, f->room, AW_ALL, 2);
        for (int i = 0; f->g != NULL && i < 2; i++) {
            if ((s = aw_group_strand(f->g, i, AW_LEAF_ROOM)) != NULL) {
                v = comb__entry(s, aw_group_room(f->g, i), i == 0 ? f->arg - 1 : -1);
                if (aw_group_started(f->g, i))
                    f->v[i] = v;
            }
        }
        if (f->g == NULL || aw_group_wait(f->g)) {
            AW_LINK(c, &f->head, &comb__sites[2]);
            return 0;
        case 2:;
        }
        LATE(0, f->v[0]);
        LATE(1, f->v[1]);
        aw_group_end(f->g);
        return f->v[0] + 1;
    }
    return 0;
}

static void groups_in_groups_do_not_need_c_stack(void **state)
{
    (void)state;
    int out = 0;
    enum { COMB_DEPTH = 20000 };
    assert_int_equal(BLOCK_ON(rt, comb, COMB_DEPTH, &out), 0);
    assert_int_equal(out, COMB_DEPTH);
}

/* ---- whichever allocation fails ------------------------------------------------------------- */

static int allocations_left;

static bool run_out(size_t bytes)
{
    (void)bytes;
    return allocations_left-- > 0;
}

static void allocation_faults_in_groups(void **state)
{
    (void)state;
    int out = 0, rc = -1, failed = 0;
    for (int at = 0; at < 1000 && rc != 0; at++) {
        aw_runtime *own = aw_runtime_new(NULL);
        allocations_left = at;
        awi_alloc_hook = run_out;
        rc = BLOCK_ON(own, comb, 60, &out);
        awi_alloc_hook = NULL;
        assert_true(rc == 0 || rc == -ENOMEM);
        assert_int_equal(out, rc == 0 ? 60 : 0);
        failed += rc != 0;
        aw_runtime_free(own);
    }
    assert_int_equal(rc, 0);
    assert_true(failed > 20);
}

/* ---- a join that loses ---------------------------------------------------------------------- */

struct loses__frame {
    aw_frame head;
    intptr_t arg;
    aw_task *t;
    aw_group *g;
    int out[2], v, winner;
    char room[AW_GROUP_NEED(2, (size_t)act__need + 64)];
};
ASYNC_INT(loses, NEED(loses, 0))
static const aw_site loses__sites[] = {SITE(loses, 0, 0), SITE(loses, 1, 0)};

static int loses__poll(aw_cx *c, struct loses__frame *f, unsigned st, intptr_t arg)
{
    aw_cx *s;
    int v;
    switch (st) {
    case 0:
        f->arg = arg;
        f->t = SPAWN(act, arg);
        f->out[0] = f->out[1] = f->v = 777;
        f->g = aw_group_begin(c, f->room, AW_RACE, 2);
        if (f->g != NULL) {
            if ((s = aw_group_strand(f->g, 0, 64)) != NULL) {
                v = aw_join(s, aw_group_room(f->g, 0), f->t, &f->v);
                if (aw_group_started(f->g, 0))
                    f->out[0] = v;
            }
            BRANCH(1, act, 3005, f->out[1]);
        }
        if (f->g == NULL || aw_group_wait(f->g)) {
            AW_LINK(c, &f->head, &loses__sites[1]);
            return 0;
        case 1:;
        }
        LATE(0, f->out[0]);
        LATE(1, f->out[1]);
        f->winner = (int)aw_group_end(f->g);
    }
    say("winner %d join %d value %d", f->winner, f->out[0], f->v);
    return 0;
}

static void a_join_that_loses_cancels_its_task(void **state)
{
    (void)state;
    int out;
    log_reset();
    BLOCK_ON(rt, loses, HOLD + 1, &out);
    assert_string_equal(test_log, "+1 -1 winner 1 join 777 value 777");
    log_reset();
    BLOCK_ON(rt, loses, 1007, &out);
    assert_string_equal(test_log, "winner 0 join 0 value 7");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_waits_for_all),
        cmocka_unit_test(try_all_stops_at_the_first_failure),
        cmocka_unit_test(race_gives_the_first),
        cmocka_unit_test(wakes_reach_their_branch),
        cmocka_unit_test(the_smallest_index_wins_a_tie),
        cmocka_unit_test(a_cancelled_task_cancels_its_branches),
        cmocka_unit_test(a_cancelled_task_takes_late_results),
        cmocka_unit_test(a_group_that_cannot_start_has_nothing_late),
        cmocka_unit_test(completion_wins_over_cancel),
        cmocka_unit_test(branches_without_memory_cancel_the_group),
        cmocka_unit_test(a_branch_that_cancels_its_task),
        cmocka_unit_test(time_limits),
        cmocka_unit_test(a_tree_of_groups),
        cmocka_unit_test(groups_in_groups_do_not_need_c_stack),
        cmocka_unit_test(allocation_faults_in_groups),
        cmocka_unit_test(a_join_that_loses_cancels_its_task),
    };
    return cmocka_run_group_tests_name("group", tests, set_up, tear_down);
}
