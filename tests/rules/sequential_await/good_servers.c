#include <awaitc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* line protocol */
struct smtp { int fd; char line[512]; };
async int smtp_reply(struct smtp *s);
async int smtp_send(struct smtp *s, const char *fmt);
async int mail(struct smtp *s)
{
    static const char *const steps[] = {"HELO x\r\n", "MAIL FROM:<a>\r\n", "RCPT TO:<b>\r\n", "DATA\r\n"};
    for (size_t i = 0; i < 4; i++) {
        if (await smtp_send(s, steps[i]) < 0)
            return -1;
        if (await smtp_reply(s) >= 400)
            return -1;
    }
    return 0;
}
/* handshake on two-way descriptors */
async int handshake(int fd)
{
    unsigned char hello[4] = {1, 2, 3, 4}, reply[4];
    ssize_t a = await aw_write_all(fd, hello, 4);
    ssize_t b = await aw_read(fd, reply, 4);
    return a < 0 || b != 4 ? -1 : memcmp(hello, reply, 4);
}
/* sensors: settle in between */
async int adc_read(int channel);
async int sample_twice(int ch)
{
    int a = await adc_read(ch);
    await aw_sleep_us(50);
    int b = await adc_read(ch);
    return (a + b) / 2;
}
/* ticker */
async void report(int n);
async void ticker(int rounds)
{
    for (int i = 0; i < rounds; i++) {
        await report(i);
        await aw_sleep_ms(1000);
    }
}
/* waits for others */
struct latch;
async void latch_wait(struct latch *l);
async int fetch(int id);
async int after_latch(struct latch *l, int id)
{
    await latch_wait(l);
    return await fetch(id) + 1;
}
/* chunks written in order */
struct chunk { const char *at; size_t len; };
async int send_chunks(int sock, const struct chunk *c, int n)
{
    for (int i = 0; i < n; i++) {
        ssize_t rc = await aw_write_all(sock, c[i].at, c[i].len);
        if (rc < 0)
            return (int)rc;
    }
    return 0;
}
/* checksum chain */
async unsigned crc_block(unsigned seed, int block);
async unsigned crc_all(int n)
{
    unsigned crc = ~0u;
    for (int b = 0; b < n; b++)
        crc = await crc_block(crc, b);
    return ~crc;
}
/* binary search */
async int compare_at(long pos, const char *key);
async long bisect(long lo, long hi, const char *key)
{
    while (lo < hi) {
        long mid = lo + (hi - lo) / 2;
        int c = await compare_at(mid, key);
        if (c < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}
/* quorum */
async int vote(int node);
async int quorum(const int *nodes, int n)
{
    int yes = 0;
    for (int i = 0; i < n; i++) {
        if (await vote(nodes[i]) == 1)
            yes++;
        if (yes > n / 2)
            return 1;
    }
    return 0;
}
/* cooldown counter changed elsewhere */
struct ctl { volatile int cancel; };
async int build(int target);
async int build_all(struct ctl *c, const int *t, int n)
{
    for (int i = 0; i < n; i++) {
        if (c->cancel)
            return -ECANCELED;
        int rc = await build(t[i]);
        if (rc < 0)
            return rc;
    }
    return 0;
}
/* rate limit */
struct limiter;
async void limiter_take(struct limiter *l);
async int crawl(struct limiter *l, const int *ids, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        await limiter_take(l);
        sum += await fetch(ids[i]);
    }
    return sum;
}
/* deadline */
async int crawl_until(const int *ids, int n, uint64_t deadline)
{
    int sum = 0;
    for (int i = 0; i < n && aw_now() < deadline; i++)
        sum += await fetch(ids[i]);
    return sum;
}
/* fallbacks */
async int primary(int id);
async int secondary(int id);
async int fallback(int id)
{
    int v = await primary(id);
    return v >= 0 ? v : await secondary(id);
}
async int fallback2(int id)
{
    int v = await primary(id);
    if (v < 0)
        v = await secondary(id);
    return v;
}
async int fallback3(int id)
{
    int v;
    if ((v = await primary(id)) >= 0 || (v = await secondary(id)) >= 0)
        return v;
    return -1;
}
/* journal then act, on one store */
struct journal;
async int journal_append(struct journal *j, const char *rec);
async int journal_sync(struct journal *j);
async int append_durable(struct journal *j, const char *rec)
{
    int a = await journal_append(j, rec);
    int b = await journal_sync(j);
    return a < 0 ? a : b;
}
/* a job per line of a reader */
struct reader;
async int read_line(struct reader *r, char *out, size_t cap);
async int run_line(const char *line);
async int script(struct reader *r)
{
    char line[256];
    int n = 0;
    while (await read_line(r, line, sizeof line) > 0) {
        if (await run_line(line) < 0)
            fprintf(stderr, "line %d failed\n", n);
        n++;
    }
    return n;
}
/* copy files one after the other on purpose? uses one buffer object */
struct copier { char buf[4096]; };
async int copy_one(struct copier *c, const char *from, const char *to);
async int copy_list(struct copier *c, const char *const *from, const char *const *to, int n)
{
    for (int i = 0; i < n; i++) {
        int rc = await copy_one(c, from[i], to[i]);
        if (rc < 0)
            return rc;
    }
    return 0;
}
/* gradually widening search */
async int scan_radius(int r);
async int widen(int max)
{
    int found = 0;
    for (int r = 1; r <= max && found == 0; r *= 2)
        found = await scan_radius(r);
    return found;
}
