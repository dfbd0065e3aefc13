/* SPDX-License-Identifier: MIT */
/* D14: what a frame holds is aligned as a local is, also where records are packed. */
// native
#include "leaf.h"

#pragma pack(1)
typedef double pair_of_doubles __attribute__((vector_size(16)));
struct head {
    char kind;
    int length;
};

static async int inner(char c)
{
    pair_of_doubles v = {c, 2}, *at = &v;
    char odd = c;
    struct head h = {c, 7};
    int n = await t_ev(odd);
    *at += (pair_of_doubles){n, n};
    int again = await t_ev(h.length);
    return (int)(v[0] + v[1]) + again + (int)sizeof(struct head) + ((unsigned long)at % 16 == 0);
}

static async int outer(char c)
{
    char before = c;
    int n = await inner((char)(c + 1));
    return n + before;
}
#pragma pack()

async int test_main(void)
{
    say("%d", await outer(3));
    return 0;
}
