/* SPDX-License-Identifier: MIT */
/*
 * F14: aw_block_on and aw_runtime_block_on from plain code, with every kind of result and
 * arguments.
 */
// own-main
#include "leaf.h"

static int stored;

static async void set(int v)
{
    await t_tick();
    stored = v;
}

static async int add(int a, double b, t_pair p, const char *s)
{
    await t_tick();
    return a + (int)b + p.b + s[0];
}

static int helper(int v)
{
    return aw_block_on(t_int(v)) + aw_block_on(t_int(v)) * 2;
}

int main(int argc, char **argv)
{
    (void)argv;
    t_init();
    aw_block_on(set(5));
    say("%d", stored);
    t_pair p = aw_block_on(t_mkpair(1, 2));
    say("%d %d", p.a, p.b);
    say("%s %lld", aw_block_on(t_mkbig(3)).name, aw_block_on(t_mkbig(3)).v[1]);
    say("%d", aw_block_on(add(argc, 2.5, (t_pair){3, 4}, "a")));
    say("%d", helper(4));
    async int (*f)(int) = t_ev;
    say("%d", aw_block_on(f(9)));
    aw_config config = AW_CONFIG_DEFAULT;
    config.workers = 1;
    aw_runtime *rt = aw_runtime_new(&config);
    for (int i = 0; i < 3; i++)
        say("%d", aw_runtime_block_on(rt, t_ev(i)));
    aw_runtime_block_on(rt, set(8));
    aw_runtime_free(rt);
    if (aw_block_on(t_int(1)) && stored == 8)
        say("%.1f", aw_block_on(t_f64(1.5)));
    t_finish();
    return 0;
}
