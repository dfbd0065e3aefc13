/* SPDX-License-Identifier: MIT */
/* 4: a form that waits, without await. */
#include "leaf.h"

async int test_main(void)
{
    int a, b;
    aw_all(a = t_int(1), b = t_int(2)); // expect-error: awaitc-missing-await
    int rc = aw_try_all(a = t_int(1)); // expect-error: awaitc-missing-await
    rc += aw_timeout(5, a = t_int(1)); // expect-error: awaitc-missing-await
    return rc;
}
