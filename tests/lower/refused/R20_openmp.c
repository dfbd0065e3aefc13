/* SPDX-License-Identifier: MIT */
/* R20: an await in what OpenMP runs; a pragma that names what lives in the frame. */
// flags: -fopenmp
#include "leaf.h"

#define EACH(body) _Pragma("omp parallel for") for (int k = 0; k < 4; k++) body

async int test_main(void)
{
    int total = 0, kept = 0, *held = &kept;
#pragma omp parallel for
    for (int i = 0; i < 4; i++)
        total += await t_int(i); // expect-error: awaitc-await-place
#pragma omp parallel
    {
        int i = 1;
#pragma omp critical
        total += i;
        await t_tick(); // expect-error: awaitc-await-place
    }
    EACH(await t_ev(k)); // expect-error: awaitc-await-place
#pragma omp flush
    await t_tick();
    return total + *held;
}
