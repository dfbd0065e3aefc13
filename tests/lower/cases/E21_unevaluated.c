/* SPDX-License-Identifier: MIT */
/*
 * E21, E22, E23: sizeof, alignof, typeof, unchosen _Generic arms and the like do not run an await.
 */
#include "leaf.h"

static int ran;

static async int run(int v)
{
    ran++;
    await t_tick();
    return v;
}

static async t_big make(void)
{
    ran++;
    return await t_mkbig(1);
}

async int test_main(void)
{
    say("%zu %zu", sizeof await run(1), sizeof(await make()) / sizeof(long long));
    say("%zu", sizeof(await run(1) + 1ll));
    say("%zu", _Alignof(__typeof__(await make())));
    say("%zu", __alignof__(await run(1)));
    __typeof__(await run(2)) x = 3;
    __typeof__(run(2)) y = 4; /* without await it is fine here */
    __typeof__((await make()).in) in = {5, 6};
    say("%d %d %d ran %d", x, y, in.lo, ran);
    say("%d", _Generic(await run(1), int: 1, double: await run(5), default: 2));
    say("%d", _Generic((char)1, int: await run(1), char: await run(7), default: await run(8)));
    say("%d", _Generic(await make(), t_big: await t_ev(3), int: 4));
    say("ran %d", ran);
    say("%d", __builtin_choose_expr(1, 5, await run(6)));
    say("%d", __builtin_choose_expr(0, await run(5), await run(6)));
    say("%d", __builtin_types_compatible_p(__typeof__(await run(1)), int));
    say("%d ran %d", __builtin_constant_p(await run(9)), ran);
    say("%zu", sizeof(int[2]) + sizeof(run(1)) + (size_t)await run(1));
    say("%d", (int)sizeof(char[sizeof(await run(1))]) + await run(2));
    return ran;
}
