/* SPDX-License-Identifier: MIT */
/* R17, P15: long functions with many awaits and deep expressions, under the sanitizers. */
#include "leaf.h"

#define A1(v) v = v * 3 + await t_int(v & 15) - (v >> 3);
#define A4(v) A1(v) A1(v) A1(v) A1(v)
#define A16(v) A4(v) A4(v) A4(v) A4(v)
#define A64(v) A16(v) A16(v) A16(v) A16(v)
#define P1(e) (1 + (e))
#define P4(e) P1(P1(P1(P1(e))))
#define P16(e) P4(P4(P4(P4(e))))
#define P64(e) P16(P16(P16(P16(e))))
#define W1(e) (await t_int(e) + 1)
#define W4(e) W1(W1(W1(W1(e))))
#define W16(e) W4(W4(W4(W4(e))))

static async unsigned many(unsigned v)
{
    A64(v) A64(v) A64(v) A64(v)
    return v;
}

async int test_main(void)
{
    say("%u", await many(7));
    say("%d", P64(await t_ev(P16(1))));
    say("%d", W16(W16(5)));
    say("%d", W4(1) + W4(2) * (W4(3) - (W4(4) ^ (W4(5) | W4(6) & (W4(7) + W4(8))))));
    int deep = 0;
    {{{{{{{{{{{{{{{{ deep = await t_ev(16); }}}}}}}}}}}}}}}}
    if (deep) if (deep) if (deep) if (deep) if (deep) if (deep) if (await t_int(deep)) if (deep) deep++;
    return deep;
}
