/* SPDX-License-Identifier: MIT */
/* E21: awaits in array bounds, evaluated or not; what is never evaluated is fine. */
#include "leaf.h"

async int test_main(void)
{
    int x = (int)sizeof(int[await t_int(3)]); // expect-error: awaitc-await-place
    x += (int)sizeof(int(*)[await t_int(3)]); // expect-error: awaitc-await-place
    x += (int)sizeof(char[sizeof(await t_int(1))]) + await t_int(2);
    __typeof__(int[await t_int(2)]) *p = NULL; // expect-error: awaitc-await-place|awaitc-vla-across-await
    return x + (p != NULL);
}
