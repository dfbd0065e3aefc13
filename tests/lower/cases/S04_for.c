/* SPDX-License-Identifier: MIT */
/*
 * S4, S25: awaits in all three parts; empty parts; continue goes to the increment; one loop
 * variable.
 */
#include "leaf.h"

async int test_main(void)
{
    for (int i = await t_ev(0); i < await t_ev(3); i += await t_ev(1))
        say("i %d", i);
    int k;
    for (k = await t_ev(5), await t_tick(); k > 2; await t_ev(k), k--) {
        if (k == 4)
            continue;
        say("k %d", k);
    }
    for (int i = 0;; i++) {
        await t_tick();
        if (i == 1)
            continue;
        if (i == 3)
            break;
        say("endless %d", i);
    }
    for (;;) {
        if (await t_ev(k++) > 3)
            break;
    }
    int *first = NULL;
    for (int i = 0, *p = &i; i < 3; i++) {
        if (first == NULL)
            first = p;
        await t_tick();
        say("same %d %d", p == first, *first);
        *p += await t_int(0);
    }
    for (int i = 0; i < 3; i += await t_ev(1)) {
        switch (await t_ev(i)) {
        case 0:
            continue;
        case 1:
            break;
        default:
            say("default");
            continue;
        }
        say("after switch");
    }
    for (int i = 0; i < 2; i++)
        for (int i = 5; i < 7; i++) /* shadows */
            say("inner %d", await t_int(i));
    for (struct { int a, b; } s = {await t_ev(1), 4}; s.a < s.b; s.a += await t_int(2))
        say("struct %d", s.a);
    for (int a[2] = {await t_ev(7), 0}, n = 0; n < 2; n++)
        say("array %d", a[n]);
    for (int i = 3; await t_int(i--);)
        ;
    return 0;
}
