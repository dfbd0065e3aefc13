#include <awaitc.h>
#include <stdint.h>
#include <string.h>

struct disk { int fd; uint64_t nclusters; };
struct frame { uint32_t len; char data[1024]; };
int check_cluster(struct disk *d, uint64_t cluster);
AW_CPU_HEAVY int solve(const double *m, unsigned n);
void handle(const char *p, size_t n);
uint32_t crc_update(uint32_t crc, const void *p, size_t n);
int parse_one(const char *p, size_t n, size_t *used);

async int check(struct disk *d)
{
    int bad = 0;
    for (uint64_t c = 0; c < d->nclusters; c++) {
        if (check_cluster(d, c) < 0)
            bad++;
        if (c % 128 == 127)
            await aw_yield();
    }
    return bad;
}

async int check_in_time(struct disk *d, uint64_t from)
{
    uint64_t until = aw_now() + 2000000;
    for (uint64_t c = from; c < d->nclusters && aw_now() < until; c++)
        if (check_cluster(d, c) < 0)
            return -1;
    return await aw_write(d->fd, "k", 1) < 0 ? -1 : 0;
}

async int solved(const double *m, unsigned n)
{
    return await aw_compute(solve(m, n));
}

/* Frames out of a stream: a round has an await unless the buffer is full anyway. */
async int frames(int fd)
{
    char buf[8192];
    size_t have = 0;
    for (;;) {
        while (have < 4) {
            ssize_t n = await aw_read(fd, buf + have, sizeof buf - have);
            if (n <= 0)
                return (int)n;
            have += (size_t)n;
        }
        uint32_t len;
        memcpy(&len, buf, sizeof len);
        if (len > sizeof buf - 4)
            return -1;
        while (have < 4 + len) {
            ssize_t n = await aw_read(fd, buf + have, sizeof buf - have);
            if (n <= 0)
                return (int)n;
            have += (size_t)n;
        }
        handle(buf + 4, len);
        memmove(buf, buf + 4 + len, have - 4 - len);
        have -= 4 + len;
    }
}

/* A line, character by character. */
async int line(int fd, char *out, size_t max)
{
    char buf[512];
    ssize_t have = 0, pos = 0;
    size_t n = 0;
    while (n + 1 < max) {
        if (pos == have) {
            have = await aw_read(fd, buf, sizeof buf);
            if (have <= 0)
                return -1;
            pos = 0;
        }
        if (buf[pos] == '\n')
            break;
        out[n++] = buf[pos++];
    }
    out[n] = '\0';
    return (int)n;
}

/* What one read gave. */
async uint32_t sum(int fd)
{
    char buf[4096];
    uint32_t crc = 0;
    ssize_t n;
    while ((n = await aw_read(fd, buf, sizeof buf)) > 0) {
        for (ssize_t i = 0; i < n; i++)
            crc = crc_update(crc, &buf[i], 1);
        size_t at = 0, used;
        while (at < (size_t)n && parse_one(buf + at, (size_t)n - at, &used) == 0)
            at += used;
    }
    return crc;
}

/* Small arrays, and small counts. */
async int scatter(int fd, const size_t *sizes, int count)
{
    size_t total = 0;
    struct frame f[8];
    for (int i = 0; i < count; i++)
        total += sizes[i];
    for (size_t i = 0; i < sizeof f / sizeof f[0]; i++)
        handle(f[i].data, f[i].len);
    for (uint16_t id = 0; id < (uint16_t)total; id++)
        handle(f[id % 8].data, 1);
    return (int)await aw_write(fd, &total, sizeof total);
}
