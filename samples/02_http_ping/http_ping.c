/* SPDX-License-Identifier: MIT */
/*
 * What does the smallest useful HTTP server look like? It answers GET /ping with "pong", keeps
 * connections open, and takes requests that are sent ahead of the answers (pipelining).
 *
 *     http_ping [--sleep] [PORT]     --sleep: every answer first takes a nap of 2 ms
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <awaitc.h>

enum { MOST_CONNECTIONS = 10000 };

struct connection {
    int fd;
    size_t filled; /* bytes in the buffer: a request, and maybe the start of the next */
    char buffer[4096];
};

/*
 * Waits for a whole request header in the buffer. Its length; 0 when the other side has closed; or
 * a negated errno, -EMSGSIZE for a header that does not fit.
 */
static async ssize_t read_request(struct connection *c)
{
    for (;;) {
        const char *end = memmem(c->buffer, c->filled, "\r\n\r\n", 4);
        if (end != NULL)
            return end + 4 - c->buffer;
        if (c->filled == sizeof c->buffer)
            return -EMSGSIZE;
        ssize_t n = await aw_read(c->fd, c->buffer + c->filled, sizeof c->buffer - c->filled);
        if (n <= 0)
            return n;
        c->filled += (size_t)n;
    }
}

static bool keeps_alive(const char *request)
{
    if (strstr(request, " HTTP/1.0\r\n") != NULL)
        return strcasestr(request, "\nConnection: keep-alive") != NULL;
    return strcasestr(request, "\nConnection: close") == NULL;
}

static async ssize_t answer(int fd, const char *status, const char *body, bool keep_alive)
{
    char text[256];
    int size = snprintf(text, sizeof text,
                        "HTTP/1.1 %s\r\n"
                        "Content-Type: text/plain\r\n"
                        "Content-Length: %zu\r\n"
                        "Connection: %s\r\n"
                        "\r\n"
                        "%s",
                        status, strlen(body), keep_alive ? "keep-alive" : "close", body);
    return await aw_write_all(fd, text, (size_t)size);
}

/*
 * Answers a request that is too long, and reads on until the other side has seen the answer:
 * closing with bytes unread would reset the connection, and the answer with it.
 */
static async int refuse(struct connection *c)
{
    ssize_t n = await answer(c->fd, "431 Request Header Fields Too Large", "", false);
    if (n < 0)
        return (int)n;
    shutdown(c->fd, SHUT_WR);
    do {
        int rc = await aw_timeout(2000, n = aw_read(c->fd, c->buffer, sizeof c->buffer));
        if (rc < 0)
            return rc;
    } while (n > 0);
    return (int)n;
}

/* Answers requests until the other side has no more. 0, or a negated errno. */
static async int serve(int fd, bool naps)
{
    struct connection c;
    bool keep_alive = true;

    defer { aw_close(fd); }
    c.fd = fd;
    c.filled = 0;
    while (keep_alive) {
        ssize_t size = await read_request(&c);
        if (size == -EMSGSIZE)
            return await refuse(&c);
        if (size <= 0)
            return (int)size;
        c.buffer[size - 1] = '\0'; /* a string from here on: the last newline is not needed */
        keep_alive = keeps_alive(c.buffer);
        if (naps)
            await aw_sleep_ms(2);
        bool known = strncmp(c.buffer, "GET /ping ", strlen("GET /ping ")) == 0;
        ssize_t rc = known ? await answer(fd, "200 OK", "pong\n", keep_alive)
                           : await answer(fd, "404 Not Found", "not found\n", keep_alive);
        if (rc < 0)
            return (int)rc;
        c.filled -= (size_t)size;
        memmove(c.buffer, c.buffer + size, c.filled);
    }
    return 0;
}

/* One connection as a task: how it ended is of no interest to the others. */
static async void serve_one(int fd, bool naps)
{
    (void)await serve(fd, naps);
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
    bool naps = argc > 1 && strcmp(argv[1], "--sleep") == 0;
    const char *number = argc > 1 + naps ? argv[1 + naps] : "8080";

    signal(SIGPIPE, SIG_IGN); /* a peer that went away is a negative result, not a signal */
    int listener = aw_tcp_listen("127.0.0.1", (uint16_t)strtoul(number, NULL, 10), 1024);
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
        if (await aw_scope_spawn(&connections, serve_one(fd, naps)) < 0)
            aw_close(fd); /* no memory for another task */
    }
}
