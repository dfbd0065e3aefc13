/* SPDX-License-Identifier: MIT */
/* 4: forms inside forms, several deep, with one outcome. */
#include "leaf.h"

static async int quiet(int v)
{
    int r = await t_int(v);
    await t_tick();
    return r;
}

static int plain(int v)
{
    return v * v;
}

async int test_main(void)
{
    int a = 0, b = 0, c = 0, rc = -1, rc2 = -1, which = -1;
    say("%d", await aw_timeout(60000, rc = aw_try_all(a = quiet(1), b = quiet(2))));
    say("%d %d %d", rc, a, b);
    await aw_all(aw_all(a = quiet(3), aw_all(b = quiet(4))), rc = aw_timeout(60000, c = quiet(5)));
    say("%d %d %d %d", a, b, c, rc);
    await aw_all(a = aw_blocking(plain(6)), b = aw_compute(plain(7)), c = quiet(8));
    say("%d %d %d", a, b, c);
    aw_task *t = spawn(quiet(9)), *u = spawn(quiet(10));
    await aw_all(rc = aw_join(t, &a), rc2 = aw_join(u, &b));
    say("%d %d %d %d", rc, rc2, a, b);
    rc = await aw_timeout(60000, which = aw_race(a = quiet(11)));
    say("%d %d %d", rc, which, a);
    rc = await aw_try_all(rc2 = aw_try_all(a = quiet(12), b = quiet(13)), c = quiet(14));
    say("%d %d %d %d %d", rc, rc2, a, b, c);
    t = spawn(quiet(15));
    say("%d", await aw_timeout(60000, rc = aw_join(t, &a)) + rc + a);
    int many[8];
    await aw_all(many[0] = quiet(0), many[1] = quiet(1), many[2] = quiet(2), many[3] = quiet(3), many[4] = quiet(4),
                 many[5] = quiet(5), many[6] = quiet(6), many[7] = quiet(7));
    for (int i = 0; i < 8; i++)
        rc += many[i];
    return rc;
}
