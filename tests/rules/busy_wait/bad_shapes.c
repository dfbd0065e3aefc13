#include <awaitc.h>
#include <pthread.h>
#include <sched.h>
struct st { int ready; pthread_mutex_t mu; int refs; volatile int *flag; };
extern int shutdown_requested;
int conn_pending(struct st *s);
async void a(struct st *s) { while (s->refs > 0) { await aw_yield(); } } // EXPECT: awaitc-busy-wait
async void b(struct st *s)
{
    for (;;) {
        pthread_mutex_lock(&s->mu);
        int r = s->ready;
        pthread_mutex_unlock(&s->mu);
        if (r)
            break;
        await aw_sleep_ms(5); // EXPECT: awaitc-busy-wait
    }
}
async int c(struct st *s)
{
    while (1) {
        if (s->ready)
            return 1;
        if (shutdown_requested)
            return 0;
        await aw_sleep_ms(20); // EXPECT: awaitc-busy-wait
    }
}
async void d(struct st *s) { while (!*s->flag) await aw_sleep_us(10); } // EXPECT: awaitc-busy-wait
async void e(struct st *s) { while (conn_pending(s)) await aw_yield(); } // EXPECT: awaitc-busy-wait
async int f(struct st *s)
{
    int waited = 0;
    while (!s->ready && waited < 1000) {
        await aw_sleep_ms(10); // EXPECT: awaitc-busy-wait
        waited += 10;
    }
    return s->ready ? 0 : -1;
}
async void g(struct st *s) { do await aw_yield(); while (s->ready == 0); } // EXPECT: awaitc-busy-wait
async void h(struct st *s) { while (!s->ready) sched_yield(); await aw_yield(); } // EXPECT: awaitc-busy-wait
