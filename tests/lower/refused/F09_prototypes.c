/* SPDX-License-Identifier: MIT */
/* F9, F7, D34: what async functions that are only declared, or declared twice, cannot be. */
#include "leaf.h"

async int variadic(int n, ...); // expect-error: awaitc-async-declaration
async int constant(int v) __attribute__((const)); // expect-error: awaitc-async-declaration
inline async int inline_only(int v); // expect-error: awaitc-async-declaration
async int chosen(int v) __attribute__((ifunc("resolver"))); // expect-error: awaitc-async-declaration
typedef async int (*variadic_pointer)(int n, ...);

async int pure_before(int v) __attribute__((pure));
async int pure_before(int v) // expect-error: awaitc-async-declaration
{
    return await t_int(v);
}

inline async int inline_before(int v);
async int inline_before(int v) // expect-error: awaitc-async-declaration
{
    return await t_int(v);
}

async int nothing();
async int something();

async int test_main(void)
{
    variadic_pointer p = NULL;
    int x = await p(1, 2); // expect-error: awaitc-async-declaration
    x += await nothing() + await something(1);
    x += await something(); // expect-error: awaitc-async-declaration
    return x + await nothing(1); // expect-error: awaitc-async-declaration
}

async int something(int v)
{
    return await t_int(v);
}
