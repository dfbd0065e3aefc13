/* SPDX-License-Identifier: MIT */
/* The task awaits; the program's main drives. */
#include <awaitc.h>

async int load(int fd)
{
    char b[16];
    return (int)await aw_read(fd, b, sizeof b);
}

async int serve(int fd)
{
    int n = await load(fd);
    return n < 0 ? -1 : await load(fd);
}

int main(void)
{
    return aw_block_on(serve(0));
}
