#include <awaitc.h>

struct waiter { struct waiter *next; aw_waker waker; };
struct gate { struct waiter *first; int open; };

/* Whoever opens the gate takes it out of the list, or else the clean-up does. */
async int pass(struct gate *g)
{
    struct waiter w = {.next = g->first};
    w.waker = aw_waker_get();
    g->first = &w;
    defer {
        for (struct waiter **p = &g->first; *p != NULL; p = &(*p)->next)
            if (*p == &w) {
                *p = w.next;
                break;
            }
    }
    await aw_park();
    return g->open;
}
