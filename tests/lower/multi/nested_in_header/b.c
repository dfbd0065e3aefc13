/* SPDX-License-Identifier: MIT */
#include "both.h"

async int of_b(int v)
{
    int x = 0, y = 0;
    await aw_all(aw_all(x = both(v, &y)), aw_all(t_tick()));
    return x + y;
}
