/* SPDX-License-Identifier: MIT */
/*
 * D34, D35, D36, D37, D44: attributes on async functions, qualified and enum result types, asm
 * names.
 */
#include <string.h>
#include "leaf.h"

enum level { LOW, HIGH = 5 };
async int weak_one(int v) __attribute__((weak));
__attribute__((visibility("hidden"))) async int hidden_one(int v);
__attribute__((warn_unused_result, nonnull(1))) async int checked(const int *p);
async int renamed(int v) __asm__("renamed_for_the_linker");

async int placed_one(int v) __attribute__((section("placed_text")));

async int placed_one(int v)
{
    return await t_int(v + 4);
}

async int weak_one(int v)
{
    return await t_int(v + 1);
}

/* One list for the symbol and for the code. */
async int __attribute__((weak, noinline, visibility("default"), cold)) both_kinds(int v)
{
    return await t_int(v + 3);
}

async int hidden_one(int v)
{
    return await t_int(v + 2);
}

async int checked(const int *p)
{
    return await t_int(*p);
}

async int renamed(int v)
{
    return await t_int(v * 2);
}

__attribute__((noinline)) static async int not_inlined(int v)
{
    return await t_int(v);
}

static inline __attribute__((always_inline)) async int inlined(int v)
{
    return await t_int(v);
}

__attribute__((cold, optimize("O1"))) static async int cold_one(int v)
{
    return await t_int(v);
}

__attribute__((deprecated("old"))) static async int old_one(int v)
{
    return await t_int(v);
}

__attribute__((section(".text.special"), used)) static async int special(int v)
{
    return await t_int(v);
}

static async const int qualified(int v)
{
    return await t_int(v);
}

static async enum level level_of(int v)
{
    return await t_int(v) ? HIGH : LOW;
}

static async _Bool bool_of(int v)
{
    return await t_int(v);
}

__attribute__((returns_nonnull, malloc)) static async void *box(int v)
{
    static int cells[8];
    cells[v] = await t_int(v);
    return &cells[v];
}

async int test_main(void)
{
    say("%d", await placed_one(1));
    say("%d", await both_kinds(1));
    int x = 3;
    say("%d %d %d %d", await weak_one(1), await hidden_one(1), await checked(&x), await renamed(2));
    say("%d %d %d %d", await not_inlined(1), await inlined(2), await cold_one(3), await old_one(4));
    say("%d %d %d %d %d", await special(5), await qualified(6), await level_of(7), await bool_of(8), *(int *)await box(2));
    async int (*f)(int) = weak_one;
    return f != NULL ? await f(3) : 0;
}
