/* SPDX-License-Identifier: MIT */
/* F9, E2: variadic plain calls around awaits; a va_list in a plain helper. */
#include <stdarg.h>
#include "leaf.h"

static int sum(int n, ...)
{
    va_list args;
    va_start(args, n);
    int total = 0;
    while (n-- > 0)
        total = total * 10 + va_arg(args, int);
    va_end(args);
    return total;
}

async int test_main(void)
{
    char c = 3;
    short s = 4;
    float f = 0.5f;
    say("%d", sum(4, c, await t_ev(1), s, await t_i8(2)));
    say("%.2f %.2f %d", (double)f, (double)await t_f32(f), c + await t_ev(1));
    say("%d %.1f %d", c, f, await t_ev(s));
    say("%s %d %p", "s", await t_ev(1), (void *)0);
    return sum(await t_ev(2), await t_ev(1), p_ev(2));
}
