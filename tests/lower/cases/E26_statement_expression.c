/* SPDX-License-Identifier: MIT */
/*
 * E26, S24: statement expressions with awaits in every operand position, nested, left by goto and
 * return.
 */
#include "leaf.h"

#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })

static async int leave(int how)
{
    int r = 100 + ({
        if (how == 1)
            return -1;
        if (how == 2)
            goto out;
        await t_ev(how);
    });
    say("stayed");
    return r;
out:
    say("out");
    return -2;
}

static async int loops(void)
{
    int sum = 0;
    for (int i = 0; i < 6; i++) {
        sum += i * ({
            if (i == 1)
                continue;
            if (i == 4)
                break;
            HOLD(i);
            await t_ev(i);
        });
    }
    return sum;
}

async int test_main(void)
{
    int x = 2;
    say("%d", ({ await t_ev(1); }));
    say("%d", ({ x++, (await t_tick(), x + 1); }));
    say("%d", ({ int y = await t_ev(3); x += y; await t_ev(x); x * 10; }) + x);
    say("%d", x + ({ int x = 7; await t_tick(); x++; x; }) * ({ int x = await t_ev(1); x + 1; }));
    say("%d", MAX(await t_ev(4), await t_ev(9)));
    say("%d", MAX(MAX(await t_ev(4), p_ev(2)), MAX(1, await t_ev(3))));
    t_pair p = ({ t_pair q = await t_mkpair(1, 2); q.b = 5; q; });
    say("%d %d", p.a, p.b);
    say("%d", ({ t_pair q = {6, await t_ev(7)}; q; }).b);
    ({ await t_ev(8); (void)0; });
    say("%s", ({ char *s = "ab"; await t_tick(); s + 1; }));
    if (({ int t = await t_ev(0); !t; }) && ({ await t_ev(2); }))
        say("both");
    int a[2] = {({ await t_ev(1); }), ({ int z = 0; while (z < 3) z += await t_ev(1); z; })};
    say("%d %d", a[0], a[1]);
    a[({ await t_ev(1); })] = ({ HOLD(40); await t_ev(41); });
    say("%d", a[1]);
    say("%d", p_ev(1) + ({ p_ev(2) + ({ p_ev(3) + await t_ev(4); }); }));
    say("%d %d %d", await leave(0), await leave(1), await leave(2));
    say("%d", await loops());
    while (({ await t_ev(x--); x > 3; }))
        say("x %d", x);
    return 0;
}
