/* SPDX-License-Identifier: MIT */
/* What does the scheduler cost? Tasks that yield (yield), tasks that start, end or wait (spawn),
 * and whether three sleeps overlap (join). */
#include <stdatomic.h>
#include <unistd.h>

#include <awaitc.h>

#include "common.h"

/* ---- yield --------------------------------------------------------------------------------- */

static async uint64_t yielder(uint64_t n)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < n; i++) {
        await aw_yield();
        count++;
    }
    return count;
}

static async uint64_t yielders(uint64_t tasks, uint64_t each)
{
    aw_task **all = malloc(tasks * sizeof *all);
    CHECK(all != NULL, "no memory");
    for (uint64_t i = 0; i < tasks; i++)
        all[i] = spawn(yielder(each));
    uint64_t sum = 0;
    for (uint64_t i = 0; i < tasks; i++) {
        uint64_t count = 0;
        int rc = await aw_join(all[i], &count);
        CHECK(rc == 0, "join %d", rc);
        sum += count;
    }
    free(all);
    return sum;
}

void bench_yield(void)
{
    uint64_t tasks = arg_num("tasks", 1);
    bool is_root = arg_num("root", 0) != 0;
    if (tasks == 0 || (is_root && tasks != 1))
        unsupported();
    uint64_t each = arg_num("n", 1000000) / tasks;
    aw_runtime *rt = bench_runtime();
    for (int round = is_root ? 1 : 0; round < 2; round++) {
        uint64_t n = round == 0 ? each / 10 + 1 : each;
        uint64_t start = now_ns();
        uint64_t sum = is_root ? aw_runtime_block_on(rt, yielder(n))
                               : aw_runtime_block_on(rt, yielders(tasks, n));
        uint64_t took = now_ns() - start;
        CHECK(sum == n * tasks, "yields %llu", (unsigned long long)sum);
        if (round == 1)
            emit("ns_per_switch", (double)took / (double)sum);
    }
    aw_runtime_free(rt);
}

/* ---- spawn --------------------------------------------------------------------------------- */

static async uint64_t echo(uint64_t i)
{
    return i;
}

static async uint64_t spawn_and_await(uint64_t n)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t got = 0;
        int rc = await aw_join(spawn(echo(i)), &got);
        CHECK(rc == 0, "join %d", rc);
        sum += got;
    }
    return sum;
}

static async uint64_t batch(uint64_t n)
{
    aw_task **all = malloc(n * sizeof *all);
    CHECK(all != NULL, "no memory");
    for (uint64_t i = 0; i < n; i++)
        all[i] = spawn(echo(i));
    uint64_t sum = 0;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t got = 0;
        int rc = await aw_join(all[i], &got);
        CHECK(rc == 0, "join %d", rc);
        sum += got;
    }
    free(all);
    return sum;
}

static async uint64_t in_task(uint64_t n, bool is_batch)
{
    uint64_t sum = 0;
    aw_task *t = is_batch ? spawn(batch(n)) : spawn(spawn_and_await(n));
    int rc = await aw_join(t, &sum);
    CHECK(rc == 0, "join %d", rc);
    return sum;
}

/* A notification for all who wait: they are linked, each with its waker, in their own frames. */
struct waiter {
    aw_waker waker;
    struct waiter *next;
    atomic_bool is_notified;
};
static _Atomic(struct waiter *) waiters;
static atomic_uint_least64_t parked, woken;

static async void wait_for_notification(void)
{
    struct waiter self = {.waker = aw_waker_get()};
    self.next = atomic_load(&waiters);
    while (!atomic_compare_exchange_weak(&waiters, &self.next, &self))
        ;
    atomic_fetch_add(&parked, 1);
    while (!atomic_load(&self.is_notified))
        await aw_park();
    atomic_fetch_add(&woken, 1);
}

static void notify_all(void)
{
    struct waiter *w = atomic_exchange(&waiters, NULL);
    while (w != NULL) {
        struct waiter *next = w->next; /* w is gone once it has been woken */
        aw_waker waker = w->waker;
        atomic_store(&w->is_notified, true);
        aw_wake(&waker);
        w = next;
    }
}

static async void sleep_long(void)
{
    atomic_fetch_add(&parked, 1);
    await aw_sleep_ms(3600 * 1000);
    atomic_fetch_add(&woken, 1);
}

static uint64_t resident_bytes(void)
{
    unsigned long size, resident = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    CHECK(f != NULL && fscanf(f, "%lu %lu", &size, &resident) == 2, "no statm");
    fclose(f);
    return (uint64_t)resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

static async int park(uint64_t n, bool is_sleep)
{
    uint64_t before = resident_bytes();
    for (uint64_t i = 0; i < n; i++) {
        if (is_sleep)
            spawn(sleep_long());
        else
            spawn(wait_for_notification());
    }
    while (atomic_load(&parked) < n)
        await aw_sleep_ms(2);
    await aw_sleep_ms(20);
    uint64_t after = resident_bytes();
    CHECK(atomic_load(&woken) == 0, "a parked task went on");
    if (!is_sleep) {
        notify_all();
        while (atomic_load(&woken) < n)
            await aw_sleep_ms(2);
    }
    emit("bytes_per_task", (double)(after - before) / (double)n);
    return 0;
}

void bench_spawn(void)
{
    uint64_t n = arg_num("n", 200000);
    bool is_batch = arg_is("mode", "batch", "await");
    bool is_parked = arg_is("mode", "parked", "await");
    bool is_sleep = arg_is("wait", "sleep", "notify");
    if ((!is_batch && !is_parked && !arg_is("mode", "await", "await")) ||
        (is_parked && !is_sleep && !arg_is("wait", "notify", "notify")))
        unsupported();
    aw_runtime *rt = bench_runtime();
    if (is_parked) {
        (void)aw_runtime_block_on(rt, park(n, is_sleep));
        if (is_sleep)
            exit(0); /* an hour is long */
        aw_runtime_free(rt);
        return;
    }
    for (int round = is_batch ? 1 : 0; round < 2; round++) {
        uint64_t count = round == 0 ? n / 10 : n;
        uint64_t start = now_ns();
        uint64_t sum = aw_runtime_block_on(rt, in_task(count, is_batch));
        uint64_t took = now_ns() - start;
        CHECK(sum == (count == 0 ? 0 : count * (count - 1) / 2), "sum %llu",
              (unsigned long long)sum);
        if (round == 1)
            emit("ns_per_task", (double)took / (double)n);
    }
    aw_runtime_free(rt);
}

/* ---- join ---------------------------------------------------------------------------------- */

static async uint64_t three_sleeps(bool at_once)
{
    uint64_t start = now_ns();
    if (at_once) {
        await aw_all(aw_sleep_ms(10), aw_sleep_ms(10), aw_sleep_ms(10));
    } else {
        await aw_sleep_ms(10);
        await aw_sleep_ms(10);
        await aw_sleep_ms(10);
    }
    return now_ns() - start;
}

static async uint64_t join_in_task(bool at_once)
{
    uint64_t took = 0;
    int rc = await aw_join(spawn(three_sleeps(at_once)), &took);
    CHECK(rc == 0, "join %d", rc);
    return took;
}

void bench_join(void)
{
    bool at_once = arg_is("mode", "concurrent", "seq");
    if (!at_once && !arg_is("mode", "seq", "seq"))
        unsupported();
    aw_runtime *rt = bench_runtime();
    double ms = (double)aw_runtime_block_on(rt, join_in_task(at_once)) / 1e6;
    CHECK(ms > (at_once ? 9.9 : 29.9), "too fast: %f ms", ms);
    emit("total_ms", ms);
    aw_runtime_free(rt);
}
