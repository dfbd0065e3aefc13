/* SPDX-License-Identifier: MIT */
/* aw_pool_run, on both pools: elsewhere, in order, with cancels before, during and after, and
 * without any thread. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "tests/runtime/leaf_script.h"

struct work {
    pthread_t thread;
    unsigned nap_us;
    sem_t *gate; /* waited for before the end; or NULL */
    atomic_int runs;
};

static sem_t gate;

static void do_work(void *arg)
{
    struct work *w = arg;
    w->thread = pthread_self();
    if (w->nap_us != 0)
        usleep(w->nap_us);
    while (w->gate != NULL && sem_wait(w->gate) != 0) {
    }
    w->runs++;
}

static void open_gate(void *arg)
{
    sem_post(arg);
}

static void test_it_runs_on_another_thread(void **state)
{
    (void)state;
    for (uint64_t which = AW_POOL_BLOCKING; which <= AW_POOL_COMPUTE; which++) {
        struct work w = {.nap_us = 100};
        struct step steps[] = {{.kind = POOL, .n = which, .call = do_work, .arg = &w},
                               {.kind = POOL, .n = which, .call = do_work, .arg = &w},
                               {.kind = END}};
        assert_int_equal(which ? run_with_room(steps) : run(steps), 0);
        assert_int_equal(w.runs, 2);
        assert_false(pthread_equal(w.thread, pthread_self()));
        assert_int_equal(steps[1].result, 0);
    }
}

static void test_other_tasks_run_meanwhile(void **state)
{
    (void)state;
    struct work slow = {.nap_us = 20000};
    aw_task *t;
    struct step other[] = {
        {.kind = SLEEP_US, .n = 100}, {.kind = SLEEP_US, .n = 100}, {.kind = END}};
    struct step steps[] = {{.kind = SPAWN, .script = other, .task = &t},
                           {.kind = POOL, .call = do_work, .arg = &slow},
                           {.kind = JOIN, .task = &t},
                           {.kind = END}};
    assert_int_equal(run(steps), 0);
    assert_int_equal(other[1].result, 0);
}

static void test_a_cancel_point_before_anything_runs(void **state)
{
    (void)state;
    struct work w = {0};
    struct step steps[] = {
        {.kind = CANCEL_SELF}, {.kind = POOL, .call = do_work, .arg = &w}, {.kind = END}};
    assert_int_equal(run(steps), -ECANCELED);
    assert_int_equal(w.runs, 0);
}

/* The call runs to its end, then the cancel lands at that await. */
static void test_a_cancel_waits_for_the_end(void **state)
{
    (void)state;
    struct work w = {.gate = &gate};
    aw_task *t;
    sem_init(&gate, 0, 0);
    struct step worker[] = {{.kind = POOL, .call = do_work, .arg = &w}, {.kind = END}};
    struct step steps[] = {{.kind = SPAWN, .script = worker, .task = &t},
                           {.kind = SLEEP_MS, .n = 1},
                           {.kind = CANCEL, .task = &t},
                           {.kind = CANCEL, .task = &t},
                           {.kind = SLEEP_US, .n = 100},
                           {.kind = CALL, .call = open_gate, .arg = &gate},
                           {.kind = JOIN, .task = &t},
                           {.kind = END}};
    assert_int_equal(run(steps), 0);
    sem_destroy(&gate);
    assert_int_equal(w.runs, 1);
    assert_int_equal(steps[6].result, AW_ECANCELED);
    assert_int_equal(worker[0].result, NOT_DONE);
}

static void test_a_queued_job_of_a_cancelled_task_still_runs(void **state)
{
    (void)state;
    aw_config config = AW_CONFIG_DEFAULT;
    config.max_blocking_threads = 1;
    aw_runtime *usual = rt;
    rt = aw_runtime_new(&config);
    assert_non_null(rt);
    struct work slow = {.gate = &gate}, queued = {0};
    sem_init(&gate, 0, 0);
    aw_task *first, *second;
    struct step one[] = {{.kind = POOL, .call = do_work, .arg = &slow}, {.kind = END}};
    struct step two[] = {{.kind = POOL, .call = do_work, .arg = &queued}, {.kind = END}};
    struct step steps[] = {{.kind = SPAWN, .script = one, .task = &first},
                           {.kind = SPAWN, .script = two, .task = &second},
                           {.kind = SLEEP_MS, .n = 1},
                           {.kind = CANCEL, .task = &second},
                           {.kind = SLEEP_US, .n = 100},
                           {.kind = CALL, .call = open_gate, .arg = &gate},
                           {.kind = JOIN, .task = &second},
                           {.kind = JOIN, .task = &first},
                           {.kind = END}};
    assert_int_equal(run(steps), 0);
    assert_int_equal(queued.runs, 1);
    assert_int_equal(steps[6].result, AW_ECANCELED);
    assert_int_equal(steps[7].result, 0);
    aw_runtime_free(rt);
    sem_destroy(&gate);
    rt = usual;
}

static void test_many_at_once(void **state)
{
    (void)state;
    enum { TASKS = 200 };
    static struct work works[TASKS];
    static struct step scripts[TASKS][3], joins[TASKS + 1];
    static aw_task *tasks[TASKS];
    for (size_t i = 0; i < TASKS; i++) {
        works[i].nap_us = i % 3 == 0 ? 200 : 0;
        scripts[i][0] = (struct step){.kind = POOL, .n = i % 2, .call = do_work, .arg = &works[i]};
        scripts[i][1] = scripts[i][0];
        scripts[i][2] = (struct step){.kind = END};
        tasks[i] = start_task(scripts[i]);
        joins[i] = (struct step){.kind = JOIN, .task = &tasks[i]};
    }
    joins[TASKS] = (struct step){.kind = END};
    assert_int_equal(run(joins), 0);
    for (size_t i = 0; i < TASKS; i++)
        assert_int_equal(works[i].runs, 2);
}

static void test_without_any_thread_it_runs_here(void **state)
{
    (void)state;
    aw_config config = AW_CONFIG_DEFAULT;
    config.thread_stack_size = SIZE_MAX / 2; /* no address space has room for it */
    aw_runtime *usual = rt;
    rt = aw_runtime_new(&config);
    assert_non_null(rt);
    struct work w = {0};
    struct step steps[] = {{.kind = POOL, .call = do_work, .arg = &w},
                           {.kind = POOL, .n = AW_POOL_COMPUTE, .call = do_work, .arg = &w},
                           {.kind = END}};
    assert_int_equal(run(steps), 0);
    assert_int_equal(w.runs, 2);
    assert_true(pthread_equal(w.thread, pthread_self()));
    aw_runtime_free(rt);
    rt = usual;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_runs_on_another_thread),
        cmocka_unit_test(test_other_tasks_run_meanwhile),
        cmocka_unit_test(test_a_cancel_point_before_anything_runs),
        cmocka_unit_test(test_a_cancel_waits_for_the_end),
        cmocka_unit_test(test_a_queued_job_of_a_cancelled_task_still_runs),
        cmocka_unit_test(test_many_at_once),
        cmocka_unit_test(test_without_any_thread_it_runs_here),
    };
    alarm(60);
    return cmocka_run_group_tests_name("pool_leaf", tests, script_set_up, script_tear_down);
}
