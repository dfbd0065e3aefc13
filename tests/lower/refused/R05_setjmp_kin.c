/* SPDX-License-Identifier: MIT */
/* R5: what returns twice, or asks for the stack, in an async function. */
#include <setjmp.h>
#include <ucontext.h>
#include <unistd.h>
#include "leaf.h"

async int test_main(void)
{
    void *buffer[5];
    ucontext_t u;
    if (__builtin_setjmp(buffer)) // expect-error: awaitc-setjmp
        return 1;
    getcontext(&u); // expect-error: awaitc-setjmp
    if (vfork() == 0) // expect-error: awaitc-setjmp
        return 2;
    void *p = __builtin_extract_return_addr(__builtin_return_address(0)); // expect-error: awaitc-stack-address
    p = __builtin_apply_args(); // expect-error: awaitc-stack-address
    return await t_int(p != NULL);
}
