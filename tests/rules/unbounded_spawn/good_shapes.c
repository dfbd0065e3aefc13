#include <awaitc.h>
#include <stdatomic.h>
#include <stdbool.h>
#define MAX 100
struct ctx { int fd; atomic_int active; int nconn, max_conn; aw_scope scope; };
static int active;
async int serve(int fd);
async void serve_one(struct ctx *c, int fd);
typedef struct aw_sem aw_sem;
async void aw_sem_wait_slot(aw_sem *s);
static bool full(const struct ctx *c) { return c->nconn >= c->max_conn; }
async int a(struct ctx *c)
{
    for (;;) {
        int fd = await aw_accept(c->fd);
        if (fd < 0)
            return fd;
        if (atomic_load(&c->active) >= MAX) {
            aw_close(fd);
            continue;
        }
        atomic_fetch_add(&c->active, 1);
        spawn(serve_one(c, fd));
    }
}
async int b(struct ctx *c)
{
    int fd;
    while ((fd = await aw_accept(c->fd)) >= 0) {
        if (full(c))
            aw_close(fd);
        else
            spawn(serve_one(c, fd));
    }
    return fd;
}
async int d(struct ctx *c)
{
    aw_scope_init(&c->scope, MAX);
    for (;;) {
        int fd = await aw_accept(c->fd);
        if (fd < 0)
            break;
        if (await aw_scope_spawn(&c->scope, serve(fd)) < 0)
            break;
    }
    return await aw_scope_wait(&c->scope);
}
async int e(int fd)
{
    while (active < MAX) {
        int c = await aw_accept(fd);
        if (c < 0)
            return c;
        active++;
        spawn(serve(c));
    }
    return 0;
}
async int f(int listener)
{
    for (;;) {
        int fd = await aw_accept(listener);
        if (fd < 0)
            return fd;
        int rc = await serve(fd);
        if (rc < 0)
            return rc;
    }
}
async int g(const int *fds, size_t n)
{
    aw_task *t[4] = { 0 };
    size_t k = n < 4 ? n : 4;
    for (size_t i = 0; i < k; i++)
        t[i] = spawn(serve(fds[i]));
    int bad = 0;
    for (size_t i = 0; i < k; i++) {
        int r = 0;
        if (await aw_join(t[i], &r) < 0 || r < 0)
            bad++;
    }
    return bad;
}
async int h(int fd)
{
    aw_task *reader = spawn(serve(fd));
    char buf[16];
    ssize_t n;
    while ((n = await aw_read(fd, buf, sizeof buf)) > 0) {
        if (buf[0] == 'q')
            break;
    }
    int r = 0;
    return await aw_join(reader, &r) < 0 ? -1 : r;
}
