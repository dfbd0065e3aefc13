/* SPDX-License-Identifier: MIT */
/* F13: an async main with other parameters. */
#include "leaf.h"

async int main(int argc, char **argv, char **envp) // expect-error: awaitc-async-main
{
    (void)argv;
    (void)envp;
    return await t_int(argc);
}
