/* SPDX-License-Identifier: MIT */
/*
 * F4, E37, E4: async pointers in variables, tables, parameters, typedefs, fields, casts, results,
 * comparisons, function arguments.
 */
#include "leaf.h"

typedef async int (*handler)(int);
typedef async int function_type(int);
typedef struct stream stream;
struct ops {
    const char *name;
    async int (*open)(stream *s, int how);
    async int (*read)(stream *s, char *buf, int len);
    handler filter;
    struct {
        handler list[2];
    } nested;
};
struct stream {
    const struct ops *ops;
    int state;
};

static async int add_one(int v)
{
    return await t_int(v + 1);
}

static async int twice(int v)
{
    return await t_int(v * 2);
}

static async int ready(int v)
{
    return -v;
}

static async int file_open(stream *s, int how)
{
    s->state = await t_int(how);
    return how;
}

static async int file_read(stream *s, char *buf, int len)
{
    int n = 0;
    while (n < len && n < s->state) {
        buf[n] = (char)('a' + await t_int(n));
        n++;
    }
    return n;
}

static const handler table[] = {add_one, twice, &ready, t_ev};
static async int (*const plain_table[2])(int) = {[1] = add_one, [0] = twice};
static const struct ops file_ops = {"file", file_open, file_read, .filter = twice, .nested = {{add_one, twice}}};
static handler current = twice;
extern function_type add_two;

async int add_two(int v)
{
    return await add_one(await add_one(v));
}

static async int apply(async int (*f)(int), int v)
{
    return await f(await f(v));
}

static async int apply_decayed(function_type f, int v)
{
    return await f(v);
}

static handler choose(int which)
{
    return which ? add_one : twice;
}

static async handler choose_later(int which)
{
    await t_tick();
    return choose(which);
}

static async int each(const handler *list, int n, int v)
{
    for (int i = 0; i < n; i++)
        v = await list[i](v);
    return v;
}

async int test_main(void)
{
    handler h = add_one;
    async int (*local)(int) = twice;
    say("%d %d %d", await h(1), await local(5), await (*local)(6));
    h = local;
    say("%d %d", await h(4), h == twice);
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++)
        say("%d", await table[i]((int)i + 10));
    say("%d %d", await plain_table[0](3), await (*plain_table[1])(3));
    stream s = {&file_ops, 0};
    char buf[8] = "";
    say("%d", await s.ops->open(&s, 5));
    say("%d %s", await s.ops->read(&s, buf, (int)sizeof buf - 1), buf);
    say("%d %d", await file_ops.filter(21), await file_ops.nested.list[await t_int(1)](4));
    say("%d %d", await apply(add_one, 1), await apply(table[1], 3));
    say("%d", await apply_decayed(add_two, 5));
    say("%d %d", await choose(0)(8), await (await choose_later(1))(8));
    say("%d", await each(table, 3, 2));
    void *raw = (void *)add_one;
    handler back = (handler)raw;
    say("%d %d", await back(1), back == add_one && back != twice && back != NULL);
    say("%d", await ((async int (*)(int))raw)(41));
    handler *slot = &current;
    say("%d", await (*slot)(7));
    *slot = await t_int(0) ? NULL : add_one;
    if (current)
        say("%d", await current(7));
    struct ops copy = file_ops;
    copy.filter = t_ev;
    await t_tick();
    say("%d", await copy.filter(3));
    handler two[2] = {await t_int(1) ? add_one : twice, add_two}, *end = two + 2;
    int v = 0;
    for (handler *p = two; p < end; p++)
        v += await (*p)(v);
    int (*plain)(int) = p_ev;
    return v + plain(1) + await (h ? h : add_one)(0);
}
