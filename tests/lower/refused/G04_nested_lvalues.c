/* SPDX-License-Identifier: MIT */
/* 4: what a form within a form cannot assign to or pass on. */
#include "leaf.h"

typedef int vector __attribute__((vector_size(16)));

static async struct result { int v; } own(void)
{
    struct result r = {0};
    await aw_all(aw_all(t_tick())); // expect-error: awaitc-unsupported
    return r;
}

async int test_main(void)
{
    register int fast = 0;
    vector w = {0};
    enum local { ONE, TWO } e = ONE;
    struct { int n; unsigned bits : 3; } s = {0, 0};
    struct local_type *lp = NULL;
    int rc = 0;
    await aw_all(aw_all(fast = t_int(1))); // expect-error: awaitc-form-operand
    await aw_all(rc = aw_try_all(w[rc] = t_int(1))); // expect-error: awaitc-form-operand
    await aw_all(aw_all(s.bits = t_int(1))); // expect-error: awaitc-unsupported
    await aw_all(aw_all(lp = t_ptr(&s), s.n = t_int(1))); // expect-error: awaitc-unsupported
    return rc + fast + (int)e + (lp != NULL);
}
