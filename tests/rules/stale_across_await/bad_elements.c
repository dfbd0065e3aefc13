#include <awaitc.h>
#include <stddef.h>

struct player { int hp; };
struct world { struct player *target[8]; };
async void swing(int ms);

void world_remove(struct world *w, int i)
{
    w->target[i] = NULL;
}

async int attack(struct world *w, int i)
{
    struct player *p = w->target[i];

    if (p == NULL)
        return -1;
    await swing(300);
    return --p->hp; // EXPECT: awaitc-stale-across-await
}
