/* SPDX-License-Identifier: MIT */
/* Nested forms in functions that a header defines, for several files. */
#ifndef BOTH_H
#define BOTH_H

#include "leaf.h"

async int of_b(int v);

static inline async int both(int v, int *second)
{
    int a = 0, rc = 0;
    rc = await aw_timeout(60000, rc = aw_try_all(a = t_int(v), *second = t_int(v + 1)));
    return a * 10 + rc;
}

/* Nobody calls it. */
static inline async void unused(void)
{
    await aw_all(aw_all(t_tick()), aw_all(t_tick()));
}

#endif
