/* SPDX-License-Identifier: MIT */
/* 4: forms with arguments that they cannot run. */
#include "leaf.h"

static int plain(int v)
{
    return v;
}

static async unsigned u(void)
{
    return await t_u32(1);
}

static async void v(void)
{
    await t_tick();
}

async int test_main(void)
{
    int x = 1, y = 2, rc;
    unsigned un;
    aw_scope s;
    aw_scope_init(&s, 0);
    await aw_all(5); // expect-error: awaitc-form-operand
    await aw_all(x = plain(1)); // expect-error: awaitc-form-operand
    await aw_all(x += t_int(1)); // expect-error: awaitc-form-operand
    await aw_all(x = t_int(1), y); // expect-error: awaitc-form-operand
    rc = await aw_try_all(un = u()); // expect-error: awaitc-form-operand
    rc = await aw_try_all(v()); // expect-error: awaitc-form-operand
    rc = await aw_try_all(t_mkpair(1, 2)); // expect-error: awaitc-form-operand
    rc = await aw_race(x = t_int(1), plain(2)); // expect-error: awaitc-form-operand
    rc = await aw_timeout(5, x); // expect-error: awaitc-form-operand
    x = await aw_blocking(x + 1); // expect-error: awaitc-form-operand
    aw_task *t = spawn(plain(1)); // expect-error: awaitc-form-operand
    t = spawn(x); // expect-error: awaitc-form-operand
    rc = await aw_scope_spawn(&s, plain(1)); // expect-error: awaitc-form-operand
    await aw_all(x = t_int(1), spawn(t_int(2))); // expect-error: awaitc-form-operand
    return rc + (t != NULL);
}
