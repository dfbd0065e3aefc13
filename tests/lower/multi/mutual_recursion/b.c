/* SPDX-License-Identifier: MIT */
/* The other half. */
#include "leaf.h"

async int ping(int n);
async int from_b(int n);
async int pong(int n);

async int pong(int n)
{
    if (n < 0)
        return await from_b(-n - 1);
    HOLD(1000 + n);
    int x = await t_int(n);
    return x == 0 ? 0 : await ping(x - 1);
}
