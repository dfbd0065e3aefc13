/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <unistd.h>
struct backend {
    const char *name;
    int (*store)(int fd, const void *p, size_t n);
};
extern const struct backend disk_backend;

static int disk_store(int fd, const void *p, size_t n)
{
    if (pwrite(fd, p, n, 0) < 0)
        return -1;
    return fdatasync(fd); /* LEAF */
}

const struct backend disk_backend = {"disk", disk_store};
