/* SPDX-License-Identifier: MIT */
/* R5: setjmp and its kin in an async function. */
#include <setjmp.h>
#include "leaf.h"

static jmp_buf env;

async int test_main(void)
{
    sigjmp_buf local;
    if (setjmp(env)) // expect-error: awaitc-setjmp
        return 1;
    if (sigsetjmp(local, 1)) // expect-error: awaitc-setjmp
        return 2;
    await t_tick();
    return 0;
}
