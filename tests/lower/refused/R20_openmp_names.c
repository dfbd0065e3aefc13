/* SPDX-License-Identifier: MIT */
/* R20: a pragma of OpenMP that names a local which lives in the frame. */
// flags: -fopenmp
#include "leaf.h"

async int test_main(void)
{
    int total = 0, kept = 0, *held = &kept;
    await t_tick();
#pragma omp parallel for reduction(+ : total)
    for (int i = 0; i < 4; i++)
        total += i;
#pragma omp parallel for reduction(+ : kept) // expect-error: awaitc-unsupported
    for (int i = 0; i < 4; i++)
        kept += i;
    await t_ev(*held);
    return total;
}
