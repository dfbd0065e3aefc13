/* SPDX-License-Identifier: MIT */
/* R20: statements of OpenMP between awaits, with declarations of their own. */
// flags: -fopenmp-simd
#include "leaf.h"

static async int sums(const int *v, int n)
{
    int sum = await t_int(0), most = 0;
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        int twice = v[i] * 2;
        sum += twice;
    }
    await t_ev(sum);
    for (int k = 0; k < 2; k++) {
        await t_ev(k);
        _Pragma("omp simd reduction(max : most)") for (int i = k; i < n; i++) most =
            v[i] > most ? v[i] : most;
    }
    return sum * 100 + await t_int(most);
}

async int test_main(void)
{
    int v[] = {3, 1, 4, 1, 5};
    say("%d", await sums(v, 5));
    return 0;
}
