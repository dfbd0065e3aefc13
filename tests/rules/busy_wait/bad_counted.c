// Counting the rounds makes a wait no search.
#include <awaitc.h>

struct gate {
    volatile int open;
};

async int passed(struct gate *g)
{
    int rounds = 0;
    while (!g->open) {
        rounds++;
        await aw_yield(); // EXPECT: awaitc-busy-wait
    }
    return rounds;
}
