/* SPDX-License-Identifier: MIT */
/*
 * How does a server handle many connections at once? One task a connection: the code of each reads
 * from top to bottom, and while it waits, the others run.
 *
 *     tcp_echo [PORT]     port 0: any free one; the default is 7000
 */
#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <awaitc.h>

enum { MOST_CONNECTIONS = 1000 };

/* Sends back what comes in, until the other side closes or is gone. */
static async void echo(int fd)
{
    char buffer[4096];

    defer { aw_close(fd); } /* on every way out, a cancel included */
    for (;;) {
        ssize_t n = await aw_read(fd, buffer, sizeof buffer);
        if (n <= 0 || await aw_write_all(fd, buffer, (size_t)n) < 0)
            return;
    }
}

static unsigned port_of(int listener)
{
    struct sockaddr_in address = {0};
    socklen_t size = sizeof address;

    if (getsockname(listener, (struct sockaddr *)&address, &size) != 0)
        return 0;
    return ntohs(address.sin_port);
}

async int main(int argc, char **argv)
{
    uint16_t port = argc > 1 ? (uint16_t)strtoul(argv[1], NULL, 10) : 7000;

    signal(SIGPIPE, SIG_IGN); /* a peer that went away is a negative result, not a signal */
    int listener = aw_tcp_listen("127.0.0.1", port, 128);
    if (listener < 0) {
        fprintf(stderr, "cannot listen: %s\n", strerror(-listener));
        return 1;
    }
    printf("listening on 127.0.0.1:%u\n", port_of(listener));
    fflush(stdout);

    /* At the limit the next connection waits in the kernel until another one ends. */
    aw_scope connections;
    aw_scope_init(&connections, MOST_CONNECTIONS);
    for (;;) {
        int fd = await aw_accept(listener);
        if (fd < 0) {
            fprintf(stderr, "cannot accept: %s\n", strerror(-fd));
            await aw_sleep_ms(100); /* out of descriptors, say: let others finish */
            continue;
        }
        if (await aw_scope_spawn(&connections, echo(fd)) < 0)
            aw_close(fd); /* no memory for another task */
    }
}
