/* SPDX-License-Identifier: MIT */
/*
 * P7: the same under -std=gnu2x: [[attributes]], typed enums left out, empty initialisers,
 * no-argument functions.
 */
// std: gnu2x
#include "leaf.h"

[[nodiscard]] static async int add(int a, int b)
{
    int unset[3] = {};
    [[maybe_unused]] int sum = a;
    await t_tick();
    return a + b + unset[1];
}

static async int nothing()
{
    return await t_int(4);
}

async int test_main(void)
{
    _Bool yes = await t_int(1) == 1;
    _Static_assert(sizeof(int) == 4);
    typeof(await add(1, 2)) r = await add(3, 4);
    switch (r) {
    case 7:
        r++;
        [[fallthrough]];
    default:
        int direct = await nothing();
        r += direct;
    }
    say("%d %d", r, yes);
    return 0;
end:
}
