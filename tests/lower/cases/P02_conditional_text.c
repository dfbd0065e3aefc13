/* SPDX-License-Identifier: MIT */
/*
 * P2, P3, P4, P14: #ifdef inside bodies, #line, line splices, digraphs, comments in odd places,
 * unicode names.
 */
// flags: -DWITH_EXTRA -DFOUR=4
#include "leaf.h"

async int test_main(void)
{
    int total = 0;
#ifdef WITH_EXTRA
    total += await t_ev(FOUR);
#else
    total += await t_ev_missing(1);
#endif
#if FOUR > 3 && defined WITH_EXTRA
    if (await t_ev(1))
#endif
    {
        total++;
    }
    total += aw\
ait t_ev(2);
    total += await /* here */ t_ev /* and */ ( /* there */ 3 ) // and there
        ;
    int a<:2:> = <%1, await t_ev(5)%>;
    int größe = await t_ev(6), \u00e9t\u00e9 = 1;
    total += a[1] + größe + été;
#line 1000 "another_file.c"
    say("%d %s", __LINE__, __FILE__);
    await t_tick();
    say("%d", await t_ev(__LINE__));
    /* await t_ev(99); */
    // await t_ev(98); \
    await t_ev(97);
    return total;
}
