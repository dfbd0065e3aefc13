#include <awaitc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buf { char data[8192]; size_t len, pos; };
struct http_conn { int fd; struct buf in, out; bool keep_alive; unsigned served; };
struct request { char method[8], path[256]; size_t content_length; bool expect_continue; };
struct response { int status; const char *body; size_t len; };
struct route { const char *prefix; async int (*handle)(struct http_conn *c, const struct request *r, struct response *out); };

bool parse_head(struct buf *b, struct request *r);
static const struct route routes[4];
async int handle_default(struct http_conn *c, const struct request *r, struct response *out);

static async int fill(struct http_conn *c)
{
    ssize_t n = await aw_read(c->fd, c->in.data + c->in.len, sizeof c->in.data - c->in.len);
    if (n <= 0)
        return n == 0 ? -ECONNRESET : (int)n;
    c->in.len += (size_t)n;
    return 0;
}
static async int read_head(struct http_conn *c, struct request *r)
{
    while (!parse_head(&c->in, r)) {
        if (c->in.len == sizeof c->in.data)
            return -EMSGSIZE;
        int rc = await fill(c);
        if (rc < 0)
            return rc;
    }
    return 0;
}
static async int skip_body(struct http_conn *c, size_t left)
{
    while (left > 0) {
        size_t have = c->in.len - c->in.pos;
        if (have == 0) {
            c->in.len = c->in.pos = 0;
            int rc = await fill(c);
            if (rc < 0)
                return rc;
            continue;
        }
        size_t take = have < left ? have : left;
        c->in.pos += take;
        left -= take;
    }
    return 0;
}
static async int send_response(struct http_conn *c, const struct response *r)
{
    char head[128];
    int n = snprintf(head, sizeof head, "HTTP/1.1 %d x\r\nContent-Length: %zu\r\n\r\n", r->status, r->len);
    ssize_t rc = await aw_write_all(c->fd, head, (size_t)n);
    if (rc < 0)
        return (int)rc;
    rc = await aw_write_all(c->fd, r->body, r->len);
    return rc < 0 ? (int)rc : 0;
}
static async int dispatch(struct http_conn *c, const struct request *r, struct response *out)
{
    for (size_t i = 0; i < 4; i++) {
        if (strncmp(r->path, routes[i].prefix, strlen(routes[i].prefix)) == 0)
            return await routes[i].handle(c, r, out);
    }
    return await handle_default(c, r, out);
}
async void serve_conn(int fd)
{
    struct http_conn *c = calloc(1, sizeof *c);
    if (c == NULL) {
        aw_close(fd);
        return;
    }
    defer { free(c); aw_close(fd); }
    c->fd = fd;
    do {
        struct request r = {0};
        struct response resp = {200, "", 0};
        if (await read_head(c, &r) < 0)
            break;
        if (r.expect_continue && await aw_write_all(fd, "HTTP/1.1 100 Continue\r\n\r\n", 25) < 0)
            break;
        int rc = await dispatch(c, &r, &resp);
        if (rc < 0)
            resp.status = 500;
        if (await send_response(c, &resp) < 0)
            break;
        if (await skip_body(c, r.content_length) < 0)
            break;
        c->served++;
    } while (c->keep_alive && c->served < 100);
}
async int main(void)
{
    int l = aw_tcp_listen(NULL, 8080, 128);
    if (l < 0)
        return 1;
    defer { aw_close(l); }
    for (;;) {
        int fd = await aw_accept(l);
        if (fd < 0) {
            if (fd == -EMFILE) {
                await aw_sleep_ms(100);
                continue;
            }
            return 1;
        }
        await serve_conn(fd);
    }
}
