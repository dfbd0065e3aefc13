#include <awaitc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

struct job { atomic_int done; int state; unsigned ticks; aw_waker waker; };
struct conn { int fd; const char *host; };
struct queue;
async void aw_notify_wait(struct queue *q);
async int attempt(struct job *j);
int try_connect(struct conn *c);
bool step(struct job *j);
void report(const struct job *j);
static volatile int stopping;

/* Woken by whoever changes it. */
async int parked(struct job *j)
{
    j->waker = aw_waker_get();
    while (!atomic_load(&j->done))
        await aw_park();
    return j->state;
}

async void notified(struct job *j, struct queue *q)
{
    while (j->state == 0)
        await aw_notify_wait(q);
}

/* A ticker does its work in each round. */
async void ticker(struct job *j)
{
    while (!stopping) {
        report(j);
        await aw_sleep_ms(1000);
    }
}

async void counter(struct job *j)
{
    while (!stopping) {
        j->ticks++;
        await aw_sleep_ms(1000);
    }
}

/* A retry tries. */
async int retry(struct job *j)
{
    int rc;
    while ((rc = await attempt(j)) < 0)
        await aw_sleep_ms(50);
    return rc;
}

async int reconnect(struct conn *c)
{
    while (try_connect(c) < 0)
        await aw_sleep_ms(500);
    return c->fd;
}

/* Work that gives others their turn. */
async void worker(struct job *j)
{
    while (step(j))
        await aw_yield();
}

/* Pacing: so many rounds, so much time, for ever. */
async void pause_a_bit(int rounds)
{
    while (rounds-- > 0)
        await aw_yield();
    for (int i = 0; i < 3; i++)
        await aw_sleep_ms(10);
}

async void until_time(uint64_t until)
{
    while (aw_now() < until)
        await aw_sleep_us(100);
}

async void keep_alive(void)
{
    for (;;)
        await aw_sleep_ms(60000);
}

/* Text is no flag. */
async size_t blanks(const char *p, int fd)
{
    const char *from = p;
    while (*p == ' ')
        p++;
    return await aw_write(fd, p, 1) < 0 ? 0 : (size_t)(p - from);
}

async void sends(struct conn *c, const char *text, size_t n)
{
    size_t sent = 0;
    while (sent < n) {
        ssize_t k = await aw_write(c->fd, text + sent, n - sent);
        if (k <= 0)
            return;
        sent += (size_t)k;
        await aw_yield();
    }
}
