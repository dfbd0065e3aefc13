/* SPDX-License-Identifier: MIT */
/* Growth of the frame stack, bounced calls, and depth: a million awaits deep with a C stack of
 * 1 MiB, to which the program limits itself before it starts. */
#include "tests/runtime/lowered_by_hand.h"

#include <sys/resource.h>
#include <unistd.h>

#include "runtime/sys/sys_alloc.h"

enum { DEPTH = 1000000, STACK_BYTES = 1024 * 1024 };

static int cleaned, reached;
static aw_waker bottom_waker;

/* deep(n) awaits deep(n - 1), the last one parks; each has a clean-up. Returns n. */
struct deep__frame {
    aw_frame head;
    intptr_t arg;
    int v;
    char more[28];
};
ASYNC_INT(deep, NEED(deep, AW_LEAF_ROOM))
static const aw_site deep__sites[] = {SITE(deep, 0, 0), SITE(deep, 1, 0),
                                      SITE(deep, 2, AW_SITE_CLEAN)};

static int deep__poll(aw_cx *c, struct deep__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        f->arg = arg;
        if (arg == 0) {
            reached++;
            bottom_waker = aw_waker_get();
            AWAIT(deep, 1, aw_park(c, f + 1));
            return 0;
        }
        AWAIT_INT(deep, 2, f->v, deep__entry(c, f + 1, arg - 1));
        break;
    case 2 | AW_CANCEL:
        cleaned++;
        return 0;
    }
    cleaned++;
    assert_int_equal(f->v, f->arg - 1);
    return (int)f->arg;
}

/* ready(n): as deep, but nothing suspends, and no clean-ups. */
struct ready__frame {
    aw_frame head;
    intptr_t arg;
    int v;
    char more[28];
};
ASYNC_INT(ready, NEED(ready, AW_LEAF_ROOM))
static const aw_site ready__sites[] = {SITE(ready, 0, 0), SITE(ready, 1, 0)};

static int ready__poll(aw_cx *c, struct ready__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        f->arg = arg;
        if (arg == 0)
            return 0;
        AWAIT_INT(ready, 1, f->v, ready__entry(c, f + 1, arg - 1));
    }
    return f->v + 1;
}

/* Spawns deep(arg), yields until it has reached the bottom, wakes it (or cancels it, arg < 0). */
struct drives__frame {
    aw_frame head;
    intptr_t arg;
    aw_task *t;
    int rc, result;
};
ASYNC_INT(drives, NEED(drives, 64))
static const aw_site drives__sites[] = {SITE(drives, 0, 0), SITE(drives, 1, 0), SITE(drives, 2, 0)};

static int drives__poll(aw_cx *c, struct drives__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        f->arg = arg;
        f->result = -1;
        f->t = SPAWN(deep, arg < 0 ? -arg : arg);
        while (!reached)
            AWAIT(drives, 1, aw_yield(c, f + 1));
        if (f->arg < 0)
            aw_cancel(f->t);
        else
            aw_wake(&bottom_waker);
        AWAIT_INT(drives, 2, f->rc, aw_join(c, f + 1, f->t, &f->result));
    }
    return f->rc < 0 ? f->rc : f->result;
}

static int drive(intptr_t how)
{
    int out = -1;
    cleaned = 0;
    reached = 0;
    assert_int_equal(BLOCK_ON(rt, drives, how, &out), 0);
    return out;
}

static void a_million_deep_resumed(void **state)
{
    (void)state;
    assert_int_equal(drive(DEPTH), DEPTH);
    assert_int_equal(cleaned, DEPTH);
}

static void a_million_deep_cancelled(void **state)
{
    (void)state;
    assert_int_equal(drive(-DEPTH), AW_ECANCELED);
    assert_int_equal(cleaned, DEPTH);
}

static void a_million_deep_ready(void **state)
{
    (void)state;
    int out = -1;
    assert_int_equal(BLOCK_ON(rt, ready, DEPTH, &out), 0);
    assert_int_equal(out, DEPTH);
}

/* ---- no memory ------------------------------------------------------------------------------ */

static int allocations_left;

static bool run_out(size_t bytes)
{
    (void)bytes;
    return allocations_left-- > 0;
}

/* Whichever growth fails, the task is cancelled there, and every clean-up runs. */
static void growth_faults_cancel_with_enomem(void **state)
{
    (void)state;
    int out = -1, at;
    drive(100); /* task memory is warm */
    for (at = 0; at < 1000; at++) {
        allocations_left = at;
        cleaned = 0;
        awi_alloc_hook = run_out;
        int rc = BLOCK_ON(rt, ready, 20000, &out);
        awi_alloc_hook = NULL;
        if (rc == 0)
            break;
        assert_int_equal(rc, -ENOMEM);
        assert_int_equal(out, 0);
    }
    assert_int_equal(out, 20000);
    assert_true(at > 4 && at < 1000);
}

static void growth_faults_run_clean_ups(void **state)
{
    (void)state;
    int out;
    for (int at = 0; at < 12; at++) {
        allocations_left = at;
        cleaned = 0;
        reached = 0;
        awi_alloc_hook = run_out;
        int rc = BLOCK_ON(rt, deep, 1 << 24, &out);
        awi_alloc_hook = NULL;
        assert_int_equal(rc, -ENOMEM);
        assert_int_equal(reached, 0);
        assert_true(at == 0 || cleaned > 0);
    }
}

/* ---- one chunk at a time -------------------------------------------------------------------- */

/* At the end of a chunk: awaits `small` again and again, each time through a growth. */
struct small__frame {
    aw_frame head;
    intptr_t arg;
    char more[2000];
};
ASYNC_INT(small, NEED(small, AW_LEAF_ROOM))
static const aw_site small__sites[] = {SITE(small, 0, 0), SITE(small, 1, 0)};

static int small__poll(aw_cx *c, struct small__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        f->arg = arg;
        memset(f->more, (int)arg, sizeof f->more);
        if (arg % 2 == 1)
            AWAIT(small, 1, aw_yield(c, f + 1));
    }
    assert_int_equal(f->more[1999], (char)f->arg);
    return (int)f->arg + 1;
}

struct loops__frame {
    aw_frame head;
    intptr_t arg;
    int i, v;
};
ASYNC_INT(loops, NEED(loops, AW_LEAF_ROOM))
static const aw_site loops__sites[] = {SITE(loops, 0, 0), SITE(loops, 1, 0)};

static int loops__poll(aw_cx *c, struct loops__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        f->arg = arg;
        for (f->i = 0; f->i < f->arg; f->i++) {
            AWAIT_INT(loops, 1, f->v, small__entry(c, f + 1, f->i));
            if (f->v != f->i + 1)
                return -1;
        }
    }
    return f->i;
}

static size_t allocations;

static bool count_allocation(size_t bytes)
{
    (void)bytes;
    allocations++;
    return true;
}

static void a_growth_again_and_again_allocates_once(void **state)
{
    (void)state;
    int out = -1;
    BLOCK_ON(rt, loops, 4, &out);
    allocations = 0;
    awi_alloc_hook = count_allocation;
    assert_int_equal(BLOCK_ON(rt, loops, 100, &out), 0);
    awi_alloc_hook = NULL;
    assert_int_equal(out, 100);
    assert_true(allocations <= 1);
}

/* What tasks needed is learnt where it is not known. */
static void the_need_is_learnt(void **state)
{
    (void)state;
    size_t hint = 0;
    aw_spawn_site site = loops__spawn;
    site.need_bytes = 0;
    site.hint = &hint;
    int out = -1;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(aw_block_on_site(rt, &site, &(intptr_t){4}, &out), 0);
        assert_int_equal(out, 4);
    }
    assert_true(hint >= small__need && hint <= 4096);
    allocations = 0;
    awi_alloc_hook = count_allocation;
    aw_block_on_site(rt, &site, &(intptr_t){4}, &out);
    awi_alloc_hook = NULL;
    assert_int_equal(allocations, 0);
}

/* A frame with more alignment than the room has. */
struct aligned__frame {
    aw_frame head;
    intptr_t arg;
    _Alignas(128) char buffer[128];
};
ASYNC_INT(aligned, NEED(aligned, AW_LEAF_ROOM))
static const aw_site aligned__sites[] = {SITE(aligned, 0, 0), SITE(aligned, 1, 0)};

static int aligned__poll(aw_cx *c, struct aligned__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        assert_int_equal((uintptr_t)f % 128, 0);
        f->arg = arg;
        AWAIT(aligned, 1, aw_yield(c, f + 1));
    }
    return (int)f->arg;
}

struct aligns__frame {
    aw_frame head;
    intptr_t arg;
    int v;
};
ASYNC_INT(aligns, NEED(aligns, AW_LEAF_ROOM))
static const aw_site aligns__sites[] = {SITE(aligns, 0, 0), SITE(aligns, 1, 0)};

static int aligns__poll(aw_cx *c, struct aligns__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        f->arg = arg;
        AWAIT_INT(aligns, 1, f->v, aligned__grow(c, f + 1, arg));
    }
    return f->v;
}

static void growth_aligns(void **state)
{
    (void)state;
    int out = -1;
    assert_int_equal(BLOCK_ON(rt, aligns, 3, &out), 0);
    assert_int_equal(out, 3);
    aw_spawn_site site = aligns__spawn;
    site.need_bytes = 2000;
    assert_int_equal(aw_block_on_site(rt, &site, &(intptr_t){4}, &out), 0);
    assert_int_equal(out, 4);
}

int main(int argc, char **argv)
{
    struct rlimit limit;
    (void)argc;
    getrlimit(RLIMIT_STACK, &limit);
    if (limit.rlim_cur != STACK_BYTES) {
        limit.rlim_cur = STACK_BYTES;
        if (setrlimit(RLIMIT_STACK, &limit) == 0)
            execv("/proc/self/exe", argv);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_million_deep_resumed),
        cmocka_unit_test(a_million_deep_cancelled),
        cmocka_unit_test(a_million_deep_ready),
        cmocka_unit_test(growth_faults_cancel_with_enomem),
        cmocka_unit_test(growth_faults_run_clean_ups),
        cmocka_unit_test(a_growth_again_and_again_allocates_once),
        cmocka_unit_test(the_need_is_learnt),
        cmocka_unit_test(growth_aligns),
    };
    return cmocka_run_group_tests_name("growth", tests, set_up, tear_down);
}
