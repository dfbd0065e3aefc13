/* SPDX-License-Identifier: MIT */
/* F13: async main with arguments, a result, a recursive helper and clean-ups. */
// own-main
// args: one two
#include "leaf.h"

static async int length(const char *s)
{
    return *s ? 1 + await length(s + 1) : await t_int(0);
}

async int main(int argc, char **argv)
{
    t_init();
    HOLD(1);
    int total = 0;
    for (int i = 1; i < argc; i++)
        total += await length(argv[i]);
    say("%d %d %s", argc, total, argv[argc] == NULL ? "null" : "not null");
    argv++;
    await t_tick();
    say("%s", *argv);
    t_finish();
    return total;
}
