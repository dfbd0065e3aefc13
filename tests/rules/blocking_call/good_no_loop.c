/* SPDX-License-Identifier: MIT */
/* A command line tool: no loop, nothing to hold up. */
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int send_all(int fd, const char *p, size_t n)
{
    while (n > 0) {
        ssize_t k = write(fd, p, n);
        if (k <= 0)
            return -1;
        p += k;
        n -= (size_t)k;
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct addrinfo *ai;
    if (argc < 2 || getaddrinfo(argv[1], "80", NULL, &ai))
        return 1;
    int fd = socket(ai->ai_family, SOCK_STREAM, 0);
    if (connect(fd, ai->ai_addr, ai->ai_addrlen) < 0)
        return 1;
    send_all(fd, "GET /\r\n\r\n", 9);
    sleep(1);
    return system("true");
}
