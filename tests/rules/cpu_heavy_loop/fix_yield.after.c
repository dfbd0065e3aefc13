#include <awaitc.h>
#include <stdint.h>

struct disk { int fd; uint64_t nclusters; };
int check_cluster(struct disk *d, uint64_t cluster);
AW_CPU_HEAVY int solve(const double *m, unsigned n);

async int check(struct disk *d)
{
    int bad = 0;
    for (uint64_t c = 0; c < d->nclusters; c++) { // EXPECT: awaitc-cpu-heavy-loop
        if (check_cluster(d, c) < 0)
            bad++;
        if ((c & 255) == 255)
            await aw_yield();
    }
    return await aw_write(d->fd, &bad, sizeof bad) < 0 ? -1 : bad;
}

async int solved(int fd, const double *m, unsigned n)
{
    int r = await aw_compute(solve(m, n)); // EXPECT: awaitc-cpu-heavy-loop
    if ((await aw_compute(solve(m, n))) > r) // EXPECT: awaitc-cpu-heavy-loop
        r = 0;
    return await aw_write(fd, &r, sizeof r) < 0 ? -1 : r;
}
