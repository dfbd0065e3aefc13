/* SPDX-License-Identifier: MIT */
/* E36: vectors, complex, __int128, long double, half-width and enum values across awaits. */
// native
#include "leaf.h"

typedef int v4 __attribute__((vector_size(16)));
typedef float f8 __attribute__((vector_size(32)));
typedef unsigned __int128 u128;
enum colour { RED = 1, GREEN = 0x40000000 };
typedef enum { TINY } __attribute__((packed)) tiny;

static async v4 vec(int a)
{
    v4 v = {a, a + 1, a + 2, a + 3};
    await t_tick();
    return v * v;
}

async int __attribute__((vector_size(16))) unnamed(int __attribute__((vector_size(16))) a);

async int __attribute__((vector_size(16))) unnamed(int __attribute__((vector_size(16))) a)
{
    int __attribute__((vector_size(16))) b = a + 1;
    await t_tick();
    return a * b;
}

static async f8 wide(float f)
{
    f8 v = {f, f, f, f, f, f, f, f};
    await t_tick();
    return v + 1.0f;
}

static async double _Complex cplx(double re, double im)
{
    await t_tick();
    double _Complex z;
    __real__ z = re;
    __imag__ z = im;
    return z;
}

static async u128 big(uint64_t hi, uint64_t lo)
{
    await t_tick();
    return (u128)hi << 64 | lo;
}

static async enum colour paint(int c)
{
    await t_tick();
    return c ? GREEN : RED;
}

static async tiny small(void)
{
    await t_tick();
    return TINY;
}

async int test_main(void)
{
    v4 n = await unnamed((v4){1, 2, 3, 4});
    say("%d %d %d %d", n[0], n[1], n[2], n[3]);
    v4 a = {1, 2, 3, 4};
    a += await vec(1);
    v4 b = a * await vec(2) + (v4){0, 0, 0, await t_ev(5)};
    b[await t_ev(1)] = await t_ev(7);
    say("%d %d %d %d", b[0], b[1], b[2], b[3]);
    say("%d", (await vec(3))[2]);
    f8 w = await wide(2) * await wide(0.5f);
    await t_tick();
    say("%.2f %.2f", (double)w[0], (double)w[7]);
    double _Complex z = await cplx(1, 2) * await cplx(3, -1);
    z += await t_ev(2);
    z *= 2;
    say("%.1f %.1f", __real__ z, __imag__(z + await t_int(0)));
    u128 u = await big(1, 2) + await big(0, ~0ull);
    u >>= await t_ev(60);
    say("%llx", (unsigned long long)u);
    __int128 neg = -(__int128)await t_ev(5) * ((__int128)1 << 70);
    await t_tick();
    say("%d", (int)(neg >> 70));
    long double ld = 1.5L + await t_f80(0.25L);
    ld *= await t_ev(2);
    say("%.2Lf", ld);
    enum colour c = await paint(1);
    c |= await paint(0);
    say("%x %d %zu", (unsigned)c, await small(), sizeof(await small()));
    float f = await t_f32(0.1f);
    say("%d", f == 0.1f);
    say("%d", await t_i8(-1) < await t_u8(255));
    say("%zu", sizeof(await t_i8(1)) + sizeof(await t_i8(1) + 0));
    return 0;
}
