/* SPDX-License-Identifier: MIT */
/*
 * 4: aw_timeout: 0 or AW_ETIMEDOUT, nested, around groups, the call cancelled and its clean-ups
 * run.
 */
// erased: none
#include "leaf.h"

static async int forever(int id)
{
    HOLD(id);
    await aw_park();
    return id;
}

static async int quick(int v)
{
    return await t_int(v);
}

static async int sleeper(int ms)
{
    HOLD(ms);
    await aw_sleep_ms((uint64_t)ms);
    return ms;
}

async int test_main(void)
{
    int n = -1, m = -1, rc = -1;
    say("%d %d", await aw_timeout(60000, n = quick(3)), n);
    say("%d %d", await aw_timeout(5, n = forever(1)) == AW_ETIMEDOUT, n);
    say("%d", await aw_timeout(5, forever(2)) == AW_ETIMEDOUT);
    say("%d %d", await aw_timeout(60000, n = sleeper(3)), n);
    say("%d %d", await aw_timeout(5, n = sleeper(60001)) == AW_ETIMEDOUT, n);
    say("%d %d %d %d", await aw_timeout(60000, rc = aw_try_all(n = quick(4), m = quick(5))), rc, n, m);
    n = m = -1;
    say("%d %d", await aw_timeout(5, rc = aw_try_all(n = quick(4), m = forever(6))) == AW_ETIMEDOUT, m);
    say("%d %d", await aw_timeout(60000, rc = aw_timeout(5, n = forever(7))), rc == AW_ETIMEDOUT);
    uint64_t ms = 5;
    say("%d", await aw_timeout((unsigned)await t_int((int)ms), aw_all(forever(8), quick(9))) == AW_ETIMEDOUT);
    say("%d %d", await aw_race(rc = aw_timeout(5, forever(10)), forever(11)), rc == AW_ETIMEDOUT);
    return 0;
}
