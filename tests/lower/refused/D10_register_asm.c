/* SPDX-License-Identifier: MIT */
/* D10, R10: a variable bound to a machine register, alive across an await. */
#include "leaf.h"

async int test_main(void)
{
    register long r __asm__("rbx") = 5;
    __asm__ volatile("" : "+r"(r));
    await t_tick(); // expect-error: awaitc-register-across-await
    __asm__ volatile("" : "+r"(r));
    return (int)r;
}
