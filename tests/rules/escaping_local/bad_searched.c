#include <awaitc.h>

struct waiter { struct waiter *next; aw_waker waker; };
struct gate { struct waiter *first; int open, waiting; };

/* It looks for itself, and leaves itself in. */
async int pass(struct gate *g)
{
    struct waiter w = {.next = g->first};
    w.waker = aw_waker_get();
    g->first = &w; // EXPECT: awaitc-escaping-local
    await aw_park();
    for (struct waiter *p = g->first; p != NULL; p = p->next)
        if (p == &w)
            g->waiting--;
    return g->open;
}
