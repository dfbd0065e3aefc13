#include <awaitc.h>
#include <pthread.h>

struct db {
    pthread_mutex_t mu;
    int fd;
    char page[128];
};

#define DB_LOCK(d) pthread_mutex_lock(&(d)->mu)
#define DB_UNLOCK(d) pthread_mutex_unlock(&(d)->mu)

static void db_lock(struct db *d)
{
    pthread_mutex_lock(&d->mu);
}

static void db_unlock(struct db *d)
{
    pthread_mutex_unlock(&d->mu);
}

static int db_trylock(struct db *d)
{
    return pthread_mutex_trylock(&d->mu) == 0;
}

static int db_enter(struct db *d)
{
    if (pthread_mutex_trylock(&d->mu) != 0)
        return -1;
    d->page[0] = 1;
    return 0;
}

static void unlock_cleanup(pthread_mutex_t **m)
{
    pthread_mutex_unlock(*m);
}

async int through_helper(struct db *d)
{
    db_lock(d);
    int n = (int)await aw_read(d->fd, d->page, sizeof d->page); // EXPECT: awaitc-lock-across-await
    db_unlock(d);
    return n;
}

async int through_macro(struct db *d)
{
    DB_LOCK(d);
    int n = (int)await aw_read(d->fd, d->page, sizeof d->page); // EXPECT: awaitc-lock-across-await
    DB_UNLOCK(d);
    return n;
}

async int through_trylock(struct db *d)
{
    if (!db_trylock(d))
        return -EAGAIN;
    int n = (int)await aw_read(d->fd, d->page, sizeof d->page); // EXPECT: awaitc-lock-across-await
    db_unlock(d);
    return n;
}

async int through_enter(struct db *d)
{
    int rc = db_enter(d);
    if (rc < 0)
        return rc;
    rc = (int)await aw_read(d->fd, d->page, sizeof d->page); // EXPECT: awaitc-lock-across-await
    db_unlock(d);
    return rc;
}

async int cleanup_attribute(struct db *d)
{
    __attribute__((cleanup(unlock_cleanup))) pthread_mutex_t *held = &d->mu;
    pthread_mutex_lock(held);
    int n = (int)await aw_read(d->fd, d->page, sizeof d->page); // EXPECT: awaitc-lock-across-await
    return n < 0 ? n : d->page[0];
}

static async int load(struct db *d)
{
    return (int)await aw_read(d->fd, d->page, sizeof d->page);
}

async int through_async(struct db *d)
{
    pthread_mutex_lock(&d->mu);
    int n = await load(d); // EXPECT: awaitc-lock-across-await
    pthread_mutex_unlock(&d->mu);
    return n;
}

async int pool(struct db *d, int (*job)(int))
{
    pthread_mutex_lock(&d->mu);
    int n = await aw_blocking(job(d->fd)); // EXPECT: awaitc-lock-across-await
    pthread_mutex_unlock(&d->mu);
    return n;
}
