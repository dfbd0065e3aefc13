/* SPDX-License-Identifier: MIT */
/*
 * D18: structs, unions and enums that a parameter list defines: seen in the body, hiding what the
 * file calls the same, without a tag, within each other.
 */
#include "leaf.h"

struct pair {
    char only;
};
enum { RED = 40 };

static async int sum(struct own { int a, b; } *p, enum side { LEFT = 3, RIGHT } s)
{
    struct own copy = *p;
    await t_tick();
    p->a += await t_ev(copy.b);
    return p->a * 10 + (s == RIGHT ? await t_ev(RIGHT) : LEFT);
}

static async int hiding(const struct pair { int a; struct inner { char c[3]; } in; } *p,
                        enum colour { RED = 2, BLUE } c)
{
    struct pair copy = {await t_ev(1), {{2, 3, 4}}};
    enum colour other = c == RED ? BLUE : RED;
    await t_tick();
    {
        struct pair {
            long long big[4];
        } deep = {{await t_ev(9)}};
        await t_tick();
        say("%d %d", (int)sizeof(struct pair), (int)deep.big[0]);
    }
    return (int)sizeof(struct pair) + copy.in.c[2] + p->in.c[0] + other * 100;
}

static async long untagged(struct __attribute__((packed)) { char c; int i; } *p,
                           union { int i; unsigned char b[4]; } *u, enum { ONE = 1 } e)
{
    long size = (long)sizeof *p;
    p->i += await t_ev(ONE);
    await t_tick();
    u->b[0] = (unsigned char)await t_ev(e);
    return size * 1000 + p->i;
}

struct inner {
    double d;
};

async int test_main(void)
{
    struct { int a, b; } two = {await t_ev(1), 5};
    struct { int a; char c[3]; } named = {7, {11, 12, 13}};
    struct __attribute__((packed)) { char c; int i; } tight = {1, 2};
    int word = 0;
    struct pair p = {(char)await t_ev(3)};
    say("%d", await sum((void *)&two, 4));
    say("%d", await hiding((void *)&named, 2));
    say("%ld", await untagged((void *)&tight, (void *)&word, 1));
    say("%d %d %d %d", two.a, (int)sizeof p, (int)sizeof(struct inner), RED + word);
    return 0;
}
