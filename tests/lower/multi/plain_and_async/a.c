/* SPDX-License-Identifier: MIT */
/*
 * F14, P8: a file without anything async, one that only declares, and one that awaits, in one
 * program.
 */
#include "parts.h"

async int test_main(void)
{
    say("%d %d", plain_sum(1, 2), await declared_here(3));
    say("%d", await through(plain_table[0], 5));
    callback saved = get_callback();
    say("%d", await saved(6));
    return plain_sum(await saved(1), await declared_here(2));
}
