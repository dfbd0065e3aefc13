/* SPDX-License-Identifier: MIT */
/*
 * F6, F4, F20: async functions, tables and structs declared in a header, defined in three files;
 * equal static names.
 */
#include "shared.h"

static async int helper(int v)
{
    static int calls;
    calls++;
    return await t_int(v + calls);
}

async int a_entry(int v)
{
    return await helper(v) + await b_entry(v - 1);
}

static async int a_read(struct source *s, int n)
{
    s->seen += await helper(n);
    return s->seen;
}

const struct source_ops a_ops = {"a", a_read, helper};

async int test_main(void)
{
    say("%d %d", await a_entry(3), await c_recursive(4));
    struct source s = {&a_ops, 1}, t = {c_ops(), 2};
    say("%s %d %d", s.ops->name, await s.ops->read(&s, 5), await s.ops->map(6));
    say("%s %d %d", t.ops->name, await t.ops->read(&t, 5), await t.ops->map(6));
    for (int i = 0; i < 3; i++)
        say("%d", await registry[i](10 * i));
    say("%d %d", await header_twice(4), b_plain(5));
    t_big b = await b_big(7);
    say("%s %lld", b.name, b.v[11]);
    int v[3] = {1, 2, 3}, r = 0;
    await aw_all(r = b_entry(0), v[1] = c_recursive(2), header_store(&v[0], 9));
    say("%d %d %d", r, v[1], v[0]);
    aw_task *task = spawn(b_big(3));
    say("%d %d", await aw_join(task, &b), (int)b.v[1]);
    return 0;
}
