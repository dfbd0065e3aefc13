#include <awaitc.h>
#include <string.h>

/* Two descriptors, two buffers. */
async ssize_t read_two(int a_fd, int b_fd, char *a, char *b)
{
    ssize_t n = await aw_read(a_fd, a, 64);
    ssize_t m = await aw_read(b_fd, b, 64); // EXPECT: awaitc-sequential-await

    return n < 0 || m < 0 ? -1 : n + m;
}

/* The same text to two peers. */
async int tell_both(int left, int right, const char *text, size_t len)
{
    ssize_t a = await aw_write_all(left, text, len);
    ssize_t b = await aw_write_all(right, text, len); // EXPECT: awaitc-sequential-await

    return a < 0 || b < 0 ? -1 : 0;
}

/* Two connections. */
async int connect_both(int out[2])
{
    out[0] = await aw_tcp_connect("10.0.0.1", 5432);
    out[1] = await aw_tcp_connect("10.0.0.2", 6379); // EXPECT: awaitc-sequential-await
    return out[0] < 0 || out[1] < 0 ? -1 : 0;
}

/* Jobs of the pool. */
long checksum(const char *path);
async long compare(const char *a, const char *b)
{
    long x = await aw_blocking(checksum(a));
    long y = await aw_blocking(checksum(b)); // EXPECT: awaitc-sequential-await

    return x - y;
}

/* A timeout each. */
async int ask(const char *host, int *answer);
async int ask_both(int *x, int *y)
{
    int a = await aw_timeout(500, ask("a", x));
    int b = await aw_timeout(500, ask("b", y)); // EXPECT: awaitc-sequential-await

    return a < 0 ? a : b;
}

/* Arguments are worked out by plain functions. */
struct key {
    unsigned hash;
};
unsigned hash_of(const char *text);
async int lookup(unsigned hash);
async int lookup_both(const char *a, const char *b)
{
    int x = await lookup(hash_of(a));
    int y = await lookup(hash_of(b)); // EXPECT: awaitc-sequential-await

    return x - y;
}

/* What the second one reads is set between, from something else. */
struct request {
    int kind;
    char path[32];
};
async int call(const struct request *r);
async int prepared(const struct request *first)
{
    struct request second = {1, ""};
    int a = await call(first);

    second.kind = 2;
    strcpy(second.path, "/b");
    int b = await call(&second); // EXPECT: awaitc-sequential-await
    return a + b;
}
