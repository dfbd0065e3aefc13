/* SPDX-License-Identifier: MIT */
/* 4: forms with too many or too few arguments: the message speaks of the form, not of its macro. */
#include "leaf.h"

async int test_main(void)
{
    int x = 1, rc = 0;
    aw_task *t;
    await aw_all(); // expect-error: awaitc-form-operand
    rc = await aw_race(); // expect-error: awaitc-form-operand
    rc = await aw_try_all(); // expect-error: awaitc-form-operand
    t = spawn(); // expect-error: awaitc-form-operand
    t = spawn(t_int(1), t_int(2)); // expect-error: awaitc-form-operand
    x = await aw_blocking(); // expect-error: awaitc-form-operand
    rc = await aw_timeout(5); // expect-error: awaitc-form-operand
    rc = await aw_timeout(5, t_int(1), t_int(2)); // expect-error: awaitc-form-operand
    t = aw_spawn_on(t_int(1)); // expect-error: awaitc-form-operand
    return rc + x + (t != NULL);
}
