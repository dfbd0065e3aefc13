#include <awaitc.h>
#include <pthread.h>

struct db {
    pthread_mutex_t mu;
    int fd, dirty;
    char page[128];
};

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

static int take_dirty(struct db *d)
{
    db_lock(d);
    int dirty = d->dirty;
    d->dirty = 0;
    db_unlock(d);
    return dirty;
}

/* Its caller holds the lock; it is not held while this one waits. */
static async int wait_dirty(struct db *d)
{
    while (!d->dirty) {
        pthread_mutex_unlock(&d->mu);
        int rc = (int)await aw_read(d->fd, d->page, 1);
        pthread_mutex_lock(&d->mu);
        d->dirty = rc;
    }
    return 0;
}

async int balanced_helper(struct db *d)
{
    int dirty = take_dirty(d);
    return dirty ? (int)await aw_write(d->fd, d->page, sizeof d->page) : 0;
}

async int helper_pair(struct db *d)
{
    db_lock(d);
    d->dirty++;
    db_unlock(d);
    return (int)await aw_write(d->fd, d->page, sizeof d->page);
}

async int helper_try(struct db *d)
{
    if (db_trylock(d)) {
        d->dirty++;
        db_unlock(d);
    } else {
        await aw_yield();
    }
    return (int)await aw_write(d->fd, d->page, sizeof d->page);
}

async int helper_waits_unlocked(struct db *d)
{
    db_lock(d);
    int rc = await wait_dirty(d);
    d->dirty = 0;
    db_unlock(d);
    return rc;
}

static void unlock_cleanup(pthread_mutex_t **m)
{
    pthread_mutex_unlock(*m);
}

async int cleanup_in_block(struct db *d)
{
    {
        __attribute__((cleanup(unlock_cleanup))) pthread_mutex_t *held = &d->mu;
        pthread_mutex_lock(held);
        d->dirty++;
    }
    return (int)await aw_write(d->fd, d->page, sizeof d->page);
}

static int write_page(struct db *d)
{
    pthread_mutex_lock(&d->mu);
    d->dirty = 0;
    pthread_mutex_unlock(&d->mu);
    return 0;
}

async int on_the_pool(struct db *d)
{
    return await aw_blocking(write_page(d));
}
