/* SPDX-License-Identifier: MIT */
/* The pools: order, growth and shrinking, limits, hooks, names, stacks, many submitters, and a
 * system that gives no threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime/blocking/blocking_pool.h"

#define MS UINT64_C(1000000)

struct task {
    struct awi_job job;
    int number;
};

static sem_t started, may_end, ended;
static atomic_int hooks_started, hooks_stopped, running, most_running;
static int order[64];
static atomic_int order_count;

static void wait_sem(sem_t *sem)
{
    while (sem_wait(sem) != 0) {
    }
}

static int setup(void **state)
{
    (void)state;
    sem_init(&started, 0, 0);
    sem_init(&may_end, 0, 0);
    sem_init(&ended, 0, 0);
    order_count = hooks_started = hooks_stopped = running = most_running = 0;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    sem_destroy(&started);
    sem_destroy(&may_end);
    sem_destroy(&ended);
    return 0;
}

static awi_pool *make_pool(unsigned max_threads, uint64_t keep_alive_ns)
{
    awi_pool *pool = NULL;
    struct awi_pool_config config = {.max_threads = max_threads, .keep_alive_ns = keep_alive_ns};
    assert_int_equal(awi_pool_create(&config, &pool), 0);
    return pool;
}

static void note_order(struct awi_job *job)
{
    struct task *t = (struct task *)job;
    order[order_count++] = t->number;
    sem_post(&ended);
}

static void hold(struct awi_job *job)
{
    (void)job;
    int now = ++running;
    int most = most_running;
    while (now > most && !atomic_compare_exchange_weak(&most_running, &most, now)) {
    }
    sem_post(&started);
    wait_sem(&may_end);
    running--;
    sem_post(&ended);
}

static void test_a_pool_that_is_never_asked(void **state)
{
    (void)state;
    awi_pool *pool = make_pool(4, MS);
    assert_int_equal(awi_pool_thread_count(pool), 0);
    awi_pool_destroy(&pool);
    assert_null(pool);
    awi_pool_destroy(&pool);
}

static void test_one_thread_runs_first_in_first_out(void **state)
{
    struct task t[50];
    (void)state;
    awi_pool *pool = make_pool(1, UINT64_MAX);
    for (int i = 0; i < 50; i++) {
        t[i] = (struct task){.job.run = note_order, .number = i};
        assert_int_equal(awi_pool_submit(pool, &t[i].job), 0);
    }
    for (int i = 0; i < 50; i++)
        wait_sem(&ended);
    assert_int_equal(awi_pool_thread_count(pool), 1);
    awi_pool_destroy(&pool);
    for (int i = 0; i < 50; i++)
        assert_int_equal(order[i], i);
}

static void test_it_grows_to_its_limit_and_not_beyond(void **state)
{
    struct awi_job jobs[6];
    (void)state;
    awi_pool *pool = make_pool(3, UINT64_MAX);
    for (int i = 0; i < 6; i++) {
        jobs[i] = (struct awi_job){.run = hold};
        assert_int_equal(awi_pool_submit(pool, &jobs[i]), 0);
    }
    for (int i = 0; i < 3; i++)
        wait_sem(&started);
    assert_int_equal(awi_pool_thread_count(pool), 3);
    for (int i = 0; i < 6; i++)
        sem_post(&may_end);
    for (int i = 0; i < 6; i++)
        wait_sem(&ended);
    assert_int_equal(most_running, 3);
    awi_pool_destroy(&pool);
}

static void test_an_idle_thread_is_used_again(void **state)
{
    struct task t = {.job.run = note_order};
    (void)state;
    awi_pool *pool = make_pool(8, UINT64_MAX);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(awi_pool_submit(pool, &t.job), 0);
        wait_sem(&ended);
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL); /* let it become idle */
    }
    assert_true(awi_pool_thread_count(pool) < 8); /* 1, on an idle machine */
    awi_pool_destroy(&pool);
}

static void test_idle_threads_end_and_come_back(void **state)
{
    struct task t = {.job.run = note_order};
    (void)state;
    awi_pool *pool = make_pool(8, 5 * MS);
    for (int round = 0; round < 3; round++) {
        assert_int_equal(awi_pool_submit(pool, &t.job), 0);
        wait_sem(&ended);
        for (int i = 0; i < 1000 && awi_pool_thread_count(pool) != 0; i++)
            nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
        assert_int_equal(awi_pool_thread_count(pool), 0);
    }
    awi_pool_destroy(&pool);
}

static void test_no_keep_alive_loses_no_job(void **state)
{
    struct task t[40];
    (void)state;
    awi_pool *pool = make_pool(2, 0);
    for (int i = 0; i < 40; i++) {
        t[i] = (struct task){.job.run = note_order, .number = i};
        assert_int_equal(awi_pool_submit(pool, &t[i].job), 0);
        if (i % 5 == 0)
            nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    }
    for (int i = 0; i < 40; i++)
        wait_sem(&ended);
    awi_pool_destroy(&pool);
}

static void test_destroy_runs_what_is_queued(void **state)
{
    struct task t[30];
    (void)state;
    awi_pool *pool = make_pool(1, UINT64_MAX);
    for (int i = 0; i < 30; i++) {
        t[i] = (struct task){.job.run = note_order, .number = i};
        assert_int_equal(awi_pool_submit(pool, &t[i].job), 0);
    }
    awi_pool_destroy(&pool);
    assert_int_equal(order_count, 30);
}

static void hook_start(void)
{
    hooks_started++;
}

static void hook_stop(void)
{
    hooks_stopped++;
}

static char seen_name[16];
static size_t seen_stack;

static void look_at_thread(struct awi_job *job)
{
    pthread_attr_t attr;
    (void)job;
    assert_true(hooks_started >= 1);
    pthread_getname_np(pthread_self(), seen_name, sizeof seen_name);
    pthread_getattr_np(pthread_self(), &attr);
    pthread_attr_getstacksize(&attr, &seen_stack);
    pthread_attr_destroy(&attr);
    sem_post(&ended);
}

static void test_hooks_name_and_stack_size(void **state)
{
    static const size_t sizes[] = {300001, 1};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        awi_pool *pool;
        struct awi_pool_config config = {.max_threads = 1,
                                         .keep_alive_ns = UINT64_MAX,
                                         .thread_name = "a-name-that-is-too-long",
                                         .thread_stack_size = sizes[i],
                                         .on_thread_start = hook_start,
                                         .on_thread_stop = hook_stop};
        struct awi_job job = {.run = look_at_thread};
        assert_int_equal(awi_pool_create(&config, &pool), 0);
        assert_int_equal(awi_pool_submit(pool, &job), 0);
        wait_sem(&ended);
        awi_pool_destroy(&pool);
        assert_string_equal(seen_name, "a-name-that-is-");
        assert_true(seen_stack >= sizes[i] && seen_stack < 1000000);
    }
    assert_int_equal(hooks_started, 2);
    assert_int_equal(hooks_stopped, 2);
}

/* ---- several submitters -------------------------------------------------------------------- */

enum { SUBMITTERS = 4, JOBS_EACH = 500 };

static atomic_int counted;

static void count(struct awi_job *job)
{
    counted++;
    free(job);
}

static void *submit_many(void *arg)
{
    for (int i = 0; i < JOBS_EACH; i++) {
        struct awi_job *job = calloc(1, sizeof *job);
        job->run = count;
        if (awi_pool_submit(arg, job) != 0)
            count(job);
    }
    return NULL;
}

static void test_many_submitters(void **state)
{
    pthread_t threads[SUBMITTERS];
    (void)state;
    for (int round = 0; round < 2; round++) {
        counted = 0;
        awi_pool *pool = make_pool(3, round == 0 ? 0 : UINT64_MAX);
        for (size_t i = 0; i < SUBMITTERS; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, submit_many, pool), 0);
        for (size_t i = 0; i < SUBMITTERS; i++)
            pthread_join(threads[i], NULL);
        awi_pool_destroy(&pool);
        assert_int_equal(counted, SUBMITTERS * JOBS_EACH);
    }
}

/* ---- no threads to be had ------------------------------------------------------------------ */

/* A stack that no address space has room for. */
static void test_without_any_thread_the_job_comes_back(void **state)
{
    awi_pool *pool;
    struct task t = {.job.run = note_order};
    struct awi_pool_config config = {.max_threads = 2, .thread_stack_size = SIZE_MAX / 2};
    (void)state;
    assert_int_equal(awi_pool_create(&config, &pool), 0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(awi_pool_submit(pool, &t.job), -EAGAIN);
    config.thread_stack_size = SIZE_MAX;
    awi_pool_destroy(&pool);
    assert_int_equal(awi_pool_create(&config, &pool), 0);
    /* NOLINTNEXTLINE(awaitc-escaping-local): the pool refuses it */
    assert_int_equal(awi_pool_submit(pool, &t.job), -EAGAIN);
    assert_int_equal(order_count, 0);
    awi_pool_destroy(&pool);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(test_a_pool_that_is_never_asked),
        CASE(test_one_thread_runs_first_in_first_out),
        CASE(test_it_grows_to_its_limit_and_not_beyond),
        CASE(test_an_idle_thread_is_used_again),
        CASE(test_idle_threads_end_and_come_back),
        CASE(test_no_keep_alive_loses_no_job),
        CASE(test_destroy_runs_what_is_queued),
        CASE(test_hooks_name_and_stack_size),
        CASE(test_many_submitters),
        CASE(test_without_any_thread_the_job_comes_back),
    };
#undef CASE
    return cmocka_run_group_tests(tests, NULL, NULL);
}
