#include <awaitc.h>
#include <pthread.h>

typedef struct aw_mutex aw_mutex;
typedef struct aw_cond aw_cond;
async void aw_mutex_lock(aw_mutex *m);
void aw_mutex_unlock(aw_mutex *m);
async void aw_cond_wait(aw_cond *c, aw_mutex *m);
aw_mutex *aw_mutex_new(void);
void pass_on(aw_mutex *m);

struct stats {
    aw_mutex *lock;
    unsigned long requests;
    int fd;
};
struct queue {
    aw_mutex *mu;
    aw_cond *more;
    int count;
};
struct registry {
    aw_mutex *mu;
    int n;
};
struct log {
    aw_mutex *mu;
    int fd;
};
struct pair {
    aw_mutex *first, *second;
    int n;
};

/* One section holds an await: short ones of the same mutex need it, too. */
async void count(struct stats *s)
{
    await aw_mutex_lock(s->lock);
    s->requests++;
    aw_mutex_unlock(s->lock);
    await aw_yield();
}

async int flush(struct stats *s)
{
    await aw_mutex_lock(s->lock);
    int rc = (int)await aw_write(s->fd, &s->requests, sizeof s->requests);
    aw_mutex_unlock(s->lock);
    return rc;
}

async void take(struct queue *q)
{
    await aw_mutex_lock(q->mu);
    while (q->count == 0)
        await aw_cond_wait(q->more, q->mu);
    q->count--;
    aw_mutex_unlock(q->mu);
}

async void handed_on(struct registry *r)
{
    pass_on(r->mu);
    await aw_mutex_lock(r->mu);
    r->n++;
    aw_mutex_unlock(r->mu);
    await aw_yield();
}

static async void log_enter(struct log *l)
{
    await aw_mutex_lock(l->mu);
}

static void log_leave(struct log *l)
{
    aw_mutex_unlock(l->mu);
}

async int log_line(struct log *l, const char *text, size_t size)
{
    await log_enter(l);
    int rc = (int)await aw_write(l->fd, text, size);
    log_leave(l);
    return rc;
}

async void nested(struct pair *p)
{
    await aw_mutex_lock(p->first);
    await aw_mutex_lock(p->second);
    p->n++;
    await aw_sleep_ms(1);
    aw_mutex_unlock(p->second);
    aw_mutex_unlock(p->first);
}

async int conditional(struct stats *s)
{
    int rc = 0;
    await aw_mutex_lock(s->lock);
    if (s->requests > 100)
        rc = (int)await aw_write(s->fd, "full", 4);
    aw_mutex_unlock(s->lock);
    return rc;
}

async int retry(struct stats *s)
{
    int rc;
    await aw_mutex_lock(s->lock);
    do {
        rc = (int)await aw_write(s->fd, "x", 1);
    } while (rc == -EAGAIN);
    aw_mutex_unlock(s->lock);
    return rc;
}

struct plain {
    pthread_mutex_t lock;
    int n;
};

async void plain_mutex(struct plain *p)
{
    pthread_mutex_lock(&p->lock);
    p->n++;
    pthread_mutex_unlock(&p->lock);
    await aw_yield();
}
