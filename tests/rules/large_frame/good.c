#include <awaitc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct page { char data[20000]; };
struct conn { int fd; struct page page; };
void show(const char *text AW_NOESCAPE);
unsigned checksum(const void *p AW_NOESCAPE, size_t n);
async int fill(struct page *p);

/* Exactly the limit, and well below. */
async int at_limit(int fd)
{
    char buf[16384];
    ssize_t n = await aw_read(fd, buf, sizeof buf);
    return n > 0 ? buf[0] : -1;
}

async int small(int fd)
{
    char buf[1024], more[2048];
    ssize_t n = await aw_read(fd, buf, sizeof buf);
    if (n > 0)
        n = await aw_read(fd, more, sizeof more);
    return n > 0 ? buf[0] + more[0] : -1;
}

/* Used between two awaits only. */
async int formats(int fd, int value)
{
    char line[20000];
    snprintf(line, sizeof line, "%d", value);
    size_t n = strlen(line);
    show(line);
    return (int)await aw_write(fd, "k", n > 1 ? 1 : 0);
}

async int sums(int fd)
{
    unsigned char seed;
    if (await aw_read(fd, &seed, 1) != 1)
        return -1;
    struct page p;
    memset(&p, seed, sizeof p);
    return (int)checksum(&p, sizeof p);
}

/* Its scope ends first. */
async int scoped(int fd, const char *name)
{
    size_t n;
    {
        char path[32768];
        n = (size_t)snprintf(path, sizeof path, "/srv/%s", name);
    }
    return (int)await aw_write(fd, name, n);
}

/* Elsewhere: the heap, the caller, static, the connection. */
async int heap(int fd)
{
    struct page *p = malloc(sizeof *p);
    if (p == NULL)
        return -1;
    defer { free(p); }
    int rc = await fill(p);
    return rc < 0 ? rc : p->data[fd & 1];
}

async int callers(struct conn *c)
{
    int rc = await fill(&c->page);
    return rc < 0 ? rc : c->page.data[0];
}

async int shared(int fd)
{
    static const char table[65536] = { 1 };
    return (int)await aw_write(fd, table, sizeof table);
}

/* Made anew in each round, behind its await. */
async int rounds(int fd)
{
    char c;
    int total = 0;
    while (await aw_read(fd, &c, 1) == 1) {
        char line[30000];
        memset(line, c, sizeof line);
        total += line[c & 15];
    }
    return total;
}

/* Plain functions have no frame. */
int plain(const char *name)
{
    char path[65536];
    return snprintf(path, sizeof path, "%s", name);
}

async int pointers(int fd)
{
    const char *lines[16] = { "a", "b" };
    size_t size = sizeof(char[100000]);
    return (int)await aw_write(fd, lines[0], size > 1 ? 1 : 0);
}

/* Two that are never there at the same time. */
async int either(int fd, int which)
{
    if (which) {
        char a[12000];
        return await aw_read(fd, a, sizeof a) > 0 ? a[0] : -1;
    }
    char b[12000];
    return await aw_read(fd, b, sizeof b) > 0 ? b[1] : -1;
}
