/* SPDX-License-Identifier: MIT */
/* S22, D38: paths that end in exit, and noreturn async functions. */
// own-main
#include <stdlib.h>
#include "leaf.h"

static async _Noreturn void stop(int status)
{
    say("stop %d", await t_ev(status));
    t_finish();
    exit(status);
}

static async int choose(int v)
{
    if (await t_ev(v))
        return v;
    await stop(9);
}

async int main(void)
{
    t_init();
    say("%d", await choose(1));
    say("%d", await choose(0));
    say("never");
    return 0;
}
