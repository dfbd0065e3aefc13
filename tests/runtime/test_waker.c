/* SPDX-License-Identifier: MIT */
/* Wakers: no wake is lost, none comes twice, none reaches the wrong task; from threads and from
 * signal handlers. */
#include "tests/runtime/lowered_by_hand.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <unistd.h>

/* ---- in one task ---------------------------------------------------------------------------- */

/* Wakes itself `arg` times, then parks once: must return at once; then must park. */
struct self__frame {
    aw_frame head;
    intptr_t arg;
    int i;
};
ASYNC_INT(self, NEED(self, AW_LEAF_ROOM))
static const aw_site self__sites[] = {SITE(self, 0, 0), SITE(self, 1, 0), SITE(self, 2, 0),
                                      SITE(self, 3, 0)};

static int self__poll(aw_cx *c, struct self__frame *f, unsigned st, intptr_t arg)
{
    aw_waker w;
    switch (st) {
    case 0:
        f->arg = arg;
        w = aw_waker_get();
        parks_waker = w;
        aw_wake(&w);
        aw_wake(&w);
        if (arg == 1) /* the wake is kept over other awaits */
            AWAIT(self, 1, aw_yield(c, f + 1));
        aw_park(c, f + 1);
        assert_null(c->pending);
        say("first ");
        AWAIT(self, 2, aw_park(c, f + 1));
    }
    say("second");
    return 0;
}

struct pokes__frame {
    aw_frame head;
    intptr_t arg;
    aw_task *t;
    int i, rc;
};
ASYNC_INT(pokes, NEED(pokes, 64))
static const aw_site pokes__sites[] = {SITE(pokes, 0, 0), SITE(pokes, 1, 0), SITE(pokes, 2, 0)};

static int pokes__poll(aw_cx *c, struct pokes__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        f->t = SPAWN(self, arg);
        for (f->i = 0; f->i < 10; f->i++)
            AWAIT(pokes, 1, aw_yield(c, f + 1));
        say("wake ");
        aw_wake(&parks_waker);
        AWAIT_INT(pokes, 2, f->rc, aw_join(c, f + 1, f->t, NULL));
    }
    return f->rc;
}

static void a_wake_before_the_park_is_kept(void **state)
{
    (void)state;
    int out;
    for (intptr_t i = 0; i < 2; i++) {
        log_reset();
        assert_int_equal(BLOCK_ON(rt, pokes, i, &out), 0);
        assert_string_equal(test_log, "first wake second");
    }
}

static _Atomic int has_waker;

/* A wake that is meant for a park must not end a sleep or a join. */
struct sleeps__frame {
    aw_frame head;
    intptr_t arg;
};
ASYNC_INT(sleeps, NEED(sleeps, 80))
static const aw_site sleeps__sites[] = {SITE(sleeps, 0, 0), SITE(sleeps, 1, 0)};

static int sleeps__poll(aw_cx *c, struct sleeps__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        f->arg = (intptr_t)aw_now();
        parks_waker = aw_waker_get();
        atomic_store(&has_waker, 1);
        AWAIT(sleeps, 1, aw_sleep_ms(c, f + 1, (uint64_t)arg));
        aw_park(c, f + 1);
        assert_null(c->pending); /* the wake came during the sleep */
    }
    return (int)((aw_now() - (uint64_t)f->arg) / 1000000);
}

static void *wakes_soon(void *arg)
{
    (void)arg;
    while (!atomic_load(&has_waker))
        sched_yield();
    usleep(5000);
    aw_wake(&parks_waker);
    return NULL;
}

static void a_wake_does_not_end_a_sleep(void **state)
{
    (void)state;
    pthread_t thread;
    int out = 0;
    atomic_store(&has_waker, 0);
    pthread_create(&thread, NULL, wakes_soon, NULL);
    assert_int_equal(BLOCK_ON(rt, sleeps, 30, &out), 0);
    assert_true(out >= 30);
    pthread_join(thread, NULL);
}

/* ---- from other threads --------------------------------------------------------------------- */

/* parks(n) and a thread that wakes it n times, one after the other. */
static _Atomic int parked_count;
static aw_waker shared_waker;

struct count__frame {
    aw_frame head;
    intptr_t arg;
    int i;
};
ASYNC_INT(count, NEED(count, AW_LEAF_ROOM))
static const aw_site count__sites[] = {SITE(count, 0, 0), SITE(count, 1, 0)};

static int count__poll(aw_cx *c, struct count__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        f->arg = arg;
        shared_waker = aw_waker_get();
        for (f->i = 0; f->i < f->arg; f->i++) {
            atomic_fetch_add(&parked_count, 1); /* from here on it may be woken */
            AWAIT(count, 1, aw_park(c, f + 1));
        }
        atomic_fetch_add(&parked_count, 1);
    }
    return (int)f->arg;
}

enum { WAKES = 3000 };

static void *wakes_each(void *arg)
{
    (void)arg;
    for (int i = 1; i <= WAKES; i++) {
        while (atomic_load(&parked_count) < i)
            sched_yield();
        aw_wake(&shared_waker);
    }
    return NULL;
}

static void threads_wake_one_after_the_other(void **state)
{
    (void)state;
    pthread_t thread;
    int out = 0;
    atomic_store(&parked_count, 0);
    pthread_create(&thread, NULL, wakes_each, NULL);
    assert_int_equal(BLOCK_ON(rt, count, WAKES, &out), 0);
    assert_int_equal(out, WAKES);
    pthread_join(thread, NULL);
    assert_int_equal(atomic_load(&parked_count), WAKES + 1);
}

/* Threads that wake all the time, old wakers too, also after the task, and the runtime, are gone.
 */
static _Atomic int storm_over;
static _Atomic uint64_t storm_waker[2];

static void *wakes_always(void *arg)
{
    (void)arg;
    while (!atomic_load(&storm_over)) {
        aw_waker w;
        uint64_t rest = atomic_load(&storm_waker[1]);
        w.task = (aw_task *)(uintptr_t)atomic_load(&storm_waker[0]);
        w.generation = (uint32_t)(rest >> 32);
        w.slot = (uint32_t)rest;
        aw_wake(&w);
        sched_yield();
    }
    return NULL;
}

/* A task that parks `arg` times in a branch of a race against a sleep, or itself. */
struct storm__frame {
    aw_frame head;
    intptr_t arg;
    int i;
};
ASYNC_INT(storm, NEED(storm, AW_LEAF_ROOM))
static const aw_site storm__sites[] = {SITE(storm, 0, 0), SITE(storm, 1, 0)};

static void publish_waker(void)
{
    aw_waker w = aw_waker_get();
    atomic_store(&storm_waker[0], (uint64_t)(uintptr_t)w.task);
    atomic_store(&storm_waker[1], (uint64_t)w.generation << 32 | w.slot);
}

static int storm__poll(aw_cx *c, struct storm__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        f->arg = arg;
        for (f->i = 0; f->i < f->arg; f->i++) {
            publish_waker();
            AWAIT(storm, 1, aw_park(c, f + 1));
        }
    }
    return f->i;
}

struct pair__frame {
    aw_frame head;
    intptr_t arg;
    aw_group *g;
    int out[2];
    int i;
    char room[AW_GROUP_NEED(2, (size_t)storm__need + yields__need)];
};
ASYNC_INT(pair, NEED(pair, 0))
static const aw_site pair__sites[] = {SITE(pair, 0, 0), SITE(pair, 1, 0)};

static int pair__poll(aw_cx *c, struct pair__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        f->arg = arg;
        for (f->i = 0; f->i < f->arg; f->i++) {
            f->g = aw_group_begin(c, f->room, AW_ALL, 2);
            if (f->g != NULL) {
                BRANCH(0, yields, f->i % 3, f->out[0]);
                BRANCH(1, storm, 2, f->out[1]);
            }
            if (f->g == NULL || aw_group_wait(f->g)) {
                AW_LINK(c, &f->head, &pair__sites[1]);
                return 0;
            case 1:;
            }
            LATE(1, f->out[1]);
            aw_group_end(f->g);
            assert_int_equal(f->out[1], 2);
        }
    }
    return 0;
}

static void stale_wakers_are_harmless(void **state)
{
    (void)state;
    pthread_t thread[2];
    int out;
    atomic_store(&storm_over, 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, wakes_always, NULL);
    for (int round = 0; round < 20; round++) {
        aw_runtime *own = aw_runtime_new(NULL);
        assert_int_equal(BLOCK_ON(own, storm, 10, &out), 0);
        assert_int_equal(BLOCK_ON(own, pair, 10, &out), 0);
        assert_int_equal(BLOCK_ON(own, yields, 10, &out), 0);
        aw_runtime_free(own);
    }
    usleep(1000);
    atomic_store(&storm_over, 1);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
}

/* ---- from a signal handler ------------------------------------------------------------------ */

static _Atomic int signals;
static int beats;

static void on_signal(int number)
{
    (void)number;
    atomic_fetch_add(&signals, 1);
    aw_wake(&shared_waker);
}

/* Parks until `arg` signals have come, each of which wakes it, on the very thread that runs it. */
struct signalled__frame {
    aw_frame head;
    intptr_t arg;
    int busy;
};
ASYNC_INT(signalled, NEED(signalled, AW_LEAF_ROOM))
static const aw_site signalled__sites[] = {SITE(signalled, 0, 0), SITE(signalled, 1, 0),
                                           SITE(signalled, 2, 0)};

static int signalled__poll(aw_cx *c, struct signalled__frame *f, unsigned st, intptr_t arg)
{
    struct itimerval every = {{0, 500}, {0, 500}};
    switch (st) {
    case 0:
        f->arg = arg;
        shared_waker = aw_waker_get();
        setitimer(ITIMER_REAL, &every, NULL);
        while (atomic_load(&signals) < f->arg) {
            AWAIT(signalled, 1, aw_park(c, f + 1));
            beats++;
            /* Sometimes the signal is to come while tasks are being switched. */
            for (f->busy = 0; f->busy < beats % 2 * 2000; f->busy++)
                AWAIT(signalled, 2, aw_yield(c, f + 1));
        }
    }
    memset(&every, 0, sizeof every);
    setitimer(ITIMER_REAL, &every, NULL);
    return beats;
}

static void signal_handlers_wake(void **state)
{
    (void)state;
    struct sigaction act = {.sa_handler = on_signal};
    sigaction(SIGALRM, &act, NULL);
    int out = 0;
    shared_waker = (aw_waker){NULL, 0, 0};
    assert_int_equal(BLOCK_ON(rt, signalled, 200, &out), 0);
    assert_true(out > 10);
    signal(SIGALRM, SIG_IGN);
}

static void wakers_outside_of_tasks_wake_nothing(void **state)
{
    (void)state;
    aw_waker w = aw_waker_get();
    aw_wake(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wake_before_the_park_is_kept),
        cmocka_unit_test(a_wake_does_not_end_a_sleep),
        cmocka_unit_test(threads_wake_one_after_the_other),
        cmocka_unit_test(stale_wakers_are_harmless),
        cmocka_unit_test(signal_handlers_wake),
        cmocka_unit_test(wakers_outside_of_tasks_wake_nothing),
    };
    return cmocka_run_group_tests_name("waker", tests, set_up, tear_down);
}
