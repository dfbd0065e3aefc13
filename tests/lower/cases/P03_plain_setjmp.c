/* SPDX-License-Identifier: MIT */
/* P3: a plain function that returns twice. The warnings about its variables come last of all. */
#include "leaf.h"
#include <setjmp.h>
#include <unistd.h>

static jmp_buf place;

static int jumps(int n)
{
    if (n > 2)
        longjmp(place, n);
    return n + 1;
}

static int tries(int n)
{
    int kept = n;
    if (n > 3)
        kept++;
    if (setjmp(place) != 0)
        return 100;
    kept = jumps(kept);
    return jumps(kept) + kept;
}

async int test_main(void)
{
    say("%d", tries(1));
    int x = await t_int(5);
    say("%d", tries(x));
    return 0;
}
