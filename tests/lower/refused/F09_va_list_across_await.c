/* SPDX-License-Identifier: MIT */
/* F9: a va_list that is alive across an await. */
#include <stdarg.h>
#include "leaf.h"

static async int sum(int n, va_list args)
{
    int total = 0;
    while (n-- > 0)
        total += va_arg(args, int) + await t_int(1); // expect-error: awaitc-va-list-across-await
    return total;
}

async int test_main(void)
{
    return 0;
}
