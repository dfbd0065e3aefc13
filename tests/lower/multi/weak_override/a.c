/* SPDX-License-Identifier: MIT */
/* F8: a weak async function that another file overrides, called directly and by pointer. */
// erased: gcc
#include "leaf.h"

__attribute__((weak)) async int hook(int v);
__attribute__((weak)) async int kept(int v);

__attribute__((weak)) async int hook(int v)
{
    return await t_int(v);
}

__attribute__((weak)) async int kept(int v)
{
    return await t_int(v + 1);
}

__attribute__((weak)) async int absent(int v);

async int test_main(void)
{
    async int (*f)(int) = hook;
    say("%d %d %d", await hook(1), await f(2), await kept(3));
    say("%d", absent ? await absent(1) : -1);
    return 0;
}
