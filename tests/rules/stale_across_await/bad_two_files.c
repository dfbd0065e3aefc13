// WITH: far_writer.c
#include "far.h"

async int wait_job(struct client *c)
{
    struct job *j = c->job;
    await aw_sleep_ms(50);
    return j->state; // EXPECT: awaitc-stale-across-await
}

/* Only what makes the object sets this one. */
async int wait_first(struct client *c)
{
    struct job *j = c->first;
    await aw_sleep_ms(50);
    return j->state;
}
