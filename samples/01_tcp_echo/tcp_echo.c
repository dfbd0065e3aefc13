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

/* Sends back what comes in, until the other side closes. 0, or a negated errno. */
static async int echo(int fd)
{
    char buffer[4096];

    defer { aw_close(fd); } /* on every way out, a cancel included */
    for (;;) {
        ssize_t n = await aw_read(fd, buffer, sizeof buffer);
        if (n <= 0)
            return (int)n;
        ssize_t rc = await aw_write_all(fd, buffer, (size_t)n);
        if (rc < 0)
            return (int)rc;
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

    for (;;) {
        int fd = await aw_accept(listener);
        if (fd < 0) {
            fprintf(stderr, "cannot accept: %s\n", strerror(-fd));
            await aw_sleep_ms(100); /* out of descriptors, say: let others finish */
            continue;
        }
        aw_task *connection = spawn(echo(fd));
        if (connection == NULL)
            aw_close(fd); /* no memory for another task */
        aw_detach(connection);
    }
}
