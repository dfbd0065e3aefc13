#include <awaitc.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct conn {
    int fd, state;
    char *buf;
};
async int send_text(int fd, const char *text);
async int handshake(struct conn *c);
async int wait_writable(int fd);
int set_nonblocking(int fd);
size_t fill(char *buf, size_t size);

async int block(int fd, size_t size)
{
    char *buf = malloc(size); // EXPECT: awaitc-leak-on-cancel
    if (buf == NULL)
        return -ENOMEM;
    int n = (int)await aw_read(fd, buf, size);
    free(buf);
    return n;
}

async int accepted(int listener)
{
    for (;;) {
        int fd = await aw_accept(listener); // EXPECT: awaitc-leak-on-cancel
        if (fd < 0)
            return fd;
        int rc = await send_text(fd, "busy\n"); // ALLOW: awaitc-await-in-loop
        aw_close(fd);
        if (rc < 0)
            return rc;
    }
}

async int opened(const char *host, char *to, size_t size)
{
    int fd;
    fd = await aw_tcp_connect(host, 80); // EXPECT: awaitc-leak-on-cancel
    if (fd < 0)
        return fd;
    int n = (int)await aw_read(fd, to, size);
    if (n < 0)
        goto out;
    n = (int)await aw_write(fd, to, (size_t)n);
out:
    aw_close(fd);
    return n;
}

async int error_path(const struct sockaddr *to, socklen_t size)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0); // EXPECT: awaitc-leak-on-cancel
    if (fd < 0)
        return -errno;
    if (connect(fd, to, size) < 0) {
        int rc = await wait_writable(fd);
        if (rc < 0) {
            close(fd);
            return rc;
        }
    }
    return fd;
}

async struct conn *made(int fd)
{
    struct conn *c = calloc(1, sizeof *c); // EXPECT: awaitc-leak-on-cancel
    if (!c)
        return NULL;
    c->fd = fd;
    if (await handshake(c) < 0) {
        free(c);
        return NULL;
    }
    return c;
}

async int duplicate(int fd, const char *text)
{
    char *copy = strdup(text); // EXPECT: awaitc-leak-on-cancel
    if (copy == NULL)
        return -ENOMEM;
    copy[0] = '>';
    int rc = await send_text(fd, copy);
    free(copy);
    return rc;
}

async int printed(int fd, int n)
{
    char *text;
    if (asprintf(&text, "%d\n", n) < 0) // EXPECT: awaitc-leak-on-cancel
        return -ENOMEM;
    int rc = await send_text(fd, text);
    free(text);
    return rc;
}

async int in_form(int a, int b)
{
    char *buf = malloc(64); // EXPECT: awaitc-leak-on-cancel
    int n = 0, m = 0;
    if (buf != NULL)
        await aw_all(n = aw_read(a, buf, 32), m = aw_read(b, buf + 32, 32)); // ALLOW: awaitc-unchecked-result
    free(buf);
    return n + m;
}

static char *make_line(size_t size)
{
    char *line = malloc(size);
    if (line != NULL)
        fill(line, size);
    return line;
}

async int through_helper(int fd)
{
    char *line = make_line(80); // EXPECT: awaitc-leak-on-cancel
    if (line == NULL)
        return -ENOMEM;
    int rc = await send_text(fd, line);
    free(line);
    return rc;
}

static void conn_free(struct conn *c)
{
    if (c == NULL)
        return;
    free(c->buf);
    free(c);
}

async int freed_by_helper(int fd)
{
    struct conn *c = malloc(sizeof *c); // EXPECT: awaitc-leak-on-cancel
    if (c == NULL)
        return -ENOMEM;
    c->fd = fd;
    c->buf = NULL;
    int rc = await handshake(c);
    conn_free(c);
    return rc;
}

/* The defer comes too late. */
async int late(int fd)
{
    char *buf = malloc(64); // EXPECT: awaitc-leak-on-cancel
    if (buf == NULL)
        return -ENOMEM;
    int n = (int)await aw_read(fd, buf, 64);
    defer
    {
        free(buf);
    }
    return n < 0 ? n : await send_text(fd, buf);
}

async int grown(int fd)
{
    size_t size = 64, used = 0;
    char *buf = malloc(size); // EXPECT: awaitc-leak-on-cancel
    if (buf == NULL)
        return -ENOMEM;
    for (;;) {
        ssize_t n = await aw_read(fd, buf + used, size - used);
        if (n <= 0) {
            free(buf);
            return (int)n;
        }
        used += (size_t)n;
        if (used == size)
            break;
    }
    fill(buf, used);
    free(buf);
    return (int)used;
}

async int switched(int fd)
{
    int copy = dup(fd); // EXPECT: awaitc-leak-on-cancel
    if (copy == -1)
        return -errno;
    set_nonblocking(copy);
    int rc = await send_text(copy, "x");
    close(copy);
    return rc;
}

async int both_ends(int fd)
{
    int ends[2];
    if (pipe(ends) < 0) // EXPECT: awaitc-leak-on-cancel
        return -errno;
    int rc = await send_text(fd, "x");
    close(ends[0]);
    close(ends[1]);
    return rc;
}

async int with_timeout(const char *host)
{
    int fd = -1;
    int rc = await aw_timeout(500, fd = aw_tcp_connect(host, 80)); // EXPECT: awaitc-leak-on-cancel
    if (rc < 0 || fd < 0)
        return -1;
    rc = await send_text(fd, "x");
    aw_close(fd);
    return rc;
}

async int ternary(int fd, int big)
{
    char *buf = NULL;
    if (big)
        buf = malloc(4096); // EXPECT: awaitc-leak-on-cancel
    int n = (int)await aw_read(fd, buf != NULL ? buf : (char *)&big, sizeof big);
    if (buf != NULL)
        free(buf);
    return n;
}

async int assigned_in_condition(const char *host)
{
    int fd;
    if ((fd = await aw_tcp_connect(host, 80)) < 0) // EXPECT: awaitc-leak-on-cancel
        return fd;
    int rc = await send_text(fd, "x");
    aw_close(fd);
    return rc;
}

async int growing(int fd)
{
    char *line = NULL;
    size_t size = 0, used = 0;
    for (;;) {
        if (used == size) {
            size += 64;
            char *more = realloc(line, size); // EXPECT: awaitc-leak-on-cancel
            if (more == NULL)
                break;
            line = more;
        }
        ssize_t n = await aw_read(fd, line + used, 1);
        if (n <= 0 || line[used++] == '\n')
            break;
    }
    free(line);
    return (int)used;
}
