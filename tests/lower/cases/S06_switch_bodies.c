/* SPDX-License-Identifier: MIT */
/* S6, S8: awaits in cases, fallthrough, default in the middle, nested switches and loops. */
#include "leaf.h"

static async int run(int v)
{
    int r = 0;
    switch (v) {
    case 0:
        r += await t_ev(1);
        /* falls through */
    case 1:
        r += await t_ev(10);
    default:
        r += await t_ev(100);
        break;
    case 2:
        for (int i = 0; i < 4; i++) {
            switch (await t_ev(i)) {
            case 0:
                continue;
            case 2:
                goto done;
            default:
                break;
            }
            r += await t_ev(1000);
        }
    done:
        r++;
    case 3:
        switch (r & 1) {
        case 0:
            r += await t_ev(5);
        case 1:
            r += await t_ev(6);
            break;
        }
        await t_tick();
        break;
    case 'a' ... 'c':
        while (1) {
            if (await t_ev(v++) >= 'b')
                break;
        }
        r = v;
    }
    return r;
}

async int test_main(void)
{
    for (int v = 0; v < 5; v++)
        say("= %d", await run(v));
    say("= %d %d", await run('a'), await run('c'));
    return 0;
}
