/* SPDX-License-Identifier: MIT */
/* Tasks: spawn, join, detach, cancel, and what the language's table of cases says of them. */
#include "tests/runtime/lowered_by_hand.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/sys/sys_alloc.h"

/* Spawns yields(arg), joins it, returns 100 + its result. */
struct joins__frame {
    aw_frame head;
    intptr_t arg;
    int result, rc;
};
ASYNC_INT(joins, NEED(joins, 64))
static const aw_site joins__sites[] = {SITE(joins, 0, 0), SITE(joins, 1, 0)};

static int joins__poll(aw_cx *c, struct joins__frame *f, unsigned st, intptr_t arg)
{
    aw_task *t;
    switch (st) {
    case 0:
        t = SPAWN(yields, arg);
        assert_non_null(t);
        assert_string_equal(aw_task_name(t), "yields");
        f->result = 0;
        AWAIT_INT(joins, 1, f->rc, aw_join(c, f + 1, t, &f->result));
    }
    assert_int_equal(f->rc, 0);
    return 100 + f->result;
}

static void block_on_returns_the_result(void **state)
{
    (void)state;
    int out = -1;
    errno = 7;
    assert_int_equal(BLOCK_ON(rt, yields, 0, &out), 0);
    assert_int_equal(errno, 0);
    assert_int_equal(out, 0);
    assert_int_equal(BLOCK_ON(rt, yields, 7, &out), 0);
    assert_int_equal(out, 7);
    assert_int_equal(BLOCK_ON(NULL, yields, 7, &out), 0);
    assert_int_equal(BLOCK_ON(NULL, yields, 7, NULL), 0);
}

static void join_gives_the_result(void **state)
{
    (void)state;
    int out = -1;
    assert_int_equal(BLOCK_ON(rt, joins, 3, &out), 0);
    assert_int_equal(out, 103);
    assert_int_equal(BLOCK_ON(rt, joins, 0, &out), 0);
    assert_int_equal(out, 100);
}

/* ---- many cases in one function: `arg` says which ------------------------------------------ */

enum {
    JOIN_NULL,
    CANCEL_BEFORE_FIRST_RUN,
    CANCEL_PARKED,
    CANCEL_TWICE,
    CANCEL_AFTER_END,
    JOIN_AFTER_END,
    DETACH,
    CANCEL_DETACHED
};

struct cases__frame {
    aw_frame head;
    intptr_t arg;
    aw_task *t;
    int result, rc;
};
ASYNC_INT(cases, NEED(cases, 64))
static const aw_site cases__sites[] = {SITE(cases, 0, 0), SITE(cases, 1, 0), SITE(cases, 2, 0)};

static int cases__poll(aw_cx *c, struct cases__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        f->arg = arg;
        f->result = 55;
        f->t = arg == JOIN_NULL ? NULL : SPAWN(holds, 1);
        if (arg == CANCEL_AFTER_END || arg == JOIN_AFTER_END) {
            aw_cancel(f->t);
            aw_detach(f->t);
            f->t = SPAWN(yields, 0);
        }
        if (arg == DETACH)
            aw_detach(f->t);
        if (arg != CANCEL_BEFORE_FIRST_RUN && arg != JOIN_NULL)
            AWAIT(cases, 1, aw_yield(c, f + 1));
        if (f->arg != JOIN_NULL && f->arg != JOIN_AFTER_END && f->arg != DETACH)
            aw_cancel(f->t);
        if (f->arg == CANCEL_TWICE)
            aw_cancel(f->t);
        if (f->arg == CANCEL_DETACHED)
            aw_detach(f->t);
        if (f->arg == DETACH || f->arg == CANCEL_DETACHED)
            return 0;
        AWAIT_INT(cases, 2, f->rc, aw_join(c, f + 1, f->t, &f->result));
    }
    say("rc %d result %d", f->rc, f->result);
    return f->rc;
}

static void expect(int which, int value, const char *log)
{
    int out = 1;
    log_reset();
    assert_int_equal(BLOCK_ON(rt, cases, which, &out), 0);
    assert_string_equal(test_log, log);
    assert_int_equal(out, value);
}

static void join_of_null_is_einval(void **state)
{
    (void)state;
    expect(JOIN_NULL, -EINVAL, "rc -22 result 55");
}

static void cancelled_before_its_first_run_it_never_runs(void **state)
{
    (void)state;
    expect(CANCEL_BEFORE_FIRST_RUN, AW_ECANCELED, "rc -125 result 55");
}

static void cancel_runs_clean_ups(void **state)
{
    (void)state;
    expect(CANCEL_PARKED, AW_ECANCELED, "+1 -1 rc -125 result 55");
    expect(CANCEL_TWICE, AW_ECANCELED, "+1 -1 rc -125 result 55");
}

static void cancel_after_the_end_does_nothing(void **state)
{
    (void)state;
    expect(CANCEL_AFTER_END, 0, "rc 0 result 0");
    expect(JOIN_AFTER_END, 0, "rc 0 result 0");
}

static void detached_tasks_run_on(void **state)
{
    (void)state;
    aw_runtime *own = aw_runtime_new(NULL);
    aw_runtime *kept = rt;
    rt = own;
    expect(DETACH, 0, "+1 ");
    int out;
    BLOCK_ON(rt, yields, 3, &out);
    assert_string_equal(test_log, "+1 ");
    aw_runtime_free(own); /* cancels what still runs */
    assert_string_equal(test_log, "+1 -1 ");
    rt = kept;
    expect(CANCEL_DETACHED, 0, "+1 ");
    BLOCK_ON(rt, yields, 3, &out);
    assert_string_equal(test_log, "+1 -1 ");
}

static void null_handles_are_allowed(void **state)
{
    (void)state;
    aw_cancel(NULL);
    aw_detach(NULL);
    aw_runtime_free(NULL);
    assert_non_null(aw_task_name(NULL));
    assert_null(aw_task_self());
}

/* ---- nested clean-ups, cancelled by itself -------------------------------------------------- */

/* outer(arg): holds 9, awaits inner, which holds 8 and cancels its own task, then yields. */
struct inner__frame {
    aw_frame head;
    intptr_t arg;
};
ASYNC_INT(inner, NEED(inner, AW_LEAF_ROOM))
static const aw_site inner__sites[] = {SITE(inner, 0, 0), SITE(inner, 1, AW_SITE_CLEAN)};

static int inner__poll(aw_cx *c, struct inner__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        f->arg = arg;
        say("+8 ");
        aw_cancel(aw_task_self());
        say("on ");
        AWAIT(inner, 1, aw_yield(c, f + 1));
        say("wrong ");
        break;
    case 1 | AW_CANCEL:
        break;
    }
    say("-8 ");
    return 1;
}

struct outer__frame {
    aw_frame head;
    intptr_t arg;
    int v;
};
ASYNC_INT(outer, NEED(outer, inner__need))
static const aw_site outer__sites[] = {SITE(outer, 0, 0), SITE(outer, 1, AW_SITE_CLEAN)};

static int outer__poll(aw_cx *c, struct outer__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        f->arg = arg;
        say("+9 ");
        AWAIT_INT(outer, 1, f->v, inner__poll(c, (void *)(f + 1), 0, 0));
        break;
    case 1 | AW_CANCEL:
        break;
    }
    say("-9 ");
    return 1;
}

static void block_on_of_a_cancelled_call_is_zero(void **state)
{
    (void)state;
    int out = 77;
    log_reset();
    errno = 0;
    assert_int_equal(BLOCK_ON(rt, outer, 0, &out), -ECANCELED);
    assert_int_equal(errno, ECANCELED);
    assert_int_equal(out, 0);
    assert_string_equal(test_log, "+9 +8 on -8 -9 ");
}

/* ---- a joiner is cancelled ------------------------------------------------------------------ */

struct joiner__frame {
    aw_frame head;
    intptr_t arg;
    int rc;
};
ASYNC_INT(joiner, NEED(joiner, 64))
static const aw_site joiner__sites[] = {SITE(joiner, 0, 0), SITE(joiner, 1, AW_SITE_CLEAN)};

static int joiner__poll(aw_cx *c, struct joiner__frame *f, unsigned st, intptr_t arg)
{
    aw_task *t;
    switch (st) {
    case 0:
        f->arg = arg;
        t = SPAWN(holds, 1);
        if (arg == 2)
            aw_cancel(aw_task_self());
        AWAIT_INT(joiner, 1, f->rc, aw_join(c, f + 1, t, NULL));
        say("went on %d ", f->rc);
        break;
    case 1 | AW_CANCEL:
        break;
    }
    say("joiner left ");
    return f->rc;
}

struct watcher__frame {
    aw_frame head;
    intptr_t arg;
    aw_task *t;
    int rc;
};
ASYNC_INT(watcher, NEED(watcher, 64))
static const aw_site watcher__sites[] = {SITE(watcher, 0, 0), SITE(watcher, 1, 0),
                                         SITE(watcher, 2, 0), SITE(watcher, 3, 0)};

static int watcher__poll(aw_cx *c, struct watcher__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        f->t = SPAWN(joiner, arg);
        AWAIT(watcher, 1, aw_yield(c, f + 1));
        AWAIT(watcher, 2, aw_yield(c, f + 1));
        aw_cancel(f->t);
        AWAIT_INT(watcher, 3, f->rc, aw_join(c, f + 1, f->t, NULL));
    }
    return f->rc;
}

static void a_cancelled_joiner_cancels_and_waits(void **state)
{
    (void)state;
    int out = 0;
    log_reset();
    assert_int_equal(BLOCK_ON(rt, watcher, 0, &out), 0);
    assert_int_equal(out, AW_ECANCELED);
    assert_string_equal(test_log, "+1 -1 joiner left ");
    log_reset();
    assert_int_equal(BLOCK_ON(rt, watcher, 2, &out), 0);
    assert_int_equal(out, AW_ECANCELED);
    assert_string_equal(test_log, "joiner left "); /* the task never ran */
}

/* ---- limits --------------------------------------------------------------------------------- */

/* Spawns until it is refused; returns how many; joins them all. */
struct fills__frame {
    aw_frame head;
    intptr_t arg;
    aw_task *t[8];
    int i, n, rc;
};
ASYNC_INT(fills, NEED(fills, 64))
static const aw_site fills__sites[] = {SITE(fills, 0, 0), SITE(fills, 1, 0)};

static int fills__poll(aw_cx *c, struct fills__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        f->arg = arg;
        for (f->n = 0; f->n < 8; f->n++) {
            errno = 0;
            f->t[f->n] = SPAWN(yields, 1);
            if (f->t[f->n] == NULL)
                break;
        }
        assert_int_equal(errno, f->n < 8 ? EAGAIN : 0);
        for (f->i = 0; f->i < f->n; f->i++)
            AWAIT_INT(fills, 1, f->rc, aw_join(c, f + 1, f->t[f->i], NULL));
    }
    return f->n;
}

static void max_tasks_refuses(void **state)
{
    (void)state;
    aw_config config = AW_CONFIG_DEFAULT;
    config.max_tasks = 3;
    aw_runtime *own = aw_runtime_new(&config);
    int out = 0;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(BLOCK_ON(own, fills, 0, &out), 0);
        assert_int_equal(out, 3);
    }
    aw_runtime_free(own);
    assert_int_equal(BLOCK_ON(rt, fills, 0, &out), 0);
    assert_int_equal(out, 8);
}

static bool refuse(size_t bytes)
{
    (void)bytes;
    return false;
}

static void no_memory_is_enomem(void **state)
{
    (void)state;
    aw_spawn_site large = yields__spawn;
    large.need_bytes = 12000; /* a size that no test has used: nothing to recycle */
    int out = 77;
    awi_alloc_hook = refuse;
    errno = 0;
    assert_null(aw_spawn_task(rt, &large, &(intptr_t){0}));
    assert_int_equal(errno, ENOMEM);
    assert_int_equal(aw_block_on_site(rt, &large, &(intptr_t){0}, &out), -ENOMEM);
    assert_int_equal(errno, ENOMEM);
    assert_int_equal(out, 0);
    assert_null(aw_runtime_new(NULL));
    assert_int_equal(errno, ENOMEM);
    awi_alloc_hook = NULL;
    large.need_bytes = 1 << 20; /* a first room of its own */
    assert_int_equal(aw_block_on_site(rt, &large, &(intptr_t){5}, &out), 0);
    assert_int_equal(out, 5);
}

static size_t allocations;

static bool count_allocation(size_t bytes)
{
    (void)bytes;
    allocations++;
    return true;
}

static void task_memory_is_recycled(void **state)
{
    (void)state;
    int out;
    BLOCK_ON(rt, joins, 1, &out);
    allocations = 0;
    awi_alloc_hook = count_allocation;
    for (int i = 0; i < 1000; i++)
        BLOCK_ON(rt, joins, 1, &out);
    awi_alloc_hook = NULL;
    assert_int_equal(allocations, 0);
}

/* ---- other threads -------------------------------------------------------------------------- */

static void plain_code_has_no_runtime(void **state)
{
    (void)state;
    errno = 0;
    assert_null(SPAWN(yields, 0));
    assert_int_equal(errno, ENODEV);
    aw_task *t = aw_spawn_task(rt, &yields__spawn, &(intptr_t){3});
    assert_non_null(t);
    int out;
    BLOCK_ON(rt, yields, 10, &out);
    aw_detach(t);
}

static void *blocks_on(void *arg)
{
    int *sum = arg;
    for (int i = 0; i < 200; i++) {
        int out = 0;
        assert_int_equal(BLOCK_ON(rt, joins, i % 5, &out), 0);
        *sum += out;
    }
    return NULL;
}

static void threads_share_a_runtime(void **state)
{
    (void)state;
    pthread_t thread[3];
    int sum[3] = {0};
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, blocks_on, &sum[i]);
    for (int i = 0; i < 3; i++) {
        pthread_join(thread[i], NULL);
        assert_int_equal(sum[i], 200 * 102);
    }
}

/* A task of `rt` joins tasks of a runtime that another thread drives. */
static aw_runtime *other;
static _Atomic int other_over;

struct idles__frame {
    aw_frame head;
    intptr_t arg;
};
ASYNC_INT(idles, NEED(idles, AW_LEAF_ROOM))
static const aw_site idles__sites[] = {SITE(idles, 0, 0), SITE(idles, 1, 0)};

static int idles__poll(aw_cx *c, struct idles__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        (void)arg;
        while (!atomic_load(&other_over))
            AWAIT(idles, 1, aw_yield(c, f + 1));
    }
    return 0;
}

static void *drives_other(void *arg)
{
    (void)arg;
    int out;
    BLOCK_ON(other, idles, 0, &out);
    return NULL;
}

struct abroad__frame {
    aw_frame head;
    intptr_t arg;
    aw_task *t;
    int i, rc, v;
};
ASYNC_INT(abroad, NEED(abroad, 64))
static const aw_site abroad__sites[] = {SITE(abroad, 0, 0), SITE(abroad, 1, 0)};

static int abroad__poll(aw_cx *c, struct abroad__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        f->arg = arg;
        for (f->i = 0; f->i < f->arg; f->i++) {
            f->v = -1;
            f->t = f->i % 3 == 2 ? aw_spawn_task(other, &parks__spawn, &(intptr_t){1})
                                 : aw_spawn_task(other, &yields__spawn, &(intptr_t){f->i % 4});
            if (f->i % 3 == 2)
                aw_cancel(f->t);
            AWAIT_INT(abroad, 1, f->rc, aw_join(c, f + 1, f->t, &f->v));
            assert_int_equal(f->rc, f->i % 3 == 2 ? AW_ECANCELED : 0);
            assert_int_equal(f->v, f->i % 3 == 2 ? -1 : f->i % 4);
        }
    }
    return f->i;
}

static void joins_across_runtimes(void **state)
{
    (void)state;
    pthread_t thread;
    int out = 0;
    other = aw_runtime_new(NULL);
    atomic_store(&other_over, 0);
    pthread_create(&thread, NULL, drives_other, NULL);
    assert_int_equal(BLOCK_ON(rt, abroad, 500, &out), 0);
    assert_int_equal(out, 500);
    atomic_store(&other_over, 1);
    pthread_join(thread, NULL);
    aw_runtime_free(other);
}

/* Another thread cancels the task of an aw_block_on. */
static aw_task *_Atomic self_task;

struct victim__frame {
    aw_frame head;
    intptr_t arg;
};
ASYNC_INT(victim, NEED(victim, AW_LEAF_ROOM))
static const aw_site victim__sites[] = {SITE(victim, 0, 0), SITE(victim, 1, 0)};

static int victim__poll(aw_cx *c, struct victim__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        (void)arg;
        atomic_store(&self_task, aw_task_self());
        AWAIT(victim, 1, aw_park(c, f + 1));
    }
    return 1;
}

static void *cancels(void *arg)
{
    (void)arg;
    aw_task *t;
    while ((t = atomic_load(&self_task)) == NULL)
        usleep(100);
    usleep(2000);
    aw_cancel(t);
    return NULL;
}

static void another_thread_cancels(void **state)
{
    (void)state;
    pthread_t thread;
    int out = 5;
    pthread_create(&thread, NULL, cancels, NULL);
    assert_int_equal(BLOCK_ON(rt, victim, 0, &out), -ECANCELED);
    assert_int_equal(out, 0);
    pthread_join(thread, NULL);
}

struct blocks__frame {
    aw_frame head;
    intptr_t arg;
};
ASYNC_INT(blocks, NEED(blocks, AW_LEAF_ROOM))

static int blocks__poll(aw_cx *c, struct blocks__frame *f, unsigned st, intptr_t arg)
{
    int out = 0;
    (void)c;
    (void)f;
    (void)st;
    BLOCK_ON(NULL, yields, arg, &out);
    return out;
}

/* Runs `wrong` in a child process, which must write one line with `message` and abort. */
static void expect_abort(void (*wrong)(void), const char *message)
{
    int pipe_fds[2];
    assert_int_equal(pipe(pipe_fds), 0);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(pipe_fds[1], 2);
        wrong();
        _exit(0);
    }
    close(pipe_fds[1]);
    char text[512];
    ssize_t n = read(pipe_fds[0], text, sizeof text - 1);
    close(pipe_fds[0]);
    int status;
    waitpid(pid, &status, 0);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    assert_true(n > 0);
    text[n] = '\0';
    assert_non_null(strstr(text, message));
    assert_ptr_equal(strchr(text, '\n'), text + n - 1);
}

static void blocks_inside(void)
{
    int out;
    aw_runtime *own = aw_runtime_new(NULL);
    BLOCK_ON(own, blocks, 1, &out);
}

static void block_on_inside_a_task_aborts(void **state)
{
    (void)state;
    expect_abort(blocks_inside, "aw_block_on(yields(...)) inside a task");
}

#ifndef NDEBUG
static void detaches_twice(void)
{
    aw_runtime *own = aw_runtime_new(NULL);
    aw_task *t = aw_spawn_task(own, &yields__spawn, &(intptr_t){3});
    aw_detach(t);
    aw_detach(t);
}

static void handles_are_used_once(void **state)
{
    (void)state;
    expect_abort(detaches_twice, "aw_detach: the handle was joined or detached before");
}
#endif

/* ---- configurations ------------------------------------------------------------------------- */

static void runtimes_are_configured(void **state)
{
    (void)state;
    aw_config config = AW_CONFIG_DEFAULT;
    config.workers = 7;
    config.event_interval = 1;
    aw_runtime *own = aw_runtime_new(&config);
    assert_non_null(own);
    int out;
    assert_int_equal(BLOCK_ON(own, joins, 4, &out), 0);
    assert_int_equal(out, 104);
    aw_runtime_free(own);
    config.io_backend = 77;
    errno = 0;
    assert_null(aw_runtime_new(&config));
    assert_int_equal(errno, EINVAL);
}

static void main_runs_on_the_default_runtime(void **state)
{
    (void)state;
    assert_int_equal(aw_main_site(&joins__spawn, &(intptr_t){2}), 102);
    log_reset();
    fprintf(stderr, "one line about a cancelled main is expected here:\n");
    assert_int_equal(aw_main_site(&outer__spawn, &(intptr_t){2}), 125);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_on_returns_the_result),
        cmocka_unit_test(join_gives_the_result),
        cmocka_unit_test(join_of_null_is_einval),
        cmocka_unit_test(cancelled_before_its_first_run_it_never_runs),
        cmocka_unit_test(cancel_runs_clean_ups),
        cmocka_unit_test(cancel_after_the_end_does_nothing),
        cmocka_unit_test(detached_tasks_run_on),
        cmocka_unit_test(null_handles_are_allowed),
        cmocka_unit_test(block_on_of_a_cancelled_call_is_zero),
        cmocka_unit_test(a_cancelled_joiner_cancels_and_waits),
        cmocka_unit_test(max_tasks_refuses),
        cmocka_unit_test(no_memory_is_enomem),
        cmocka_unit_test(task_memory_is_recycled),
        cmocka_unit_test(plain_code_has_no_runtime),
        cmocka_unit_test(threads_share_a_runtime),
        cmocka_unit_test(joins_across_runtimes),
        cmocka_unit_test(another_thread_cancels),
        cmocka_unit_test(block_on_inside_a_task_aborts),
#ifndef NDEBUG
        cmocka_unit_test(handles_are_used_once),
#endif
        cmocka_unit_test(runtimes_are_configured),
        cmocka_unit_test(main_runs_on_the_default_runtime),
    };
    return cmocka_run_group_tests_name("task", tests, set_up, tear_down);
}
