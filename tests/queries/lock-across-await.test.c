#include <awaitc.h>

async int f(struct s *p)
{
    pthread_mutex_lock(&p->lock);
    int n = await aw_read(p->fd, p->b, sizeof p->b); // EXPECT: awaitc-lock-across-await
    if (n > 0) {
        n += await g(p); // EXPECT: awaitc-lock-across-await
    }
    pthread_mutex_unlock(&p->lock);
    return await g(p);
}

async int released(struct s *p)
{
    pthread_mutex_lock(&p->lock);
    int n = p->n++;
    pthread_mutex_unlock(&p->lock);
    n = await g(p);
    pthread_mutex_lock(&p->lock);
    p->n = n;
    pthread_mutex_unlock(&p->lock);
    if (n < 0) {
        mtx_lock(&p->other);
        p->n = 0;
        mtx_unlock(&p->other);
    }
    await aw_mutex_lock(&p->async_lock);
    n = await g(p);
    aw_mutex_unlock(&p->async_lock);
    return n;
}
