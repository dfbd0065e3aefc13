/* SPDX-License-Identifier: MIT */
/* Async work driven from a plain function that a task calls. */
#include <awaitc.h>

async int load(int fd)
{
    char b[16];
    return (int)await aw_read(fd, b, sizeof b);
}

static int load_sync(int fd)
{
    return aw_block_on(load(fd)); /* LEAF */
}

async int serve(int fd)
{
    await aw_yield();
    return load_sync(fd); // EXPECT: awaitc-nested-loop
}
