/* SPDX-License-Identifier: MIT */
/* Async C that uses what the runtime has. */
#include <awaitc.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

static int resolve(const char *name, struct addrinfo **ai)
{
    return getaddrinfo(name, "80", NULL, ai);
}

async int fetch(const char *name, int fd)
{
    struct addrinfo *ai = NULL;
    char b[128];
    if (await aw_blocking(resolve(name, &ai)) != 0)
        return -1;
    ssize_t n = await aw_read(fd, b, sizeof b);
    ssize_t k = recv(fd, b, sizeof b, MSG_DONTWAIT);
    int r = await aw_blocking(fsync(fd));
    freeaddrinfo(ai);
    return n > 0 && k > 0 ? r : -1;
}
