/* SPDX-License-Identifier: MIT */
/* R1: awaits that carry error codes; errno used between awaits without one in between. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include "leaf.h"

static async int try_open(const char *path)
{
    await t_tick();
    int fd = open(path, O_RDONLY);
    return fd < 0 ? -errno : fd;
}

async int test_main(void)
{
    say("%d", await try_open("/nowhere/at/all") == -ENOENT);
    int fd = await try_open("/dev/null");
    say("%d", fd >= 0);
    close(fd);
    errno = 0;
    if (close(-1) < 0)
        say("%d", errno == EBADF);
    return 0;
}
