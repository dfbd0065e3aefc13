/* SPDX-License-Identifier: MIT */
/* R20: an await in an OpenMP region. */
// flags: -fopenmp
#include "leaf.h"

async int test_main(void)
{
    int total = 0;
#pragma omp parallel for
    for (int i = 0; i < 4; i++)
        total += await t_int(i); // expect-error: awaitc-await-place|awaitc-unsupported
    return total;
}
