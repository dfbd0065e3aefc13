/* SPDX-License-Identifier: MIT */
/* Sleeps: never early, in order, cancelled at once, at nothing. */
#include "tests/runtime/leaf_script.h"

static void test_a_sleep_is_never_early(void **state)
{
    (void)state;
    static const struct {
        enum step_kind kind;
        uint64_t n, ns;
    } sleeps[] = {{SLEEP_NS, 50000, 50000}, {SLEEP_US, 300, 300000}, {SLEEP_MS, 3, 3000000}};
    for (size_t i = 0; i < 3; i++) {
        struct step steps[] = {{.kind = sleeps[i].kind, .n = sleeps[i].n}, {.kind = END}};
        uint64_t start_ns = clock_ns();
        assert_int_equal(i == 0 ? run_with_room(steps) : run(steps), 0);
        assert_true(clock_ns() - start_ns >= sleeps[i].ns);
        assert_int_equal(steps[0].result, 0);
    }
}

static void test_sleep_until(void **state)
{
    (void)state;
    uint64_t at_ns = clock_ns() + 1000000;
    struct step steps[] = {{.kind = SLEEP_UNTIL, .n = at_ns}, {.kind = END}};
    assert_int_equal(run(steps), 0);
    assert_true(clock_ns() >= at_ns);
}

static int turns;

static void count_turn(void *arg)
{
    (void)arg;
    turns++;
}

/* A time that has passed yields nothing: the other task has no turn meanwhile. */
static void test_a_time_that_has_passed_returns_at_once(void **state)
{
    (void)state;
    aw_task *other;
    struct step counter[] = {{.kind = CALL, .call = count_turn}, {.kind = END}};
    struct step steps[] = {{.kind = SPAWN, .script = counter, .task = &other},
                           {.kind = SLEEP_NS, .n = 0},
                           {.kind = SLEEP_UNTIL, .n = 5},
                           {.kind = CALL, .call = count_turn},
                           {.kind = SLEEP_MS, .n = 0},
                           {.kind = JOIN, .task = &other},
                           {.kind = END}};
    turns = 0;
    assert_int_equal(run(steps), 0);
    assert_int_equal(turns, 2);
}

static void test_a_cancelled_sleep_leaves_at_once(void **state)
{
    (void)state;
    aw_task *t;
    struct step sleeper[] = {{.kind = SLEEP_MS, .n = UINT64_MAX}, {.kind = END}};
    struct step steps[] = {{.kind = SPAWN, .script = sleeper, .task = &t},
                           {.kind = SLEEP_MS, .n = 1},
                           {.kind = CANCEL, .task = &t},
                           {.kind = JOIN, .task = &t},
                           {.kind = END}};
    assert_int_equal(run(steps), 0);
    assert_int_equal(steps[3].result, AW_ECANCELED);
    assert_int_equal(sleeper[0].result, NOT_DONE);
}

static void test_a_sleep_is_a_cancel_point_even_if_its_time_has_passed(void **state)
{
    (void)state;
    static const enum step_kind kinds[] = {SLEEP_NS, SLEEP_US, SLEEP_MS, SLEEP_UNTIL};
    for (size_t i = 0; i < 4; i++) {
        struct step steps[] = {{.kind = CANCEL_SELF}, {.kind = kinds[i]}, {.kind = END}};
        assert_int_equal(run(steps), -ECANCELED);
        assert_int_equal(steps[1].result, NOT_DONE);
    }
}

enum { SLEEPERS = 200 };

static int order[SLEEPERS], ordered;

static void note_order(void *arg)
{
    order[ordered++] = *(int *)arg;
}

static void test_many_wake_in_the_order_of_their_times(void **state)
{
    (void)state;
    static struct step sleepers[SLEEPERS][3], joins[SLEEPERS + 1];
    static aw_task *tasks[SLEEPERS];
    static int numbers[SLEEPERS];
    uint64_t base_ns = clock_ns() + 20000000;
    ordered = 0;
    for (int i = 0; i < SLEEPERS; i++) {
        int rank = i * 37 % SLEEPERS; /* 37 and 200 have no common factor */
        numbers[i] = rank;
        sleepers[i][0] = (struct step){.kind = SLEEP_UNTIL, .n = base_ns + (uint64_t)rank * 1000};
        sleepers[i][1] = (struct step){.kind = CALL, .call = note_order, .arg = &numbers[i]};
        sleepers[i][2] = (struct step){.kind = END};
        tasks[i] = start_task(sleepers[i]);
        joins[i] = (struct step){.kind = JOIN, .task = &tasks[i]};
    }
    joins[SLEEPERS] = (struct step){.kind = END};
    assert_int_equal(run(joins), 0);
    for (int i = 0; i < SLEEPERS; i++)
        assert_int_equal(order[i], i);
}

/* On an idle machine a sleep ends within 100 us of its time; of a busy one only the best is asked.
 */
static void test_a_sleep_is_not_late(void **state)
{
    (void)state;
    uint64_t best_ns = UINT64_MAX;
    for (int i = 0; i < 30; i++) {
        struct step steps[] = {{.kind = SLEEP_US, .n = 50}, {.kind = END}};
        uint64_t start_ns = clock_ns();
        assert_int_equal(run(steps), 0);
        uint64_t took_ns = clock_ns() - start_ns;
        if (took_ns < best_ns)
            best_ns = took_ns;
    }
    assert_true(best_ns < 50000 + 1000000);
    print_message("a sleep of 50 us took %u ns at best\n", (unsigned)best_ns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_sleep_is_never_early),
        cmocka_unit_test(test_sleep_until),
        cmocka_unit_test(test_a_time_that_has_passed_returns_at_once),
        cmocka_unit_test(test_a_cancelled_sleep_leaves_at_once),
        cmocka_unit_test(test_a_sleep_is_a_cancel_point_even_if_its_time_has_passed),
        cmocka_unit_test(test_many_wake_in_the_order_of_their_times),
        cmocka_unit_test(test_a_sleep_is_not_late),
    };
    return cmocka_run_group_tests_name("sleep", tests, script_set_up, script_tear_down);
}
