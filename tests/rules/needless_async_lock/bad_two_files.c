// WITH: far_sections.c
#include "far.h"

/* The other source holds an await in a section of this one. */
async void count(struct client *c)
{
    await aw_mutex_lock(&c->wide);
    c->n++;
    aw_mutex_unlock(&c->wide);
}

async void count_less(struct client *c)
{
    await aw_mutex_lock(&c->narrow); // EXPECT: awaitc-needless-async-lock
    c->n--;
    aw_mutex_unlock(&c->narrow);
}
