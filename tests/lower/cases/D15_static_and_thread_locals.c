/* SPDX-License-Identifier: MIT */
/* D15, D16, D17: block-scope statics, thread-locals, extern declarations and prototypes. */
#include "leaf.h"

static _Thread_local int per_thread = 5;
int visible_elsewhere = 11;

static async int count(int by)
{
    static int calls;
    static int table[3] = {1, 2, 3};
    static const char *const names[] = {"zero", "one", "two"};
    static int *pointer = &table[1];
    calls += by;
    await t_tick();
    {
        static int calls = 100; /* another one */
        calls++;
        await t_tick();
        table[calls % 3] += calls;
    }
    *pointer += await t_ev(1);
    say("%s %d %d", names[calls % 3], *pointer, table[2]);
    return calls;
}

static async int thread_locals(void)
{
    static _Thread_local int mine = 1;
    extern _Thread_local int per_thread;
    per_thread++;
    mine++;
    return await t_int(0) + (per_thread > 0) + (mine > 0);
}

static inline async int once(void)
{
    static int n;
    await t_tick();
    return ++n;
}

async int test_main(void)
{
    extern int visible_elsewhere;
    int p_ev(int);
    extern async int t_ev(int);
    async int t_int(int);
    say("%d %d %d", await count(1), await count(10), await count(100));
    await t_tick();
    visible_elsewhere += await t_ev(1);
    say("%d %d", p_ev(visible_elsewhere), await t_int(3));
    say("%d", await thread_locals());
    say("%d %d %d", await once(), await once(), await once());
    {
        static t_pair remembered;
        t_pair old = remembered;
        remembered = await t_mkpair(old.a + 1, 2);
        say("%d", remembered.a);
    }
    return visible_elsewhere;
}
