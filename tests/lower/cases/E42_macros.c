/* SPDX-License-Identifier: MIT */
/* E42, P1, F18, F19: awaits and whole functions that macros make; arguments used twice. */
#include "leaf.h"

#define TWICE(x) ((x) + (x))
#define TRY(e) do { int rc_ = (e); if (rc_ < 0) { say("fails " #e); return rc_; } } while (0)
#define FOREACH(i, n) for (int i = 0; i < await t_int(n); i++)
#define ASYNC_INT static async int
#define WAIT await
#define DEFINE(name, op)                                                                           \
    static async int name(int a, int b)                                                            \
    {                                                                                              \
        int left = await t_ev(a);                                                                  \
        return left op await t_ev(b);                                                              \
    }
#define CAT(a, b) a##b
#define BEGIN {
#define END }
#define RETURN(x) return WAIT t_int(x);

DEFINE(plus, +)
DEFINE(times, *)
DEFINE(CAT(mi, nus), -)

ASYNC_INT worker(int v)
BEGIN
    TRY(await t_ev(v));
    FOREACH(i, 2)
        say("i %d", i);
    RETURN(v + 1)
END

#define A(x) await plus(x, 1)
#define B(x) A(A(x))

async int test_main(void)
{
    say("%d", TWICE(await t_ev(4)));
    say("%d %d", await worker(3), WAIT worker(-2));
    say("%d %d %d", await plus(1, 2), await times(3, 4), await minus(9, 5));
    say("%d", B(B(1)));
    say("%d", CAT(aw, ait) t_ev(3));
    CAT(aw_, await) t_tick();
    return 0;
}
