/* SPDX-License-Identifier: MIT */
/* E49: an await in an initialiser at file scope. */
#include "leaf.h"

int global = await t_int(1); // expect-error: awaitc-async-from-sync|awaitc-await-place|awaitc-parse

async int test_main(void)
{
    return global;
}
