/* SPDX-License-Identifier: MIT */
/*
 * E30, E31, E43: string literals, __func__ and its relatives, __LINE__, __COUNTER__, text that
 * looks like await.
 */
#include <assert.h>
#include <string.h>
#include "leaf.h"

#define SHOW(e) say("%s = %d", #e, (int)(e))
enum { BEFORE = __COUNTER__ };

static async int named(const char **out)
{
    const char *name = __func__;
    await t_tick();
    *out = __FUNCTION__;
    say("%s %s %s %zu", name, __FUNCTION__, __PRETTY_FUNCTION__[0] ? "pretty" : "", sizeof __func__);
    static const char *kept;
    kept = __func__;
    await t_tick();
    return kept == name && strcmp(kept, "named") == 0;
}

async int test_main(void)
{
    const char *outer;
    say("%d %s", await named(&outer), outer);
    say("%s %d", __func__, (int)strlen(__func__));
    say("%d", __LINE__);
    SHOW(await t_ev(3)); SHOW(1 + await t_ev(__LINE__ - 30));
    say("await x; async int y; spawn(z)");
    char text[] = "await t_int(1)";
    say("%s %zu", text, sizeof "await");
    const char *p = "abc" "def";
    await t_tick();
    say("%s %c %d", p, "xyz"[await t_int(1)], 'await' != 0);
    int a = __COUNTER__ - BEFORE, b = await t_int(__COUNTER__ - BEFORE);
    say("%d %d %d", a, b, __COUNTER__ - BEFORE);
    say("%s", strrchr(__FILE__, '/') != NULL ? strrchr(__FILE__, '/') + 1 : __FILE__);
    assert(await t_ev(1) == 1);
    return __LINE__ == 43 ? 0 : 1;
}
