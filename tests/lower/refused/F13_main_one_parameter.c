/* SPDX-License-Identifier: MIT */
/* F13: an async main with one parameter. */
#include "leaf.h"

async int main(int argc) // expect-error: awaitc-async-main|awaitc-parse
{
    return await t_int(argc);
}
