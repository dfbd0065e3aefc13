#include <awaitc.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct conn {
    int fd, state;
    char *buf;
};
struct server {
    int listener;
    struct conn *conns[8];
    int count;
};
async int send_text(int fd, const char *text);
async int serve(int fd);
async int serve_conn(struct conn *c);
async int wait_writable(int fd);
void server_add(struct server *s, struct conn *c);
void registry_put(int id, char *text);

static void free_text(char **text)
{
    free(*text);
}

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
}

async int deferred(int fd, size_t size)
{
    char *buf = malloc(size);
    if (buf == NULL)
        return -ENOMEM;
    defer
    {
        free(buf);
    }
    return (int)await aw_read(fd, buf, size);
}

async int cleaned(int fd, size_t size)
{
    __attribute__((cleanup(free_text))) char *buf = malloc(size);
    if (buf == NULL)
        return -ENOMEM;
    return (int)await aw_read(fd, buf, size);
}

async int cleaned_descriptor(const char *host)
{
    __attribute__((cleanup(close_fd))) int fd = await aw_tcp_connect(host, 80);
    if (fd < 0)
        return fd;
    return await send_text(fd, "x");
}

async int conditional_defer(const char *host)
{
    int fd = await aw_tcp_connect(host, 80);
    defer
    {
        if (fd >= 0)
            aw_close(fd);
    }
    if (fd < 0)
        return fd;
    return await send_text(fd, "x");
}

async int released_before(int fd, int n)
{
    char *text = malloc(64);
    if (text == NULL)
        return -ENOMEM;
    snprintf(text, 64, "%d", n);
    size_t len = strlen(text);
    free(text);
    return (int)len + await send_text(fd, "x");
}

async int acquired_behind(int fd)
{
    int rc = await send_text(fd, "x");
    char *text = malloc(64);
    if (text == NULL)
        return -ENOMEM;
    snprintf(text, 64, "%d", rc);
    rc = text[0];
    free(text);
    return rc;
}

/* The tasks own what they get. */
async int handed_to_task(struct server *s)
{
    for (;;) {
        int fd = await aw_accept(s->listener);
        if (fd < 0)
            return fd;
        if (s->count >= 8) {
            close(fd);
            continue;
        }
        s->count++;
        spawn(serve(fd));
    }
}

async int handed_in_object(struct server *s)
{
    for (;;) {
        int fd = await aw_accept(s->listener);
        if (fd < 0)
            return fd;
        struct conn *c = calloc(1, sizeof *c);
        if (c == NULL) {
            close(fd);
            continue;
        }
        c->fd = fd;
        spawn(serve_conn(c)); // ALLOW: awaitc-unbounded-spawn
    }
}

async int stored(struct conn *c, size_t size)
{
    char *buf = malloc(size);
    if (buf == NULL)
        return -ENOMEM;
    c->buf = buf;
    int n = (int)await aw_read(c->fd, buf, size);
    if (n < 0)
        c->state = n;
    return n;
}

async int kept_by_callee(struct server *s, int fd)
{
    struct conn *c = calloc(1, sizeof *c);
    if (c == NULL)
        return -ENOMEM;
    c->fd = fd;
    server_add(s, c);
    return await serve_conn(c);
}

static void keep(struct server *s, struct conn *c)
{
    s->conns[s->count++] = c;
}

async int kept_by_helper(struct server *s, int fd)
{
    struct conn *c = calloc(1, sizeof *c);
    if (c == NULL)
        return -ENOMEM;
    if (fd < 0) {
        free(c);
        return fd;
    }
    keep(s, c);
    return await serve_conn(c);
}

static async int serve_and_close(int fd)
{
    defer
    {
        close(fd);
    }
    return await send_text(fd, "x");
}

async int closed_by_callee(int listener)
{
    int fd = await aw_accept(listener);
    if (fd < 0)
        return fd;
    return await serve_and_close(fd);
}

async int returned(const char *host)
{
    int fd = await aw_tcp_connect(host, 80);
    if (fd < 0)
        return fd;
    return fd;
}

async int not_acquired(const char *host)
{
    int fd = await aw_tcp_connect(host, 80);
    if (fd < 0) {
        await aw_sleep_ms(100);
        return fd;
    }
    aw_close(fd);
    return 0;
}

async int borrowed(int fd, char *buf)
{
    int n = (int)await aw_read(fd, buf, 1);
    free(buf);
    close(fd);
    return n;
}

async int with_goto(int fd)
{
    int rc = -ENOMEM;
    char *buf = NULL;
    defer
    {
        free(buf);
    }
    buf = malloc(32);
    if (buf == NULL)
        goto out;
    rc = (int)await aw_read(fd, buf, 32);
out:
    return rc;
}

async int retried(const char *host)
{
    int fd;
    while ((fd = await aw_tcp_connect(host, 80)) < 0) {
        if (fd != -ECONNREFUSED)
            return fd;
        await aw_sleep_ms(200);
    }
    aw_close(fd);
    return 0;
}

async int timed_out(const char *host, int rounds)
{
    while (rounds-- > 0) {
        int fd = -1;
        if (await aw_timeout(500, fd = aw_tcp_connect(host, 80)) != 0 || fd < 0) {
            await aw_sleep_ms(50);
            continue;
        }
        aw_close(fd);
    }
    return 0;
}

async int only_big(int fd, int big)
{
    char *buf = NULL;
    if (big)
        buf = malloc(4096);
    free(buf);
    return await send_text(fd, "x");
}

async int put_in_table(int fd, int id)
{
    char *text = malloc(16);
    if (text == NULL)
        return -ENOMEM;
    if (id < 0) {
        free(text);
        return -EINVAL;
    }
    registry_put(id, text);
    return await send_text(fd, "ok");
}

async int passed_by_value(int listener)
{
    struct conn c = {.state = 1};
    c.fd = await aw_accept(listener);
    if (c.fd < 0)
        return c.fd;
    defer
    {
        aw_close(c.fd);
    }
    return await serve_conn(&c);
}

struct task_data {
    int fd;
};
async void run_task(struct task_data d);

async int in_value(int listener)
{
    for (;;) {
        int fd = await aw_accept(listener);
        if (fd < 0)
            return fd;
        if (fd > 1000) {
            close(fd);
            continue;
        }
        struct task_data d = {.fd = fd};
        spawn(run_task(d)); // ALLOW: awaitc-unbounded-spawn
    }
}

async int main(void)
{
    int listener = await aw_tcp_listen("0.0.0.0", 80);
    if (listener < 0)
        return 1;
    int fd = await aw_accept(listener);
    if (fd >= 0)
        aw_close(fd);
    aw_close(listener);
    return 0;
}
