#include <awaitc.h>
#include <pthread.h>

struct pool { pthread_t threads[4]; int n; };
async int pool_signal(struct pool *p);

/* They all end already: one after the other waits as long as the slowest. */
async int pool_stop(struct pool *p)
{
    if (await pool_signal(p) < 0)
        return -1;
    for (int i = 0; i < p->n; i++)
        if (await aw_blocking(pthread_join(p->threads[i], NULL)) != 0)
            return -1;
    return 0;
}
