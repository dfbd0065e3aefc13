/* SPDX-License-Identifier: MIT */
/* S5, S7: awaits in the operand; types; declarations behind labels; skipped initialisers. */
#include "leaf.h"

enum e { A, B, C };

static async int sw(int v)
{
    switch (await t_ev(v)) {
        int x; /* exists, has no value */
    case 0:
        x = 5;
        await t_tick();
        return x;
    case -1:;
        int y = await t_ev(7);
        return y + 1;
    case 2: {
        int z = await t_ev(8);
        return z;
    }
    case 10 ... 12:
        x = await t_ev(v * 2);
        return x;
    default:
        break;
    }
    return -100;
}

async int test_main(void)
{
    say("%d %d %d %d %d %d", await sw(0), await sw(-1), await sw(2), await sw(11), await sw(12), await sw(13));
    switch (await t_i8(-3)) {
    case -3:
        say("i8");
    }
    switch (await t_u8(255)) {
    case -1:
        say("never");
        break;
    case 255:
        say("u8");
    }
    switch (await t_i64(0x100000001ll)) {
    case 1:
        say("never");
        break;
    case 0x100000001ll:
        say("long");
    }
    switch (await t_u32(0xffffffffu)) {
    case -1:
        say("unsigned wraps");
    }
    enum e e = (enum e)await t_ev(1);
    switch (e) {
    case A:
    case C:
        break;
    case B:
        say("B %d", await t_ev(e));
    }
    switch (await t_ev(1))
    case 1:
        say("no braces");
    switch (await t_ev(1))
        ;
    switch (await t_ev(3)) {
    }
    switch (await t_bool(1) ? await t_ev(4) : 0)
    default:
        await t_ev(5);
    return 0;
}
