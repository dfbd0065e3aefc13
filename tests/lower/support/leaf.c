/* SPDX-License-Identifier: MIT */
/* The leaves and the event log of the lowering tests; see leaf.h. */
#include "leaf.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum mode { MODE_READY, MODE_ONCE, MODE_RANDOM, MODE_PARK };

static enum mode mode;
static uint64_t seed;
static uint64_t hash = 14695981039346656037u;
static int marks, cancel_at, workers, leaves;

/* Leaves that wait in mode park, oldest first. */
enum { PARKED_MAX = 64 };
static struct {
    aw_waker waker;
    int number;
    int full;
} parked[PARKED_MAX];
static unsigned parked_in, parked_out;

static int env_int(const char *name, int otherwise)
{
    const char *text = getenv(name);
    return text != NULL ? atoi(text) : otherwise;
}

void t_init(void)
{
    const char *text = getenv("LEAF_MODE");
    if (text == NULL || strcmp(text, "ready") == 0) {
        mode = MODE_READY;
    } else if (strcmp(text, "once") == 0) {
        mode = MODE_ONCE;
    } else if (strcmp(text, "park") == 0) {
        mode = MODE_PARK;
    } else if (strncmp(text, "random", 6) == 0) {
        mode = MODE_RANDOM;
        seed = text[6] == ':' ? strtoull(text + 7, NULL, 10) : 1;
        seed = seed * 6364136223846793005u + 1442695040888963407u;
    } else {
        fprintf(stderr, "LEAF_MODE=%s is unknown\n", text);
        exit(2);
    }
    marks = env_int("LEAF_MARKS", 0);
    cancel_at = env_int("LEAF_CANCEL", 0);
    workers = env_int("LEAF_WORKERS", 1);
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
}

void t_finish(void)
{
    printf("hash %016llx\n", (unsigned long long)hash);
    fflush(stdout);
}

int t_cancel_at(void)
{
    return cancel_at;
}

int t_workers(void)
{
    return workers;
}

int t_next_parked(aw_waker *w, int *number)
{
    unsigned at = parked_out % PARKED_MAX;
    if (!__atomic_load_n(&parked[at].full, __ATOMIC_ACQUIRE))
        return 0;
    *w = parked[at].waker;
    *number = parked[at].number;
    __atomic_store_n(&parked[at].full, 0, __ATOMIC_RELEASE);
    parked_out++;
    return 1;
}

static unsigned next_random(void)
{
    uint64_t was = __atomic_fetch_add(&seed, 0x9e3779b97f4a7c15u, __ATOMIC_RELAXED);
    was ^= was >> 33;
    was *= 0xff51afd7ed558ccdu;
    return (unsigned)(was >> 40);
}

async void t_tick(void)
{
    int number = __atomic_add_fetch(&leaves, 1, __ATOMIC_RELAXED);
    if (marks)
        say("@%d", number);
#ifndef T_ERASED
    if (mode == MODE_PARK) {
        unsigned at = __atomic_fetch_add(&parked_in, 1, __ATOMIC_RELAXED) % PARKED_MAX;
        parked[at].waker = aw_waker_get();
        parked[at].number = number;
        __atomic_store_n(&parked[at].full, 1, __ATOMIC_RELEASE);
        await aw_park();
        return;
    }
    if (number == cancel_at) {
        aw_cancel(aw_task_self());
        await aw_yield();
        say("went on after a cancel");
    }
    unsigned times = 0;
    if (mode == MODE_ONCE)
        times = 1;
    else if (mode == MODE_RANDOM)
        times = next_random() % 4;
    while (times-- > 0)
        await aw_yield();
#else
    (void)next_random;
    (void)parked_in;
#endif
}

#define LEAF(type, name)                                                                           \
    async type name(type v)                                                                        \
    {                                                                                              \
        await t_tick();                                                                            \
        return v;                                                                                  \
    }

LEAF(int, t_int)
LEAF(int8_t, t_i8)
LEAF(uint8_t, t_u8)
LEAF(int16_t, t_i16)
LEAF(uint16_t, t_u16)
LEAF(int32_t, t_i32)
LEAF(uint32_t, t_u32)
LEAF(int64_t, t_i64)
LEAF(uint64_t, t_u64)
LEAF(_Bool, t_bool)
LEAF(float, t_f32)
LEAF(double, t_f64)
LEAF(long double, t_f80)
LEAF(void *, t_ptr)
LEAF(int *, t_pint)
LEAF(t_pair, t_pass)

async t_pair t_mkpair(int a, int b)
{
    await t_tick();
    t_pair p = {a, b};
    return p;
}

async t_big t_mkbig(int from)
{
    t_big big;
    memset(&big, 0, sizeof big);
    for (int i = 0; i < 12; i++)
        big.v[i] = from * 100 + i;
    await t_tick();
    snprintf(big.name, sizeof big.name, "big%d", from);
    big.in.lo = (short)from;
    big.in.hi = (short)-from;
    return big;
}

async int t_ev(int v)
{
    say("ev(%d)", v);
    await t_tick();
    return v;
}

async int t_evn(const char *name, int v)
{
    say("%s(%d)", name, v);
    await t_tick();
    return v;
}

async int *t_evp(const char *name, int *v)
{
    say("%s(&%d)", name, *v);
    await t_tick();
    return v;
}

int p_ev(int v)
{
    say("p(%d)", v);
    return v;
}

int p_evn(const char *name, int v)
{
    say("%s(%d)", name, v);
    return v;
}

void say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char line[512];
    int n = vsnprintf(line, sizeof line - 1, format, args);
    va_end(args);
    if (n < 0 || (size_t)n > sizeof line - 2)
        n = (int)sizeof line - 2;
    line[n] = '\n';
    fwrite(line, 1, (size_t)n + 1, stdout);
}

int t_take(int id)
{
    say("+%d", id);
    return id;
}

void t_give(int id)
{
    say("-%d", id);
}

void t_drop(int *id)
{
    t_give(*id);
}

void t_hash(uint64_t v)
{
    for (int i = 0; i < 8; i++) {
        hash ^= (v >> (8 * i)) & 255;
        hash *= 1099511628211u;
    }
}
