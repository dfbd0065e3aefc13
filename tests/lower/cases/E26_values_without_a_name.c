/* SPDX-License-Identifier: MIT */
/* E26, D18: statement expressions whose value has a type that has no name at file scope. */
#include "leaf.h"
#define MAXP(a, b)                                                                                 \
    ({                                                                                             \
        __typeof__(a) a_ = (a);                                                                    \
        __typeof__(b) b_ = (b);                                                                    \
        a_->v > b_->v ? a_ : b_;                                                                   \
    })
static async int inner_type(int k)
{
    int r = ({
                struct {
                    int a, b;
                } v = {await t_int(k), 2};
                v.b += await t_int(1);
                v;
            }).b;
    struct {
        int v;
        char pad[20];
    } x = {1}, y = {await t_int(5)};
    r = r * 10 + MAXP(&x, (await t_tick(), &y))->v;
    r = r * 10 + (({
                      await t_tick();
                      x;
                  }).v +
                  await t_int(2));
    __typeof__(x) z = ({
        __typeof__(x) t = y;
        t.v += await t_int(3);
        t;
    });
    __auto_type w = ({
        __auto_type t = z;
        t.v -= await t_int(k);
        t;
    });
    await t_tick();
    return r * 100 + z.v * 10 + w.v;
}
async int test_main(void)
{
    say("%d", await inner_type(1));
    say("%d", await inner_type(3));
    return 0;
}
