#include <awaitc.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

struct conn {
    pthread_mutex_t mu;
    pthread_cond_t more;
    int fd, queued;
    bool shared;
    char buf[256];
};

async int snapshot(struct conn *c)
{
    char copy[256];
    pthread_mutex_lock(&c->mu);
    memcpy(copy, c->buf, sizeof copy);
    pthread_mutex_unlock(&c->mu);
    return (int)await aw_write(c->fd, copy, sizeof copy);
}

async int both_branches(struct conn *c, int n)
{
    pthread_mutex_lock(&c->mu);
    if (n == 0) {
        pthread_mutex_unlock(&c->mu);
    } else {
        c->queued++;
        pthread_mutex_unlock(&c->mu);
    }
    return (int)await aw_write(c->fd, c->buf, 1);
}

async int not_taken(struct conn *c)
{
    int rc = pthread_mutex_trylock(&c->mu);
    if (rc != 0) {
        await aw_yield();
        return rc;
    }
    c->queued = 0;
    pthread_mutex_unlock(&c->mu);
    return 0;
}

async int try_again(struct conn *c)
{
    while (pthread_mutex_trylock(&c->mu) != 0) {
        int n = (int)await aw_read(c->fd, c->buf, 1);
        if (n < 0)
            return n;
    }
    c->queued = 0;
    pthread_mutex_unlock(&c->mu);
    return (int)await aw_write(c->fd, c->buf, 1);
}

async int flag_tells(struct conn *c)
{
    bool locked = false;
    if (c->shared) {
        pthread_mutex_lock(&c->mu);
        locked = true;
    }
    c->queued++;
    if (locked)
        pthread_mutex_unlock(&c->mu);
    return (int)await aw_write(c->fd, c->buf, 1);
}

async int same_condition(struct conn *c)
{
    if (c->shared)
        pthread_mutex_lock(&c->mu);
    c->queued++;
    if (c->shared)
        pthread_mutex_unlock(&c->mu);
    return (int)await aw_write(c->fd, c->buf, 1);
}

async void each_round(struct conn *c)
{
    for (;;) {
        pthread_mutex_lock(&c->mu);
        int left = c->queued--;
        pthread_mutex_unlock(&c->mu);
        if (left <= 0)
            break;
        await aw_sleep_ms(10);
    }
}

async int scoped(struct conn *c)
{
    {
        pthread_mutex_lock(&c->mu);
        defer
        {
            pthread_mutex_unlock(&c->mu);
        }
        c->queued++;
    }
    return (int)await aw_write(c->fd, c->buf, 1);
}

async int relock(struct conn *c)
{
    int rc;
    pthread_mutex_lock(&c->mu);
    while (c->queued == 0) {
        pthread_mutex_unlock(&c->mu);
        rc = (int)await aw_read(c->fd, c->buf, 1);
        if (rc < 0)
            return rc;
        pthread_mutex_lock(&c->mu);
    }
    c->queued--;
    pthread_mutex_unlock(&c->mu);
    return 0;
}

async int goto_out(struct conn *c)
{
    int rc = 0;
    pthread_mutex_lock(&c->mu);
    if (c->queued == 0)
        goto unlock;
    c->queued--;
    rc = 1;
unlock:
    pthread_mutex_unlock(&c->mu);
    if (rc)
        rc = (int)await aw_write(c->fd, c->buf, 1);
    return rc;
}

void plain_waits(struct conn *c)
{
    pthread_mutex_lock(&c->mu);
    while (c->queued == 0)
        pthread_cond_wait(&c->more, &c->mu);
    c->queued--;
    pthread_mutex_unlock(&c->mu);
}

async int hand_over(struct conn *a, struct conn *b)
{
    pthread_mutex_lock(&a->mu);
    pthread_mutex_lock(&b->mu);
    b->queued += a->queued;
    pthread_mutex_unlock(&b->mu);
    pthread_mutex_unlock(&a->mu);
    return (int)await aw_write(b->fd, b->buf, 1);
}

async int through_alias(struct conn *c)
{
    pthread_mutex_t *m = &c->mu;
    pthread_mutex_lock(m);
    c->queued++;
    pthread_mutex_unlock(&c->mu);
    return (int)await aw_write(c->fd, c->buf, 1);
}

async int in_switch(struct conn *c, int what)
{
    pthread_mutex_lock(&c->mu);
    switch (what) {
    case 0:
        pthread_mutex_unlock(&c->mu);
        return (int)await aw_read(c->fd, c->buf, 1);
    case 1:
        c->queued++;
        break;
    default:
        break;
    }
    pthread_mutex_unlock(&c->mu);
    return (int)await aw_write(c->fd, c->buf, 1);
}
