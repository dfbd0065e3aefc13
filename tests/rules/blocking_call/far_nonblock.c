/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <sys/socket.h>
int far_set_nonblock(int fd);
int far_listen(int port);

int far_set_nonblock(int fd)
{
    int flags = fcntl(fd, F_GETFL, 0);
    if (flags < 0)
        return -1;
    flags |= O_NONBLOCK;
    return fcntl(fd, F_SETFL, flags);
}

int far_listen(int port)
{
    int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    (void)port;
    if (fd < 0 || listen(fd, 64) < 0 || far_set_nonblock(fd) < 0)
        return -1;
    return fd;
}
