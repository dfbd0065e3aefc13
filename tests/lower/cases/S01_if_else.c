/* SPDX-License-Identifier: MIT */
/* S1, S20: awaits in if conditions, dangling else, empty bodies, null statements. */
#include "leaf.h"

static async int pick(int v)
{
    if (await t_ev(v))
        if (await t_ev(v - 1))
            return 1;
        else
            return 2;
    return 3;
}

async int test_main(void)
{
    say("%d %d %d", await pick(0), await pick(1), await pick(2));
    if (await t_ev(1))
        ;
    else
        say("never");
    if (!await t_ev(1)) {
    } else if (await t_ev(0)) {
        say("never");
    } else if (p_ev(3) > 2) {
        say("third");
    } else
        say("never");
    if (p_ev(0))
        say("never");
    else
        for (int i = 0; i < 2; i++)
            if (await t_ev(i))
                say("one");
            else
                while (await t_ev(0))
                    ;
    ;
    {
        {
        }
        ;
    }
    if (await t_ptr(NULL) == NULL && (await t_mkpair(1, 2)).b == 2)
        await t_ev(9);
    return 0;
}
