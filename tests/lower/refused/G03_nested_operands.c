/* SPDX-License-Identifier: MIT */
/* 4: forms within forms that cannot run: each is reported once, at its own place. */
#include "leaf.h"

static int plain(int v)
{
    return v;
}

static async void v(void)
{
    await t_tick();
}

async int test_main(void)
{
    int x = 1, rc;
    await aw_all(aw_all(5)); // expect-error: awaitc-form-operand
    await aw_all(rc = aw_try_all(x = plain(1))); // expect-error: awaitc-form-operand
    await aw_all(aw_all(x += t_int(1))); // expect-error: awaitc-form-operand
    await aw_all(rc = aw_try_all(aw_all(x = t_int(1)))); // expect-error: awaitc-form-operand
    rc = await aw_try_all(aw_timeout(5, v()), aw_blocking(plain(2)), v()); // expect-error: awaitc-form-operand
    rc = await aw_timeout(5, aw_blocking(x + 1)); // expect-error: awaitc-form-operand
    rc = await aw_timeout(aw_race(x = t_int(1)), x = t_int(2)); // expect-error: awaitc-missing-await
    rc = await aw_timeout((unsigned)t_int(5), x = t_int(2)); // expect-error: awaitc-missing-await
    await aw_all(aw_all(x = aw_blocking(aw_compute(plain(1))))); // expect-error: awaitc-form-operand
    await aw_all(aw_all(spawn(t_int(1)))); // expect-error: awaitc-form-operand
    await aw_all(aw_all(x = t_int(aw_try_all(t_int(1))))); // expect-error: awaitc-missing-await
    return rc;
}
