#include <awaitc.h>

struct route { unsigned prefix, len, gw; };
struct rib { struct route *r; unsigned long count; };
struct route *best_path(struct rib *rib, const struct route *r);
async int read_update(int fd, struct rib *rib);

async int bgp(int fd, struct rib *rib)
{
    for (;;) {
        int rc = await read_update(fd, rib);
        if (rc <= 0)
            return rc;
        for (unsigned long i = 0; i < rib->count; i++) { // EXPECT: awaitc-cpu-heavy-loop
            struct route *best = best_path(rib, &rib->r[i]);
            if (best != NULL)
                rib->r[i].gw = best->gw;
        }
    }
}
