#include <awaitc.h>
#include <stdint.h>

struct image { unsigned width, height; uint32_t *pixel; };
struct disk { int fd; uint64_t nclusters; };
uint32_t shade(unsigned x, unsigned y);
int check_cluster(struct disk *d, uint64_t cluster);
AW_CPU_HEAVY int solve(const double *m, unsigned n);
void mix(uint32_t *state);

async int render(struct image *im, int fd)
{
    for (unsigned y = 0; y < im->height; y++) // EXPECT: awaitc-cpu-heavy-loop
        for (unsigned x = 0; x < im->width; x++)
            im->pixel[y * im->width + x] = shade(x, y);
    return (int)await aw_write(fd, im->pixel, 4);
}

async int check(struct disk *d)
{
    int bad = 0;
    for (uint64_t c = 0; c < d->nclusters; c++) { // EXPECT: awaitc-cpu-heavy-loop
        if (check_cluster(d, c) < 0)
            bad++;
    }
    return await aw_write(d->fd, &bad, sizeof bad) < 0 ? -1 : bad;
}

async int solved(int fd, const double *m, unsigned n)
{
    int r = solve(m, n); // EXPECT: awaitc-cpu-heavy-loop
    return await aw_write(fd, &r, sizeof r) < 0 ? -1 : r;
}

/* Ten million rounds are many, whatever they do. */
async uint32_t scramble(int fd)
{
    uint32_t state = 1;
    for (unsigned i = 0; i < 10000000; i++) // EXPECT: awaitc-cpu-heavy-loop
        mix(&state);
    return await aw_write(fd, &state, sizeof state) < 0 ? 0 : state;
}

/* Some rounds await, most do not. */
async int replay(struct disk *d, size_t nrecords)
{
    unsigned char log[4096];
    unsigned pos = sizeof log;
    for (size_t i = 0; i < nrecords; i++) { // EXPECT: awaitc-cpu-heavy-loop
        if (pos == sizeof log) {
            if (await aw_read(d->fd, log, sizeof log) <= 0)
                return -1;
            pos = 0;
        }
        if (check_cluster(d, log[pos]) < 0)
            return -1;
        pos += 16;
    }
    return 0;
}
