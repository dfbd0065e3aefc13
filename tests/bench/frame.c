/* SPDX-License-Identifier: MIT */
/*
 * How much memory does a call need while it is suspended, its children included, and how often is
 * the heap asked during it? Bytes: each function is spawned, and the spawn tells the runtime how
 * much frame stack to lay out. Allocations: the same function is awaited by a running task, as
 * functions mostly are, and calls of the allocator are counted.
 */
#include <awaitc.h>

#include "common.h"

#define NOINLINE __attribute__((__noinline__))

NOINLINE static void fill(unsigned char *buf AW_NOESCAPE, int len, int x)
{
    for (int i = 0; i < len; i++)
        buf[i] = (unsigned char)(x + i);
    __asm__ volatile("" : : "r"(buf) : "memory");
}

NOINLINE static int total(const unsigned char *buf AW_NOESCAPE, int len)
{
    __asm__ volatile("" : : "r"(buf) : "memory");
    int sum = 0;
    for (int i = 0; i < len; i++)
        sum += buf[i];
    return sum;
}

struct big {
    uint64_t a[8];
};

static async int f00(int x)
{
    (void)x;
    await aw_yield();
    return 0;
}

static async int f01(int x)
{
    await aw_yield();
    return x + 1;
}

static async int f02(int x)
{
    int s = 0;
    {
        unsigned char b[1024];
        fill(b, 1024, x);
        await aw_yield();
        s += total(b, 1024);
    }
    {
        unsigned char b[1024];
        fill(b, 1024, x + 1);
        await aw_yield();
        s += total(b, 1024);
    }
    return s;
}

static async int f03(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) {
        await aw_yield();
        s += i;
    }
    return s;
}

static async int g256(int x)
{
    unsigned char b[256];
    fill(b, 256, x);
    await aw_yield();
    return total(b, 256);
}

static async int f04(int x)
{
    return await g256(x) + x;
}

static async int f05(int x)
{
    int a = await g256(x);
    int b = await g256(x + 1);
    return a + b;
}

static async int f06(int x)
{
    if (x < 0)
        return -1;
    await aw_yield();
    return x;
}

static async int f07(int x)
{
    unsigned char b[512];
    fill(b, 512, x);
    await aw_yield();
    int s = total(b, 512);
    await aw_yield();
    return s;
}

static async int f08(int x)
{
    unsigned char b[4096];
    fill(b, 4096, x);
    int s = total(b, 4096);
    await aw_yield();
    return s;
}

static async void bump(int *p)
{
    await aw_yield();
    *p += 1;
}

static async int f09(int x)
{
    int v = x;
    await bump(&v);
    return v;
}

static async int f10(struct big s)
{
    await aw_yield();
    uint64_t sum = 0;
    for (int i = 0; i < 8; i++)
        sum += s.a[i];
    return (int)sum;
}

/* ---- measuring ----------------------------------------------------------------------------- */

static int sum_of(int len, int x)
{
    int sum = 0;
    for (int i = 0; i < len; i++)
        sum += (x + i) & 255;
    return sum;
}

static void row(const char *name, int want, int got, int awaited, uint64_t allocs)
{
    CHECK(got == want && awaited == want, "%s: %d, %d instead of %d", name, got, awaited, want);
    CHECK(spawned_room_bytes() != 0, "%s: the room is not known", name);
    emit_row(name, "bytes", (double)spawned_room_bytes());
    emit_row(name, "allocs", (double)allocs);
}

/* Spawns the call, then awaits it. */
#define ROW(name, want, call)                                                                      \
    do {                                                                                           \
        int got = -1;                                                                              \
        aw_task *t = spawn(call);                                                                  \
        int rc = await aw_join(t, &got);                                                           \
        CHECK(rc == 0, "join %d", rc);                                                             \
        uint64_t before = heap_calls();                                                            \
        int awaited = await call;                                                                  \
        row(name, want, got, awaited, heap_calls() - before);                                      \
    } while (0)

static async int rows(int x)
{
    ROW("f00_empty", 0, f00(x));
    ROW("f01_int", 8, f01(x));
    ROW("f02_two_bufs", sum_of(1024, 7) + sum_of(1024, 8), f02(x));
    ROW("f03_loop", 21, f03(x));
    ROW("f04_nested", sum_of(256, 7) + 7, f04(x));
    ROW("f05_two_nested", sum_of(256, 7) + sum_of(256, 8), f05(x));
    ROW("f06_early_return", 7, f06(x));
    ROW("f07_dead_after_first", sum_of(512, 7), f07(x));
    ROW("f08_big_not_live", sum_of(4096, 7), f08(x));
    ROW("f09_addr_taken", 8, f09(x));
    struct big s = {{1, 2, 3, 4, 5, 6, 7, 8}};
    ROW("f10_struct_arg", 36, f10(s));
    return 0;
}

void bench_frame(void)
{
    aw_runtime *rt = bench_runtime();
    (void)aw_runtime_block_on(rt, rows((int)opaque(7)));
    aw_runtime_free(rt);
}
