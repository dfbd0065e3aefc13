/* SPDX-License-Identifier: MIT */
/* D12, D32, D33: variable-length arrays behind the awaits of blocks that clean up. */
// erased: gcc
#include "leaf.h"

static async int behind_a_defer(int n)
{
    defer
    {
        say("leaves %d", n);
    }
    await t_tick();
    if (n == 3)
        return 4;
    int v[n];
    v[n - 1] = n;
    typedef char bytes[n];
    return v[n - 1] * 10 + (int)sizeof(bytes);
}

static async int in_a_loop(int n)
{
    for (int i = 0; i < 4; i++) {
        int h __attribute__((cleanup(t_drop))) = t_take(i);
        if (await t_int(i) == 1)
            continue;
        char buf[n + i];
        buf[0] = (char)i;
        if (i == 3)
            break;
        {
            int inner[i + 1];
            inner[i] = buf[0];
            n += inner[i];
        }
        if (n > 100)
            goto out;
    }
out:
    return n;
}

async int test_main(void)
{
    say("%d", await behind_a_defer(2));
    say("%d", await behind_a_defer(3));
    say("%d", await in_a_loop(2));
    return await in_a_loop(99);
}
