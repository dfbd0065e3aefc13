/* SPDX-License-Identifier: MIT */
/* The timing wheel: order, exactness, cancel, boundaries of levels, and random operations beside a
 * plain array. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "runtime/timer/timer_wheel.h"

enum { LOG_SIZE = 4096 };

static awi_wheel wheel;
static struct awi_timer *fired[LOG_SIZE];
static size_t fired_count;

static void note(struct awi_timer *timer)
{
    assert_false(awi_timer_armed(timer));
    assert_true(fired_count < LOG_SIZE);
    fired[fired_count++] = timer;
}

static void arm(struct awi_timer *timer, uint64_t at_ns)
{
    timer->at_ns = at_ns;
    timer->fire = note;
    awi_wheel_arm(&wheel, timer);
}

static void start_at(uint64_t now_ns)
{
    awi_wheel_init(&wheel, now_ns);
    fired_count = 0;
}

static void test_empty_wheel_never_expires(void **state)
{
    (void)state;
    start_at(123);
    assert_true(awi_wheel_next_ns(&wheel) == AWI_NEVER);
    assert_int_equal(awi_wheel_advance(&wheel, UINT64_MAX), 0);
    assert_true(awi_wheel_next_ns(&wheel) == AWI_NEVER);
}

static void test_fires_in_order_of_time_then_of_arming(void **state)
{
    struct awi_timer t[6] = {{0}};
    (void)state;
    start_at(1000);
    arm(&t[0], 5000000000);
    arm(&t[1], 5000000000);
    arm(&t[2], 4999999999);
    arm(&t[3], 1001);
    assert_int_equal(awi_wheel_advance(&wheel, 4999999900), 1);
    arm(&t[4], 5000000000); /* arrives at the same slot from nearer by */
    arm(&t[5], 70000000000);
    assert_int_equal(awi_wheel_advance(&wheel, UINT64_MAX), 5);
    struct awi_timer *want[] = {&t[3], &t[2], &t[0], &t[1], &t[4], &t[5]};
    for (size_t i = 0; i < 6; i++)
        assert_ptr_equal(fired[i], want[i]);
}

static void test_never_early_and_exact_on_every_level(void **state)
{
    (void)state;
    for (unsigned bit = 0; bit < 64; bit++) {
        for (int around = -1; around <= 1; around++) {
            struct awi_timer t = {0};
            uint64_t start = 12345678901234567u & ((UINT64_C(1) << bit) - 1);
            uint64_t at_ns = (UINT64_C(1) << bit) + (uint64_t)(int64_t)around;
            if (at_ns <= start)
                continue;
            start_at(start);
            arm(&t, at_ns);
            assert_true(awi_wheel_next_ns(&wheel) == at_ns);
            assert_int_equal(awi_wheel_advance(&wheel, at_ns - 1), 0);
            assert_true(awi_wheel_next_ns(&wheel) == at_ns);
            assert_int_equal(awi_wheel_advance(&wheel, at_ns), 1);
            assert_int_equal(wheel.count, 0);
        }
    }
}

static void test_the_far_future_and_never(void **state)
{
    struct awi_timer year = {0}, never = {0};
    (void)state;
    start_at(1);
    arm(&never, AWI_NEVER);
    arm(&year, UINT64_C(31536000000000000));
    assert_true(awi_wheel_next_ns(&wheel) == year.at_ns);
    assert_int_equal(awi_wheel_advance(&wheel, year.at_ns), 1);
    assert_int_equal(awi_wheel_advance(&wheel, UINT64_MAX - 1), 0);
    assert_true(awi_wheel_cancel(&wheel, &never));
    assert_true(awi_wheel_next_ns(&wheel) == AWI_NEVER);
}

static void test_a_time_that_has_passed_fires_at_once(void **state)
{
    struct awi_timer past = {0}, now = {0}, soon = {0};
    (void)state;
    start_at(1000000);
    arm(&soon, 1000001);
    arm(&now, 1000000);
    arm(&past, 5);
    assert_true(awi_wheel_next_ns(&wheel) <= 1000000);
    assert_int_equal(awi_wheel_advance(&wheel, 1000000), 2);
    assert_ptr_equal(fired[0], &now);
    assert_ptr_equal(fired[1], &past);
    assert_int_equal(awi_wheel_advance(&wheel, 999), 0); /* a clock that went back does nothing */
    assert_int_equal(awi_wheel_advance(&wheel, 1000001), 1);
}

static void test_cancel_in_every_position(void **state)
{
    (void)state;
    for (unsigned mask = 0; mask < 32; mask++) {
        struct awi_timer t[5] = {{0}};
        start_at(0);
        for (size_t i = 0; i < 5; i++)
            arm(&t[i], 1000000); /* one slot */
        for (size_t i = 0; i < 5; i++) {
            if (mask & 1u << i) {
                assert_true(awi_wheel_cancel(&wheel, &t[i]));
                assert_false(awi_wheel_cancel(&wheel, &t[i]));
            }
        }
        awi_wheel_advance(&wheel, 1000000);
        size_t k = 0;
        for (size_t i = 0; i < 5; i++) {
            if (!(mask & 1u << i))
                assert_ptr_equal(fired[k++], &t[i]);
        }
        assert_int_equal(fired_count, k);
        assert_int_equal(wheel.count, 0);
    }
}

/* A cancelled first timer may leave one early look, not more. */
static void test_next_is_exact_again_after_one_early_look(void **state)
{
    struct awi_timer first = {0}, second = {0}, third = {0};
    (void)state;
    start_at(0);
    arm(&second, 17000000);
    arm(&first, 16900000);
    arm(&third, 17000001);
    awi_wheel_cancel(&wheel, &first);
    uint64_t next_ns = awi_wheel_next_ns(&wheel);
    assert_true(next_ns <= 17000000);
    assert_int_equal(awi_wheel_advance(&wheel, next_ns), 0);
    assert_true(awi_wheel_next_ns(&wheel) == 17000000);
}

static void arm_again(struct awi_timer *timer)
{
    note(timer);
    if (fired_count < 10) {
        timer->at_ns += 100;
        awi_wheel_arm(&wheel, timer);
    }
}

static void test_a_timer_may_be_armed_again_as_it_fires(void **state)
{
    struct awi_timer t = {.at_ns = 100, .fire = arm_again};
    (void)state;
    start_at(0);
    awi_wheel_arm(&wheel, &t);
    assert_int_equal(awi_wheel_advance(&wheel, 550), 5);
    assert_int_equal(awi_wheel_advance(&wheel, 10000), 5);
}

/* ---- random operations ------------------------------------------------------------------- */

enum { MODEL_TIMERS = 300, MODEL_STEPS = 60000 };

struct model_timer {
    struct awi_timer timer;
    uint64_t order; /* of arming; 0: not armed */
};

static struct model_timer model[MODEL_TIMERS];
static uint64_t random_state = 88172645463325252u;

static uint64_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* The armed timer that must fire next; NULL if none is due. */
static struct model_timer *model_first(uint64_t now_ns)
{
    struct model_timer *first = NULL;
    for (size_t i = 0; i < MODEL_TIMERS; i++) {
        struct model_timer *m = &model[i];
        if (m->order == 0 || m->timer.at_ns > now_ns)
            continue;
        if (first == NULL || m->timer.at_ns < first->timer.at_ns ||
            (m->timer.at_ns == first->timer.at_ns && m->order < first->order))
            first = m;
    }
    return first;
}

static void model_advance(uint64_t now_ns)
{
    struct model_timer *next = model_first(UINT64_MAX);
    if (next != NULL)
        assert_true(awi_wheel_next_ns(&wheel) <= next->timer.at_ns);
    else
        assert_true(awi_wheel_next_ns(&wheel) == AWI_NEVER);
    for (;;) {
        struct model_timer *want = model_first(now_ns);
        struct awi_timer *got = awi_wheel_pop(&wheel, now_ns);
        assert_ptr_equal(got, want == NULL ? NULL : &want->timer);
        if (want == NULL)
            break;
        want->order = 0;
    }
    assert_true(wheel.elapsed_ns >= now_ns);
}

static void test_random_operations_agree_with_a_plain_array(void **state)
{
    (void)state;
    uint64_t now_ns = 7, order = 0;
    start_at(now_ns);
    for (int step = 0; step < MODEL_STEPS; step++) {
        struct model_timer *m = &model[next_random() % MODEL_TIMERS];
        uint64_t span = next_random() >> (next_random() % 63 + 1);
        switch (next_random() % 4) {
        case 0:
        case 1:
            if (m->order == 0) {
                m->timer.at_ns = now_ns + 1 + (span >> 4);
                m->timer.fire = note;
                m->order = ++order;
                awi_wheel_arm(&wheel, &m->timer);
            }
            break;
        case 2:
            assert_int_equal(awi_wheel_cancel(&wheel, &m->timer), m->order != 0);
            m->order = 0;
            break;
        default:
            if (now_ns < UINT64_MAX >> 4)
                now_ns += span >> 20;
            if (next_random() % 8 == 0 && awi_wheel_next_ns(&wheel) < UINT64_MAX >> 3)
                now_ns = awi_wheel_next_ns(&wheel);
            model_advance(now_ns);
        }
    }
    model_advance(UINT64_MAX);
    assert_int_equal(wheel.count, 0);
}

static void count_only(struct awi_timer *timer)
{
    (void)timer;
    fired_count++;
}

static void test_a_million_timers(void **state)
{
    enum { MILLION = 1000000 };
    struct awi_timer *t = calloc(MILLION, sizeof *t);
    (void)state;
    assert_non_null(t);
    start_at(0);
    for (size_t i = 0; i < MILLION; i++) {
        t[i].at_ns = next_random() % 10000000000u;
        t[i].fire = count_only;
        awi_wheel_arm(&wheel, &t[i]);
    }
    for (size_t i = 0; i < MILLION; i += 2)
        awi_wheel_cancel(&wheel, &t[i]);
    while (wheel.count != 0)
        awi_wheel_advance(&wheel, awi_wheel_next_ns(&wheel) + 1000000);
    assert_int_equal(fired_count, MILLION / 2);
    free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty_wheel_never_expires),
        cmocka_unit_test(test_fires_in_order_of_time_then_of_arming),
        cmocka_unit_test(test_never_early_and_exact_on_every_level),
        cmocka_unit_test(test_the_far_future_and_never),
        cmocka_unit_test(test_a_time_that_has_passed_fires_at_once),
        cmocka_unit_test(test_cancel_in_every_position),
        cmocka_unit_test(test_next_is_exact_again_after_one_early_look),
        cmocka_unit_test(test_a_timer_may_be_armed_again_as_it_fires),
        cmocka_unit_test(test_random_operations_agree_with_a_plain_array),
        cmocka_unit_test(test_a_million_timers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
