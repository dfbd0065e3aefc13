/* SPDX-License-Identifier: MIT */
/* E24, E47: awaits where C wants a constant. */
#include "leaf.h"

async int test_main(void)
{
    static int kept = await t_int(1); // expect-error: awaitc-await-place|awaitc-parse
    switch (kept) {
    case await t_int(2): // expect-error: awaitc-await-place|awaitc-parse
        break;
    }
    enum { E = await t_int(3) }; // expect-error: awaitc-await-place|awaitc-parse
    struct {
        int b : await t_int(4); // expect-error: awaitc-await-place|awaitc-parse
    } s;
    _Static_assert(await t_int(5), "no"); // expect-error: awaitc-await-place|awaitc-parse
    (void)s;
    return E;
}
