/* SPDX-License-Identifier: MIT */
/* S3: continue in do goes to the condition. */
#include "leaf.h"

async int test_main(void)
{
    int i = 0, j;
    do {
        i++;
        if (i == 2)
            continue;
        say("i %d", i);
        if (i == 5)
            break;
    } while (await t_ev(i) < 10);
    do
        await t_ev(i);
    while (--i > await t_int(3));
    do {
        j = 0;
        do {
            if (j++ == await t_ev(1))
                continue;
            if (j == 3)
                break;
            say("%d %d", i, j);
        } while (await t_evn("inner", j) < 4);
    } while (await t_evn("outer", ++i) < 5 && j < 9);
    do {
        HOLD(1);
        int local = await t_int(i);
        if (local == 6)
            continue;
        i = local + 1;
    } while (i < 6);
    do
        ;
    while (await t_ev(0));
    return i;
}
