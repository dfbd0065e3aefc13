/* SPDX-License-Identifier: MIT */
/* S13, D4: __label__, equal label names in different statement expressions, shadowed names. */
#include "leaf.h"

#define FIND(array, n, what)                                                                       \
    ({                                                                                             \
        __label__ found;                                                                           \
        int at_ = -1;                                                                              \
        for (int i_ = 0; i_ < (n); i_++)                                                           \
            if (await t_int((array)[i_]) == (what)) {                                              \
                at_ = i_;                                                                          \
                goto found;                                                                        \
            }                                                                                      \
        say("not found");                                                                          \
    found:                                                                                         \
        at_;                                                                                       \
    })

async int test_main(void)
{
    int v[4] = {3, 1, 4, 1};
    say("%d %d", FIND(v, 4, 4), FIND(v, 4, 9));
    say("%d", FIND(v, 4, FIND(v, 4, 1)) + FIND(v, 4, 3));
    {
        __label__ out, again;
        int n = 0;
    again:
        if (await t_ev(n) > 1)
            goto out;
        n++;
        goto again;
    out:
        say("out %d", n);
    }
    {
        __label__ out;
        goto out;
    out:
        await t_ev(7);
    }
    goto out;
    say("never");
out:
    return 0;
}
