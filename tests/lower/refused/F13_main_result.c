/* SPDX-License-Identifier: MIT */
/* F13: an async main that does not return int. */
#include "leaf.h"

async void main(void) // expect-error: awaitc-async-main|awaitc-parse
{
    await t_tick();
}
