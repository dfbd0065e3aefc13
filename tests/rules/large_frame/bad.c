#include <awaitc.h>
#include <stdio.h>
#include <string.h>

struct page { char data[20000]; };
struct state { int fd; struct page page; };
void render(char *to, size_t n);
async int fill(struct page *p);
size_t unpack(const char *from, size_t n, char *to);

async int copies(int from, int to)
{
    char buf[65536]; // EXPECT: awaitc-large-frame
    ssize_t n;
    while ((n = await aw_read(from, buf, sizeof buf)) > 0) {
        if (await aw_write_all(to, buf, (size_t)n) < 0)
            return -1;
    }
    return (int)n;
}

/* Filled before the await, read behind it. */
async int kept(int fd)
{
    struct page p; // EXPECT: awaitc-large-frame
    memset(&p, 'x', sizeof p);
    if (await aw_write(fd, "?", 1) < 0)
        return -1;
    return p.data[17];
}

async int inner(int fd, int deep)
{
    if (deep) {
        struct state s = { .fd = fd }; // EXPECT: awaitc-large-frame
        int rc = await fill(&s.page);
        return rc < 0 ? rc : s.page.data[0];
    }
    return (int)await aw_write(fd, "k", 1);
}

/* Neither is large alone. */
async int both(int from, int to)
{
    char in[8192];
    char out[12288]; // EXPECT: awaitc-large-frame
    ssize_t n = await aw_read(from, in, sizeof in);
    if (n <= 0)
        return -1;
    size_t k = unpack(in, (size_t)n, out);
    if (await aw_write_all(to, out, k) < 0)
        return -1;
    return in[0];
}

/* Somebody may have kept its address. */
async int lent(int fd)
{
    char text[32768]; // EXPECT: awaitc-large-frame
    render(text, sizeof text);
    return (int)await aw_write(fd, "k", 1);
}

/* Filled in one round, read in the next. */
async int last_round(int fd, int rounds)
{
    char last[17000]; // EXPECT: awaitc-large-frame
    int same = 0;
    memset(last, 0, sizeof last);
    for (int i = 0; i < rounds; i++) {
        same += last[i % 17000] == 'x';
        if (await aw_write(fd, "k", 1) < 0)
            return -1;
        last[i % 17000] = 'x';
    }
    return same;
}
