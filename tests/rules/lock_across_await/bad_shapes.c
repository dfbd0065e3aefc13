#include <awaitc.h>
#include <pthread.h>
#include <stdbool.h>
#include <threads.h>

struct conn {
    pthread_mutex_t mu;
    pthread_rwlock_t names;
    pthread_spinlock_t spin;
    mtx_t c11;
    int fd;
    bool shared;
    char buf[256];
};

static pthread_mutex_t global_lock = PTHREAD_MUTEX_INITIALIZER;

async int early_return(struct conn *c, int n)
{
    pthread_mutex_lock(&c->mu);
    if (n == 0) {
        pthread_mutex_unlock(&c->mu);
        return 0;
    }
    int rc = (int)await aw_write(c->fd, c->buf, (size_t)n); // EXPECT: awaitc-lock-across-await
    pthread_mutex_unlock(&c->mu);
    return rc;
}

async int try_lock(struct conn *c)
{
    if (pthread_mutex_trylock(&c->mu) != 0)
        return -EBUSY;
    int rc = (int)await aw_write(c->fd, c->buf, 1); // EXPECT: awaitc-lock-across-await
    pthread_mutex_unlock(&c->mu);
    return rc;
}

async int try_lock_result(struct conn *c)
{
    int busy = pthread_mutex_trylock(&c->mu);
    if (busy)
        return -EBUSY;
    int rc = (int)await aw_write(c->fd, c->buf, 1); // EXPECT: awaitc-lock-across-await
    pthread_mutex_unlock(&c->mu);
    return rc;
}

async int read_lock(struct conn *c)
{
    pthread_rwlock_rdlock(&c->names);
    int rc = (int)await aw_write(c->fd, c->buf, 1); // EXPECT: awaitc-lock-across-await
    pthread_rwlock_unlock(&c->names);
    return rc;
}

async int spin(struct conn *c)
{
    int rc = 0;
    pthread_spin_lock(&c->spin);
    while (rc == 0)
        rc = (int)await aw_read(c->fd, c->buf, sizeof c->buf); // EXPECT: awaitc-lock-across-await
    pthread_spin_unlock(&c->spin);
    return rc;
}

async int deferred(struct conn *c)
{
    pthread_mutex_lock(&c->mu);
    defer
    {
        pthread_mutex_unlock(&c->mu);
    }
    c->buf[0] = 0;
    return (int)await aw_read(c->fd, c->buf, sizeof c->buf); // EXPECT: awaitc-lock-across-await
}

async int goto_out(struct conn *c)
{
    int rc;
    mtx_lock(&c->c11);
    rc = (int)await aw_read(c->fd, c->buf, 4); // EXPECT: awaitc-lock-across-await
    if (rc < 4)
        goto out;
    rc = (int)await aw_read(c->fd, c->buf, sizeof c->buf); // EXPECT: awaitc-lock-across-await
out:
    mtx_unlock(&c->c11);
    return rc;
}

async int in_form(struct conn *c, struct conn *d)
{
    int a, b;
    pthread_mutex_lock(&global_lock);
    await aw_all(a = aw_read(c->fd, c->buf, 4), b = aw_read(d->fd, d->buf, 4)); // EXPECT: awaitc-lock-across-await
    pthread_mutex_unlock(&global_lock);
    return a + b;
}

async int conditional(struct conn *c)
{
    if (c->shared)
        pthread_mutex_lock(&c->mu);
    int rc = (int)await aw_read(c->fd, c->buf, 4); // EXPECT: awaitc-lock-across-await
    if (c->shared)
        pthread_mutex_unlock(&c->mu);
    return rc;
}

/* The other one was given back. */
async int hand_over(struct conn *a, struct conn *b)
{
    pthread_mutex_lock(&a->mu);
    pthread_mutex_lock(&b->mu);
    pthread_mutex_unlock(&a->mu);
    int rc = (int)await aw_read(b->fd, b->buf, 4); // EXPECT: awaitc-lock-across-await
    pthread_mutex_unlock(&b->mu);
    return rc;
}

async void sleeps(struct conn *c)
{
    pthread_mutex_lock(&c->mu);
    for (int i = 0; i < 3; i++) {
        c->buf[i] = 1;
        await aw_sleep_ms(5); // EXPECT: awaitc-lock-across-await
    }
    pthread_mutex_unlock(&c->mu);
}

async int in_condition(struct conn *c)
{
    pthread_mutex_t *m = &c->mu;
    pthread_mutex_lock(m);
    if (await aw_read(c->fd, c->buf, 1) == 1) // EXPECT: awaitc-lock-across-await
        c->buf[0]++;
    pthread_mutex_unlock(&c->mu);
    return 0;
}
