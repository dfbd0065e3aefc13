// "closest" closes nothing.
#include <awaitc.h>
#include <stdint.h>

struct star {
    double x, y;
};

struct sky {
    struct star *stars;
    uint64_t count;
};

async int publish(int fd, double distance);

async int closest(int fd, const struct sky *s)
{
    double best = 1e300;
    for (uint64_t a = 0; a + 1 < s->count; a++) { // EXPECT: awaitc-cpu-heavy-loop
        for (uint64_t b = a + 1; b < s->count; b++) {
            double dx = s->stars[a].x - s->stars[b].x, dy = s->stars[a].y - s->stars[b].y;
            if (dx * dx + dy * dy < best)
                best = dx * dx + dy * dy;
        }
    }
    return await publish(fd, best);
}
