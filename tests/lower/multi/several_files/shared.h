/* SPDX-License-Identifier: MIT */
/* What the three files share. */
#ifndef SHARED_H
#define SHARED_H
#include "leaf.h"

struct source;
struct source_ops {
    const char *name;
    async int (*read)(struct source *s, int n);
    async int (*map)(int v);
};
struct source {
    const struct source_ops *ops;
    int seen;
};

extern async int (*registry[3])(int);
extern const struct source_ops a_ops;
extern int counter;
const struct source_ops *c_ops(void);
async int a_entry(int v);
async int b_entry(int v);
async int c_recursive(int n);
async t_big b_big(int v);
int b_plain(int v);

static inline async int header_twice(int v)
{
    static int used;
    used++;
    return await t_int(v * 2) + used - used;
}

static inline async void header_store(int *where, int v)
{
    await t_tick();
    *where = v;
}
#endif
