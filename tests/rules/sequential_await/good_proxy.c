#include <awaitc.h>
#include <stddef.h>
#include <string.h>

struct upstream { const char *host; uint16_t port; int failures; };
struct pool { struct upstream up[8]; unsigned n, next; };
struct session { int client, server; uint64_t up, down; };
struct cache;
async int cache_get(struct cache *c, const char *key, char *out, size_t cap);
async int cache_put(struct cache *c, const char *key, const char *val, size_t len);
async int origin_get(const char *key, char *out, size_t cap);
async void audit(const char *what, const char *key);

static async int64_t pump(int from, int to, uint64_t *count)
{
    char buf[16384];
    for (;;) {
        ssize_t n = await aw_read(from, buf, sizeof buf);
        if (n <= 0)
            return n;
        ssize_t rc = await aw_write_all(to, buf, (size_t)n);
        if (rc < 0)
            return rc;
        *count += (uint64_t)n;
    }
}
async int relay(struct session *s)
{
    int64_t a, b;
    await aw_race(a = pump(s->client, s->server, &s->up), b = pump(s->server, s->client, &s->down));
    (void)a; (void)b;
    return 0;
}
static async int connect_any(struct pool *p)
{
    for (unsigned tries = 0; tries < p->n; tries++) {
        struct upstream *u = &p->up[(p->next + tries) % p->n];
        int fd = await aw_tcp_connect(u->host, u->port);
        if (fd >= 0) {
            p->next = (p->next + tries + 1) % p->n;
            return fd;
        }
        u->failures++;
    }
    return -EHOSTUNREACH;
}
async int handle(struct pool *p, int client)
{
    struct session s = {.client = client};
    s.server = await connect_any(p);
    if (s.server < 0) {
        (void)await aw_write_all(client, "503", 3);
        return s.server;
    }
    defer { aw_close(s.server); }
    return await relay(&s);
}
/* read through */
async int lookup(struct cache *c, const char *key, char *out, size_t cap)
{
    int n = await cache_get(c, key, out, cap);
    if (n >= 0)
        return n;
    n = await origin_get(key, out, cap);
    if (n < 0)
        return n;
    (void)await cache_put(c, key, out, (size_t)n);
    return n;
}
/* health checks with pacing */
async void health(struct pool *p)
{
    for (;;) {
        for (unsigned i = 0; i < p->n; i++) {
            int fd = -1;
            if (await aw_timeout(1000, fd = aw_tcp_connect(p->up[i].host, p->up[i].port)) != 0 || fd < 0) {
                p->up[i].failures++;
                continue;
            }
            p->up[i].failures = 0;
            aw_close(fd);
            await aw_sleep_ms(50);
        }
        await aw_sleep_ms(5000);
    }
}
