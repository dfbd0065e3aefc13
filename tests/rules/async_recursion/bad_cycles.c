#include <awaitc.h>
struct dir; struct dir *sub(struct dir *d, int i); int count(struct dir *d);
async int visit(struct dir *d);
async int walk(struct dir *d)
{
    int rc = await visit(d);
    for (int i = 0; i < count(d) && rc >= 0; i++)
        rc = await walk(sub(d, i)); // EXPECT: awaitc-async-recursion
    return rc;
}
async int b(struct dir *d);
async int c(struct dir *d);
async int a(struct dir *d) { return await visit(d) < 0 ? -1 : await b(d); } // EXPECT: awaitc-async-recursion
async int b(struct dir *d) { int rc = await visit(d); return rc < 0 ? rc : await c(d); }
async int c(struct dir *d) { int rc = await visit(d); if (rc == 7) return 0; return rc < 0 ? rc : await a(d); }
async int poll_again(int fd)
{
    char x;
    if (await aw_read(fd, &x, 1) != 1)
        return -1;
    if (x != 'y') {
        await aw_sleep_ms(10);
        return await poll_again(fd); // EXPECT: awaitc-async-recursion
    }
    return 0;
}
async int redirect(const char *url, int hops)
{
    char x[16];
    if (hops > 5)
        return -1;
    if (await aw_read(hops, x, sizeof x) <= 0)
        return -1;
    return url[0] == 'r' ? await redirect(url + 1, hops + 1) : 0;
}
