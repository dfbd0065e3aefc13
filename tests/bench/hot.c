/* SPDX-License-Identifier: MIT */
/*
 * What do awaits cost the code between them? A function computes over a buffer of 4 KiB and awaits
 * four times on the way; none waits. code=async, and code=plain: the same text without await. Own
 * scenario: no peer has it. Metric: nanoseconds a pass.
 */
#include <awaitc.h>

#include "common.h"

#define NOINLINE __attribute__((__noinline__))

enum { BUF_BYTES = 4096, PARTS = 4 };

extern int bench_must_wait;

NOINLINE static async uint32_t check(uint32_t x)
{
    if (bench_must_wait)
        await aw_yield();
    return x & 1;
}

NOINLINE static uint32_t check_plain(uint32_t x)
{
    if (bench_must_wait)
        abort();
    return x & 1;
}

NOINLINE static async uint32_t pass(const unsigned char *buf, uint32_t h)
{
    for (int part = 0; part < PARTS; part++) {
        for (int i = 0; i < BUF_BYTES / PARTS; i++) {
            h = (h ^ buf[part * (BUF_BYTES / PARTS) + i]) * 16777619u;
            h += h << 3;
            h ^= h >> 11;
        }
        h += await check(h);
    }
    return h;
}

NOINLINE static uint32_t pass_plain(const unsigned char *buf, uint32_t h)
{
    for (int part = 0; part < PARTS; part++) {
        for (int i = 0; i < BUF_BYTES / PARTS; i++) {
            h = (h ^ buf[part * (BUF_BYTES / PARTS) + i]) * 16777619u;
            h += h << 3;
            h ^= h >> 11;
        }
        h += check_plain(h);
    }
    return h;
}

static async uint32_t passes(const unsigned char *buf, uint64_t n)
{
    uint32_t h = 1;
    for (uint64_t i = 0; i < n; i++)
        h = await pass(buf, h);
    return h;
}

static uint32_t passes_plain(const unsigned char *buf, uint64_t n)
{
    uint32_t h = 1;
    for (uint64_t i = 0; i < n; i++)
        h = pass_plain(buf, h);
    return h;
}

/* The buffer is a local, the loop runs in the async function that owns it. */
static async uint32_t own_buffer(uint64_t n)
{
    unsigned char buf[BUF_BYTES];
    uint32_t h = 1;
    for (int i = 0; i < BUF_BYTES; i++)
        buf[i] = (unsigned char)(i * 7);
    for (uint64_t k = 0; k < n; k++) {
        for (int part = 0; part < PARTS; part++) {
            for (int i = 0; i < BUF_BYTES / PARTS; i++) {
                h = (h ^ buf[part * (BUF_BYTES / PARTS) + i]) * 16777619u;
                h += h << 3;
                h ^= h >> 11;
            }
            h += await check(h);
        }
        buf[h % BUF_BYTES] = (unsigned char)h;
    }
    return h;
}

NOINLINE static uint32_t own_buffer_plain(uint64_t n)
{
    unsigned char buf[BUF_BYTES];
    uint32_t h = 1;
    for (int i = 0; i < BUF_BYTES; i++)
        buf[i] = (unsigned char)(i * 7);
    for (uint64_t k = 0; k < n; k++) {
        for (int part = 0; part < PARTS; part++) {
            for (int i = 0; i < BUF_BYTES / PARTS; i++) {
                h = (h ^ buf[part * (BUF_BYTES / PARTS) + i]) * 16777619u;
                h += h << 3;
                h ^= h >> 11;
            }
            h += check_plain(h);
        }
        buf[h % BUF_BYTES] = (unsigned char)h;
    }
    return h;
}

void bench_hot(void)
{
    static unsigned char buf[BUF_BYTES];
    uint64_t n = arg_num("n", 200000);
    bool is_plain = arg_is("code", "plain", "async");
    bool is_own = arg_is("buf", "own", "given");
    for (int i = 0; i < BUF_BYTES; i++)
        buf[i] = (unsigned char)(i * 7);
    aw_runtime *rt = bench_runtime();
    uint32_t got = 0;
    uint64_t start = now_ns();
    if (is_plain)
        got = is_own ? own_buffer_plain(n) : passes_plain(buf, n);
    else if (is_own)
        got = aw_runtime_block_on(rt, own_buffer(n));
    else
        got = aw_runtime_block_on(rt, passes(buf, n));
    uint64_t took = now_ns() - start;
    uint32_t want = is_own ? own_buffer_plain(n) : passes_plain(buf, n);
    CHECK(got == want, "hash %u instead of %u", got, want);
    emit("ns_per_pass", (double)took / (double)n);
    aw_runtime_free(rt);
}
