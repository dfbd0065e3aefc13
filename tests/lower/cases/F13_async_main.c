/* SPDX-License-Identifier: MIT */
/* F13: async main(void); falling off the end gives 0. */
// own-main
#include "leaf.h"

async int main(void)
{
    t_init();
    for (int i = 0; i < 3; i++)
        say("%d", await t_ev(i));
    t_finish();
}
