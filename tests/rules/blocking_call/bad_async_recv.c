/* SPDX-License-Identifier: MIT */
/* Async C: plain calls where the runtime has its own. */
#include <awaitc.h>
#include <sys/socket.h>
#include <netdb.h>
#include <stdio.h>
#include <unistd.h>

async int greet(int fd)
{
    char b[64];
    ssize_t n = recv(fd, b, sizeof b, 0); // EXPECT: awaitc-blocking-call
    if (n <= 0)
        return -1;
    await aw_sleep_ms(1);
    return (int)await aw_write(fd, b, (size_t)n);
}

async int lookup(const char *name, struct addrinfo **out)
{
    await aw_yield();
    return getaddrinfo(name, "80", NULL, out); // EXPECT: awaitc-blocking-call
}
