#include "far.h"
async int flush(struct client *c)
{
    await aw_mutex_lock(&c->wide);
    int rc = await save(c->fd);
    aw_mutex_unlock(&c->wide);
    return rc;
}

async long total(struct client *c)
{
    await aw_mutex_lock(&c->narrow); // EXPECT: awaitc-needless-async-lock
    long n = c->n;
    aw_mutex_unlock(&c->narrow);
    return n;
}
