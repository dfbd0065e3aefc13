/* SPDX-License-Identifier: MIT */
/* 4: aw_try_all takes calls with signed integer results only. */
#include "leaf.h"

enum colour { RED, GREEN };
static async _Bool b(void) { await t_tick(); return 1; }
static async unsigned char uc(void) { await t_tick(); return 1; }
static async enum colour e(void) { await t_tick(); return RED; }
static async __int128 wide(void) { await t_tick(); return 1; }
static async int *pointer(void) { await t_tick(); return NULL; }
static async float f(void) { await t_tick(); return 1; }
static async long l(void) { await t_tick(); return 1; }
static async signed char sc(void) { await t_tick(); return 1; }

async int test_main(void)
{
    int rc;
    rc = await aw_try_all(b()); // expect-error: awaitc-form-operand
    rc = await aw_try_all(uc()); // expect-error: awaitc-form-operand
    rc = await aw_try_all(e()); // expect-error: awaitc-form-operand
    rc = await aw_try_all(wide()); // expect-error: awaitc-form-operand
    rc = await aw_try_all(pointer()); // expect-error: awaitc-form-operand
    rc = await aw_try_all(f()); // expect-error: awaitc-form-operand
    rc = await aw_try_all(t_u32(1)); // expect-error: awaitc-form-operand
    rc = await aw_try_all(l(), sc(), t_int(1));
    return rc;
}
