#include <awaitc.h>
#include <stdio.h>
#include <string.h>
#define BUFSZ (64 * 1024)
typedef struct { unsigned char bytes[40000]; } blob;
struct req { char head[8192]; char body[24576]; int n; };
void parse(struct req *r, const char *p, ssize_t n);
void hash_into(unsigned char *out, const unsigned char *p, size_t n);
async int store(const void *p, size_t n);
async int proxy(int a, int b)
{
    char up[BUFSZ], down[BUFSZ]; // EXPECT: awaitc-large-frame
    for (;;) {
        ssize_t n = await aw_read(a, up, sizeof up);
        if (n <= 0 || await aw_write_all(b, up, (size_t)n) < 0)
            return -1;
        n = await aw_read(b, down, sizeof down);
        if (n <= 0 || await aw_write_all(a, down, (size_t)n) < 0)
            return -1;
    }
}
async int request(int fd)
{
    struct req r; // EXPECT: awaitc-large-frame
    char buf[512];
    memset(&r, 0, sizeof r);
    ssize_t n;
    while ((n = await aw_read(fd, buf, sizeof buf)) > 0)
        parse(&r, buf, n);
    return r.n;
}
async int by_value(blob b, int fd) // EXPECT: awaitc-large-frame
{
    if (await aw_write(fd, ".", 1) < 0)
        return -1;
    return b.bytes[3];
}
async int table(int fd)
{
    int counts[8192] = { 0 }; // EXPECT: awaitc-large-frame
    unsigned char c;
    while (await aw_read(fd, &c, 1) == 1)
        counts[c]++;
    return counts['a'];
}
