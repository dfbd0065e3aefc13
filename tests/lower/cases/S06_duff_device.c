/* SPDX-License-Identifier: MIT */
/* S6: cases inside loops and nested blocks. */
#include "leaf.h"

static async int duff(int n, int *to, const int *from)
{
    int rounds = (n + 3) / 4, left = n;
    switch (n % 4) {
    case 0:
        do {
            *to++ = await t_ev(*from++);
            left--;
    case 3:
            *to++ = await t_ev(*from++);
    case 2:
            *to++ = *from++;
    case 1:
            await t_tick();
            *to++ = *from++;
        } while (await t_int(--rounds) > 0);
    }
    return left;
}

static async int odd(int v)
{
    int r = 0;
    switch (await t_int(v)) {
    case 0:
        if (await t_ev(r)) {
        case 1:
            r += await t_ev(2);
        } else {
        case 2:
            r += await t_ev(4);
        }
        r += 100;
        for (r++; r < 110; r += await t_int(5)) {
            {
            case 3:
                r += 7;
            }
            if (r > 107)
                break;
        }
        break;
    default:
        while (r < 3) {
            switch (r) {
            case 5:
                say("never");
            case 0:
                r += await t_ev(1);
                break;
            default:
                r += await t_ev(2);
                continue;
            }
        case 9:
            r++;
        }
    }
    return r;
}

async int test_main(void)
{
    const int from[11] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    for (int n = 1; n <= 9; n += 1) {
        int to[11] = {0}, sum = 0;
        await duff(n, to, from);
        for (int i = 0; i < 11; i++)
            sum = sum * 3 + to[i];
        say("%d: %d", n, sum);
    }
    for (int v = 0; v < 5; v++)
        say("odd %d: %d", v, await odd(v));
    say("odd 9: %d", await odd(9));
    return 0;
}
