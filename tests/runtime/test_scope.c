/* SPDX-License-Identifier: MIT */
/* Scopes: the limit, the first failure, leaving in every way, memory. */
#include "tests/runtime/lowered_by_hand.h"

#include "runtime/sys/sys_alloc.h"

static int running, most;

/* A child: yields arg / 100 times; returns arg % 100, negative if arg is. Counts who runs. */
struct child__frame {
    aw_frame head;
    intptr_t arg;
    int i;
};
ASYNC_INT(child, NEED(child, AW_LEAF_ROOM))
static const aw_site child__sites[] = {SITE(child, 0, 0), SITE(child, 1, AW_SITE_CLEAN)};

static int child__poll(aw_cx *c, struct child__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        f->arg = arg;
        if (++running > most)
            most = running;
        for (f->i = 0; f->i < labs(f->arg) / 100; f->i++)
            AWAIT(child, 1, aw_yield(c, f + 1));
        break;
    case 1 | AW_CANCEL:
        running--;
        say("-%d ", (int)(labs(f->arg) % 100));
        return 0;
    }
    running--;
    return (int)(f->arg % 100);
}

static aw_spawn_site unsigned_spawn; /* as child__spawn, without AW_SPAWN_SIGNED_RESULT */

/*
 * What the owner of the scope does: spawns the children of code[]; then waits, or leaves without.
 * The scope is a local: its clean-up is the implicit one, at every way out.
 */
struct owner {
    size_t limit;
    intptr_t code[8]; /* 0: the end */
    enum { WAIT, RETURN, CANCEL_SELF, CANCEL_SELF_AND_WAIT } then;
    int spawned[8], rc, unsigned_result;
};

struct owner__frame {
    aw_frame head;
    intptr_t arg;
    struct owner *a;
    aw_scope scope;
    int i, v;
};
ASYNC_INT(owner, NEED(owner, 64))
static const aw_site owner__sites[] = {SITE(owner, 0, 0), SITE(owner, 1, AW_SITE_CLEAN),
                                       SITE(owner, 2, AW_SITE_CLEAN), SITE(owner, 3, AW_SITE_CLEAN),
                                       SITE(owner, 4, 0)};

static int owner__poll(aw_cx *c, struct owner__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        f->a = (struct owner *)arg;
        aw_scope_init(&f->scope, f->a->limit);
        for (f->i = 0; f->a->code[f->i] != 0; f->i++) {
            AWAIT_INT(owner, 1, f->v, aw_scope_enter(c, f + 1, &f->scope));
            if (f->v == 0) {
                aw_spawn_site *plain = &unsigned_spawn;
                *plain = child__spawn;
                plain->flags = 0;
                f->v = aw_scope_start(&f->scope, f->a->unsigned_result ? plain : &child__spawn,
                                      &f->a->code[f->i]);
            }
            f->a->spawned[f->i] = f->v;
        }
        if (f->a->then == CANCEL_SELF || f->a->then == CANCEL_SELF_AND_WAIT)
            aw_cancel(aw_task_self());
        if (f->a->then == WAIT || f->a->then == CANCEL_SELF_AND_WAIT)
            AWAIT_INT(owner, 2, f->a->rc, aw_scope_wait(c, f + 1, &f->scope));
        if (f->a->then == CANCEL_SELF)
            AWAIT(owner, 3, aw_yield(c, f + 1));
        goto leave;
    case 1 | AW_CANCEL:
    case 2 | AW_CANCEL:
    case 3 | AW_CANCEL:
        say("unwind ");
    leave:
        AWAIT(owner, 4, aw_scope_leave(c, f + 1, &f->scope));
    }
    say("left");
    return 0;
}

static int run(struct owner *a)
{
    int out;
    log_reset();
    running = most = 0;
    int rc = BLOCK_ON(rt, owner, (intptr_t)a, &out);
    assert_int_equal(running, 0);
    return rc;
}

static void the_limit_holds(void **state)
{
    (void)state;
    struct owner a = {.limit = 2, .code = {301, 302, 303, 304, 305, 306}};
    assert_int_equal(run(&a), 0);
    assert_int_equal(a.rc, 0);
    assert_int_equal(most, 2);
    a.limit = 0;
    assert_int_equal(run(&a), 0);
    assert_int_equal(most, 6);
    a.limit = 100;
    assert_int_equal(run(&a), 0);
    assert_int_equal(most, 6);
    assert_string_equal(test_log, "left");
}

static void the_first_failure_cancels_the_rest(void **state)
{
    (void)state;
    struct owner a = {.code = {901, -207, -303, 904}};
    assert_int_equal(run(&a), 0);
    assert_int_equal(a.rc, -7);
    assert_string_equal(test_log, "-3 -4 -1 left");
}

static void a_failed_scope_starts_no_more(void **state)
{
    (void)state;
    struct owner a = {.limit = 1, .code = {-7, 1, 2}};
    assert_int_equal(run(&a), 0);
    assert_int_equal(a.spawned[0], 0);
    assert_int_equal(a.spawned[1], -7);
    assert_int_equal(a.spawned[2], -7);
    assert_int_equal(a.rc, -7);
}

static void only_signed_results_fail(void **state)
{
    (void)state;
    struct owner a = {.code = {-7, 1, -2}, .unsigned_result = 1};
    assert_int_equal(run(&a), 0);
    assert_int_equal(a.rc, 0);
}

static void leaving_cancels_and_waits(void **state)
{
    (void)state;
    struct owner a = {.code = {501, 502}, .then = RETURN};
    assert_int_equal(run(&a), 0);
    assert_string_equal(test_log, "left"); /* they had not run yet */
    a = (struct owner){.limit = 2, .code = {101, 502, 503}, .then = RETURN};
    assert_int_equal(run(&a), 0);
    assert_int_equal(a.spawned[2], 0);
    assert_string_equal(test_log, "-2 left");
    a = (struct owner){.then = RETURN};
    assert_int_equal(run(&a), 0);
    assert_string_equal(test_log, "left");
}

static void a_cancel_unwinds_through_the_scope(void **state)
{
    (void)state;
    struct owner a = {.limit = 1, .code = {101, 502}, .then = CANCEL_SELF};
    assert_int_equal(run(&a), -ECANCELED);
    assert_string_equal(test_log, "unwind left");
    a = (struct owner){.limit = 1, .code = {101, 502}, .then = CANCEL_SELF_AND_WAIT};
    assert_int_equal(run(&a), -ECANCELED);
    assert_string_equal(test_log, "unwind left");
}

static void scopes_that_were_never_initialised(void **state)
{
    (void)state;
    aw_scope scope;
    memset(&scope, 0, sizeof scope);
    aw_cx c = {0};
    char room[AW_SCOPE_NEED];
    aw_scope_leave(&c, room, &scope);
    assert_null(c.pending);
    c.cancel = AW_CANCEL_ASKED;
    aw_scope_leave(&c, room, &scope); /* no cancel point */
    assert_null(c.pending);
}

/* ---- cancelled from outside, at each of its awaits ------------------------------------------ */

struct outside {
    struct owner owner;
    int yields;
    int rc;
};

struct outside__frame {
    aw_frame head;
    intptr_t arg;
    struct outside *a;
    aw_task *t;
    int i;
};
ASYNC_INT(outside, NEED(outside, 64))
static const aw_site outside__sites[] = {SITE(outside, 0, 0), SITE(outside, 1, 0),
                                         SITE(outside, 2, 0)};

static int outside__poll(aw_cx *c, struct outside__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        f->a = (struct outside *)arg;
        f->t = SPAWN(owner, (intptr_t)&f->a->owner);
        for (f->i = 0; f->i < f->a->yields; f->i++)
            AWAIT(outside, 1, aw_yield(c, f + 1));
        aw_cancel(f->t);
        AWAIT_INT(outside, 2, f->a->rc, aw_join(c, f + 1, f->t, NULL));
        assert_int_equal(running, 0);
    }
    return 0;
}

static void cancels_at_any_time_leave_no_child(void **state)
{
    (void)state;
    int out, cancelled = 0, completed = 0;
    for (int i = 1; i < 40; i++) {
        struct outside a = {.owner = {.limit = 2, .code = {301, 302, 303, 304}}, .yields = i};
        log_reset();
        running = most = 0;
        assert_int_equal(BLOCK_ON(rt, outside, (intptr_t)&a, &out), 0);
        assert_int_equal(running, 0);
        assert_non_null(strstr(test_log, "left"));
        if (a.rc == 0)
            completed++;
        else
            cancelled++;
    }
    assert_true(cancelled > 3 && completed > 3);
}

static int allocations_left;

static bool run_out(size_t bytes)
{
    (void)bytes;
    return allocations_left-- > 0;
}

static void no_memory_for_a_child(void **state)
{
    (void)state;
    struct owner a = {.code = {301, 302, 303}};
    allocations_left = 0;
    awi_alloc_hook = run_out;
    int rc = run(&a);
    awi_alloc_hook = NULL;
    assert_true(rc == 0 || rc == -ENOMEM);
    assert_true(rc != 0 || a.spawned[2] == 0 || a.spawned[2] == -ENOMEM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_limit_holds),
        cmocka_unit_test(the_first_failure_cancels_the_rest),
        cmocka_unit_test(a_failed_scope_starts_no_more),
        cmocka_unit_test(only_signed_results_fail),
        cmocka_unit_test(leaving_cancels_and_waits),
        cmocka_unit_test(a_cancel_unwinds_through_the_scope),
        cmocka_unit_test(scopes_that_were_never_initialised),
        cmocka_unit_test(cancels_at_any_time_leave_no_child),
        cmocka_unit_test(no_memory_for_a_child),
    };
    return cmocka_run_group_tests_name("scope", tests, set_up, tear_down);
}
