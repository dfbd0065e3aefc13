/* SPDX-License-Identifier: MIT */
/* 4: nested forms in two files and in the header that both include. */
#include "both.h"

async int test_main(void)
{
    int a = 0, b = 0, c = 0, d = 0;
    await aw_all(aw_all(a = both(1, &c), b = of_b(2)), aw_all(d = both(4, &c)));
    say("%d %d %d %d", a, b, c / 5 * 0, d);
    say("%d", await both(5, &c));
    return c;
}
