/* SPDX-License-Identifier: MIT */
/* D22, D21: __auto_type and typeof of awaited and shadowed things. */
#include "leaf.h"

async int test_main(void)
{
    __auto_type a = await t_int(1);
    __auto_type b = await t_mkpair(2, 3);
    __auto_type p = &b;
    __auto_type f = t_ev;
    __auto_type d = a + await t_f64(0.5);
    await t_tick();
    p->a += await f(a);
    {
        __auto_type a = "shadow" + await t_int(2);
        __typeof__(*a) c = a[1];
        await t_tick();
        say("%s %c", a, c);
    }
    __typeof__(b.a) sum = b.a + b.b;
    __typeof__(__typeof__(a)[2]) two = {await t_int(4), 5};
    __typeof__(int(*)(int)) fp = p_ev;
    __typeof__(f) f2 = f;
    await t_tick();
    say("%d %.1f %d %d %d", sum, d, two[0], fp(two[1]), await f2(6));
    for (__auto_type i = await t_i8(0); i < 2; i++)
        say("%zu %d", sizeof i, i);
    return ({ __auto_type x = await t_int(3); x + 1; });
}
