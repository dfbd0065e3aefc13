#include <awaitc.h>
#include <stdatomic.h>
#include <stdbool.h>

struct job { atomic_int done; int state, tries; };
struct queue;
bool queue_is_empty(const struct queue *q);
void *queue_try_pop(struct queue *q);
static volatile int stopping;
static _Atomic unsigned running;

async void until_done(struct job *j)
{
    while (!atomic_load(&j->done))
        await aw_yield(); // EXPECT: awaitc-busy-wait
}

async void until_stopped(void)
{
    for (;;) {
        if (stopping)
            return;
        await aw_sleep_ms(100); // EXPECT: awaitc-busy-wait
    }
}

async void *until_item(struct queue *q)
{
    void *item;
    while ((item = queue_try_pop(q)) == NULL)
        await aw_sleep_us(50); // EXPECT: awaitc-busy-wait
    return item;
}

async int until_state(struct job *j, int state)
{
    unsigned wait = 1;
    do {
        await aw_sleep_ms(wait); // EXPECT: awaitc-busy-wait
        if (wait < 64)
            wait *= 2;
    } while (j->state != state);
    return j->state;
}

async int in_time(struct job *j)
{
    for (int i = 0; i < 100 && j->state == 0; i++)
        await aw_sleep_ms(10); // EXPECT: awaitc-busy-wait
    return j->state;
}

static bool is_idle(const struct job *j)
{
    return j->state == 0 && j->tries == 0;
}

async void until_idle(struct job *j, struct queue *q)
{
    while (!is_idle(j) || !queue_is_empty(q)) {
        await aw_yield(); // EXPECT: awaitc-busy-wait
    }
}

async void until_all_ended(void)
{
    while (running > 0)
        await aw_sleep_ms(1); // EXPECT: awaitc-busy-wait
}

async void spins(struct job *j)
{
    while (!atomic_load(&j->done)) // EXPECT: awaitc-busy-wait
        ;
    await aw_yield();
}
