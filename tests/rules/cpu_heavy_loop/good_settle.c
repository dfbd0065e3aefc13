// Passes until nothing changes: over few, or with a turn for others after each.
#include <awaitc.h>

struct offer {
    int price;
};

struct market {
    struct offer *offers;
    struct offer best[8];
    int count;
};

async int publish(int fd, const struct market *m);

async int best_sorted(int fd, struct market *m)
{
    int swapped;
    do {
        swapped = 0;
        for (int i = 1; i < 8; i++) {
            if (m->best[i - 1].price > m->best[i].price) {
                struct offer low = m->best[i];
                m->best[i] = m->best[i - 1];
                m->best[i - 1] = low;
                swapped = 1;
            }
        }
    } while (swapped);
    return await publish(fd, m);
}

async int sorted_in_turns(int fd, struct market *m)
{
    int swapped;
    do {
        swapped = 0;
        for (int i = 1; i < m->count; i++) {
            if (m->offers[i - 1].price > m->offers[i].price) {
                struct offer low = m->offers[i];
                m->offers[i] = m->offers[i - 1];
                m->offers[i - 1] = low;
                swapped = 1;
            }
        }
        await aw_yield();
    } while (swapped);
    return await publish(fd, m);
}
