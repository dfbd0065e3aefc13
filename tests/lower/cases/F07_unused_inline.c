/* SPDX-License-Identifier: MIT */
/*
 * F7: inline functions that the unit does not use, and that call what is linked nowhere: each other,
 * themselves, declared before, with forms. No compiler emits them, without optimisation either.
 */
#include "leaf.h"

async int linked_nowhere(int v);
static inline async int declared(int v);

static inline async int unused(int v)
{
    return await linked_nowhere(v) + 1;
}

static inline async int declared(int v)
{
    return await unused(v) + 1;
}

static inline async int recursive(int v)
{
    return v > 0 ? await recursive(v - 1) + await linked_nowhere(v) : 0;
}

static inline async int forms(int v)
{
    int a, b;
    await aw_all(a = linked_nowhere(v), b = unused(v));
    aw_task *t = spawn(linked_nowhere(a));
    aw_detach(t);
    return a + b;
}

static inline int plain(int v)
{
    return aw_block_on(linked_nowhere(v));
}

/* Used by the address alone, and by a macro. */
static inline async int by_address(int v)
{
    return await t_int(v) + 1;
}
static inline async int by_macro(int v)
{
    return await t_int(v) + 2;
}
static async int (*const pointer)(int v) = by_address;
#define USE(v) by_macro(v)

async int test_main(void)
{
    say("%d %d", await pointer(1), await USE(2));
    return 0;
}
