#include <awaitc.h>
#include <stdbool.h>
#include <stddef.h>

struct ctx;
struct loader { async int (*load)(const char *name, void *out); };
struct img { int w, h; unsigned char px[64]; };
async int load_image(const char *name, struct img *out);
async int resize(const struct img *in, struct img *out, int w);
async int store(int id, const struct img *im);
async void wb_flush(struct ctx *c);
async int q(const char *sql);

/* needless */
struct point { int x, y; };
static async double norm(struct point p) // EXPECT: awaitc-needless-async
{
    return (double)p.x * p.x + (double)p.y * p.y;
}
static inline async bool empty(const char *s) // EXPECT: awaitc-needless-async
{
    return *s == 0;
}
async double use(struct point p, const char *s)
{
    double n = await norm(p);
    int rc = await q(s);
    return await empty(s) ? rc : n;
}
/* thumbs: two chains are level by level */
async int thumbs(struct img *a, struct img *b, struct img *ta, struct img *tb)
{
    int r1 = await load_image("a", a);
    int r2 = await load_image("b", b); // EXPECT: awaitc-sequential-await
    if (r1 < 0 || r2 < 0)
        return -1;
    r1 = await resize(a, ta, 32);
    r2 = await resize(b, tb, 32); // EXPECT: awaitc-sequential-await
    return r1 | r2;
}
/* loaders through pointers */
async int two_loaders(const struct loader *net, const struct loader *disk, struct img *x, struct img *y)
{
    int a = await net->load("x", x);
    int b = await disk->load("y", y); // EXPECT: awaitc-sequential-await
    return a < 0 ? a : b;
}
/* switch arm */
async int by_mode(int mode, struct img *a, struct img *b)
{
    int x = -1, y = -1;
    switch (mode) {
    case 1:
        x = await load_image("1", a);
        y = await load_image("2", b); // EXPECT: awaitc-sequential-await
        break;
    default:
        break;
    }
    return x + y;
}
/* else */
async int by_else(int mode, struct img *a, struct img *b)
{
    if (mode == 0) {
        return -1;
    } else {
        int x = await load_image("1", a);
        int y = await load_image("2", b); // EXPECT: awaitc-sequential-await
        return x + y;
    }
}
/* after defer */
async int with_defer(struct ctx *c, struct img *a, struct img *b)
{
    defer { (void)c; }
    int x = await load_image("1", a);
    int y = await load_image("2", b); // EXPECT: awaitc-sequential-await
    return x + y;
}
/* forever loop with pair */
async void mirror(int a_fd, int b_fd)
{
    char x[64], y[64];
    for (;;) {
        ssize_t n = await aw_read(a_fd, x, sizeof x);
        ssize_t m = await aw_read(b_fd, y, sizeof y); // EXPECT: awaitc-sequential-await
        if (n <= 0 || m <= 0)
            return;
    }
}
/* struct init */
struct pair { int a, b; };
async int one(int k);
async struct pair both(void)
{
    struct pair p = {.a = await one(1), .b = await one(2)}; // EXPECT: awaitc-sequential-await
    return p;
}
/* unchecked */
async int unchecked(struct ctx *c, int fd, const char *p, size_t n)
{
    wb_flush(c); // EXPECT: awaitc-missing-await
    await aw_write_all(fd, p, n); // EXPECT: awaitc-unchecked-result
    return 0;
}
async void drop_in_for(int fd, int n)
{
    for (int i = 0; i < n; i++, await aw_write_all(fd, ".", 1)) // EXPECT: awaitc-unchecked-result
        ;
}
async void drop_blocking(int fd)
{
    int rc = await aw_timeout(10, aw_write_all(fd, "x", 1));
    (void)rc;
}
/* async from sync: callback */
typedef void (*cb)(void *);
void on(cb f, void *arg);
async int work(void *arg);
static void handler(void *arg)
{
    work(arg); // EXPECT: awaitc-async-from-sync
}
void reg(void *x)
{
    on(handler, x);
}
