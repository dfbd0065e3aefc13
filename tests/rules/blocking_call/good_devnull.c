/* SPDX-License-Identifier: MIT */
/* Opening /dev/null, asking the size of a terminal, local stats: no wait to speak of. */
#include "../loops.h"
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

static gboolean tick(gpointer data)
{
    struct winsize ws;
    struct stat st;
    int fd = open("/dev/null", O_RDWR);
    ioctl(0, TIOCGWINSZ, &ws);
    if (fstat(fd, &st) == 0 && stat(data, &st) == 0)
        close(fd);
    return lseek(fd, 0, SEEK_SET) == 0;
}

void start(char *path)
{
    g_timeout_add(5, tick, path);
}
