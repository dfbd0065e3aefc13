// Passes over everything, until one of them has nothing to change.
#include <awaitc.h>

struct offer {
    int price;
    int amount;
};

struct market {
    struct offer *offers;
    int count;
};

async int publish(int fd, const struct market *m);

async int sorted(int fd, struct market *m)
{
    int swapped;
    do { // EXPECT: awaitc-cpu-heavy-loop
        swapped = 0;
        for (int i = 1; i < m->count; i++) {
            if (m->offers[i - 1].price > m->offers[i].price) {
                struct offer low = m->offers[i];
                m->offers[i] = m->offers[i - 1];
                m->offers[i - 1] = low;
                swapped = 1;
            }
        }
    } while (swapped);
    return await publish(fd, m);
}

async int spread(int fd, struct market *m)
{
    int changed = 1;
    while (changed) { // EXPECT: awaitc-cpu-heavy-loop
        changed = 0;
        for (int i = 0; i + 1 < m->count; i++) {
            if (m->offers[i].amount > m->offers[i + 1].amount + 1) {
                m->offers[i].amount--;
                m->offers[i + 1].amount++;
                changed = 1;
            }
        }
    }
    return await publish(fd, m);
}
