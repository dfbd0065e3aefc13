/* SPDX-License-Identifier: MIT */
/* F18: async on what is neither a function nor a pointer to one. */
#include "leaf.h"

async int number; // expect-error: awaitc-async-declaration
async int *pointer = 0; // expect-error: awaitc-async-declaration
async int (*fine)(int);
async int (*fine_table[2])(int);

async int test_main(void)
{
    async int local = 3; // expect-error: awaitc-async-declaration
    async int (*f)(int) = t_int;
    return local + await f(1) + (pointer == NULL) + number + (fine == fine_table[0]);
}
