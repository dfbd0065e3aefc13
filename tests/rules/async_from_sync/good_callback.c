#include <awaitc.h>

struct timer { void (*fn)(void *); void *arg; };
async int refresh(void *arg);
void timer_set(struct timer *t, int ms);

static void on_timer(void *arg)
{
    spawn(refresh(arg));
}

void start(struct timer *t, void *arg)
{
    t->fn = on_timer;
    t->arg = arg;
    timer_set(t, 1000);
}
