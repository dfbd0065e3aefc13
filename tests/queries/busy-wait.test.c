#include <awaitc.h>

struct peer { int fd; unsigned queued, limit; _Bool done; };

async void waits(struct peer *p, volatile int *flag)
{
    while (p->queued >= p->limit)
        await aw_yield(); /* EXPECT: awaitc-busy-wait */
    while (!*flag) {
        /* until the reader is ready */
        await aw_sleep_ms(10); /* EXPECT: awaitc-busy-wait */
    }
    do {
        await aw_yield(); /* EXPECT: awaitc-busy-wait */
    } while (!p->done);
    for (; !p->done;)
        await aw_sleep_us(5); /* EXPECT: awaitc-busy-wait */
}

async void does_not(struct peer *p, int n)
{
    while (p->queued >= p->limit)
        await wait_drained(p);
    while (try_connect(p) < 0)
        await aw_sleep_ms(100);
    while (n-- > 0)
        await aw_yield();
    for (int i = 0; i < n; i++)
        await aw_yield();
    while (!p->done) {
        await aw_sleep_ms(1000);
        print_status(p);
    }
    while (1)
        await aw_sleep_ms(1000);
    for (;;)
        await aw_yield();
    while ((n = next(p)) > 0)
        await aw_yield();
}
