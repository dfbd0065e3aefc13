/* SPDX-License-Identifier: MIT */
/* 4: forms in plain functions. */
#include "leaf.h"

static int plain(int v)
{
    return v;
}

int forms(aw_scope *s)
{
    int x, rc;
    aw_all(t_int(1)); // expect-error: awaitc-missing-await|awaitc-async-from-sync
    x = aw_blocking(plain(1)); // expect-error: awaitc-missing-await|awaitc-async-from-sync
    rc = aw_block_on(plain(1)); // expect-error: awaitc-form-operand
    rc += aw_block_on(t_int(t_int(1))); // expect-error: awaitc-async-from-sync
    rc += aw_scope_spawn(s, t_int(1)); // expect-error: awaitc-missing-await|awaitc-async-from-sync
    aw_task *t = spawn(t_int(1));
    aw_detach(t);
    return x + rc;
}

async int test_main(void)
{
    int x = await aw_blocking(t_int(1)); // expect-error: awaitc-missing-await|awaitc-form-operand
    x += await aw_compute(plain); // expect-error: awaitc-form-operand
    aw_task *t = spawn(await t_int(1)); // expect-error: awaitc-form-operand
    x += aw_join(t, NULL); // expect-error: awaitc-missing-await
    t = await spawn(t_int(1)); // expect-error: awaitc-await-operand
    return x;
}
