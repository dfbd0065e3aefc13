/* SPDX-License-Identifier: MIT */
/* E36: elements of vectors, parts of complex numbers, wide integers beside awaits. */
// native
#include "leaf.h"
#include <complex.h>
typedef int v4 __attribute__((vector_size(16)));
typedef float f8 __attribute__((vector_size(32)));
typedef unsigned char b16 __attribute__((vector_size(16)));
static async v4 mk(int x)
{
    await t_tick();
    return (v4){x, x + 1, x + 2, x + 3};
}
static async f8 mkf(f8 a, int k)
{
    f8 t = a;
    await t_tick();
    t[k] *= 2;
    return t;
}
struct hv {
    char c;
    v4 v;
};
static async struct hv mkh(int c)
{
    struct hv h = {(char)c, await mk(c)};
    await t_tick();
    return h;
}
static async void vec(void)
{
    v4 a = await mk(1), b = a;
    b[await t_ev(2)] = await t_ev(50);
    a += await mk(10);
    a[1]++;
    a[await t_ev(3)] += await t_ev(5);
    v4 m = a > b;
    v4 c = (m & a) | (~m & b);
    await t_tick();
    for (int i = 0; i < 4; i++)
        say("%d %d %d %d", a[i], b[i], m[i], c[i]);
    v4 d = a * await mk(2) + b;
    say("%d %d", d[0], d[3]);
    v4 lit = (v4){await t_ev(1), await t_ev(2), 3};
    say("%d %d", lit[1], lit[3]);
    say("%d", (await mk(30))[2] + (await mk(3))[await t_ev(1)]);
    f8 f = {1, 2, 3};
    f = await mkf(f, 1);
    f = await mkf(f + 1, await t_ev(0));
    say("%g %g %g", (double)f[0], (double)f[1], (double)f[7]);
    struct hv h = await mkh(4);
    h.v += 1;
    await t_tick();
    say("%d %d %d", h.c, h.v[0], h.v[3]);
    struct hv *ph = &h;
    ph->v[await t_ev(1)] = await t_ev(9);
    say("%d", h.v[1]);
    b16 z = (b16)a;
    await t_tick();
    say("%d %d", z[0], z[4]);
    v4 sh = a;
    (void)sh;
    v4 s = a << (v4){1, 2, 3, 4};
    await t_tick();
    s >>= (v4){1, 1, 1, 1};
    say("%d", s[3]);
    v4 arr[3];
    arr[1] = await mk(8);
    arr[0] = arr[2] = arr[1];
    await t_tick();
    say("%d %d", arr[0][1], arr[2][3]);
    say("%d", ((unsigned long)&f & 31) == 0);
}
static async double _Complex mc(double a, double b)
{
    await t_tick();
    return a + b * I;
}
static async void cplx(void)
{
    double _Complex z = await mc(1, 2);
    z *= await mc(0, 1);
    __real__ z += await t_f64(10);
    __imag__ z = await t_f64(3);
    say("%g %g", creal(z), cimag(z));
    float _Complex fz = z;
    fz += await t_f32(1);
    say("%g %g", (double)crealf(fz), (double)cimagf(fz));
    z = z * await mc(1, 1) + await mc(2, 2) * z;
    say("%g %g", creal(z), cimag(z));
    say("%g", creal(~z) + __imag__ await mc(4, 5));
    _Complex int ci = 3 + 4i;
    ci += await t_ev(2);
    await t_tick();
    say("%d %d", __real__ ci, __imag__ ci);
    ci = ci * await t_ev(2);
    say("%d %d", __real__ ci, __imag__(ci));
    say("%d", z == await mc(1, 1));
    say("%d", !(await mc(0, 0)));
    if (await mc(0, 1))
        say("true");
    long double _Complex lz = await mc(1, 2);
    lz /= await t_f80(2);
    say("%Lg %Lg", creall(lz), cimagl(lz));
    double _Complex az[2] = {await mc(1, 1), await t_f64(4)};
    az[await t_ev(0)] += az[await t_ev(1)];
    say("%g %g", creal(az[0]), cimag(az[0]));
    double *re = &__real__ z;
    await t_tick();
    *re = 42;
    say("%g", creal(z));
}
static async __int128 mi(__int128 a)
{
    await t_tick();
    return a << 3;
}
static async void i128(void)
{
    __int128 x = await mi((__int128)1 << 90);
    x += await t_ev(5);
    unsigned __int128 u = (unsigned __int128)-1;
    u >>= await t_ev(100);
    say("%llx %llx", (unsigned long long)(x >> 64), (unsigned long long)x);
    say("%llx", (unsigned long long)u);
    x = x / await t_ev(7) % await t_ev(1000);
    say("%lld", (long long)x);
    say("%d", x > await mi(1));
    x = -x;
    x--;
    await t_tick();
    say("%lld", (long long)x);
    __int128 a[2] = {await mi(1), 2};
    await t_tick();
    say("%d %lld", (int)((unsigned long)a & 15), (long long)(a[0] + a[1]));
    switch ((int)await mi(2)) {
    case 16:
        say("16");
    }

    long double ld = 1.25L;
    ld = ld + await t_f80(1e-18L) - ld;
    say("%Lg", ld);
}
async int test_main(void)
{
    await vec();
    await cplx();
    await i128();
    return 0;
}
