/* SPDX-License-Identifier: MIT */
/* F13: an async main that no start-up code finds. */
#include "leaf.h"

static async int main(void) // expect-error: awaitc-async-main
{
    return await t_int(1);
}
