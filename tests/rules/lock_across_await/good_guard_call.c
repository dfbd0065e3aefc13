/* A guard whose call gives the lock back, left before the await. */
#include <awaitc.h>
#include <pthread.h>

static pthread_mutex_t *guard_enter(pthread_mutex_t *m)
{
    pthread_mutex_lock(m);
    return m;
}
static void guard_leave(pthread_mutex_t **m)
{
    pthread_mutex_unlock(*m);
}
#define GUARD(m) __attribute__((cleanup(guard_leave))) pthread_mutex_t *guard_ = guard_enter(m)

struct table {
    pthread_mutex_t lock;
    int fd;
    unsigned used, off[64];
};

async long look_up(struct table *t, unsigned i)
{
    ssize_t n;
    {
        GUARD(&t->lock);
        if (i < t->used)
            return t->off[i];
    }
    n = await aw_read(t->fd, t->off, sizeof t->off);
    GUARD(&t->lock);
    t->used = n > 0 ? 64 : 0;
    return n;
}
