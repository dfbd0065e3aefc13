#include <awaitc.h>
#include <stddef.h>

struct job {
    int state;
    char name[8];
};
struct client {
    struct job *job;
    struct client *next;
    int fd;
};
static struct client *newest;
async int send_text(int fd, const char *text);
int run(struct job *j);

void client_close(struct client *c)
{
    c->job = NULL;
}

void forget(void)
{
    newest = NULL;
}

void unlink_next(struct client *c)
{
    c->next = c->next->next;
}

async int field(struct client *c)
{
    struct job *j = c->job;
    await aw_sleep_ms(50);
    return j->state; // EXPECT: awaitc-stale-across-await
}

async int tested_before(struct client *c)
{
    struct job *j = c->job;
    if (j == NULL)
        return -1;
    int rc = await send_text(c->fd, "job");
    if (rc < 0)
        return rc;
    return run(j); // EXPECT: awaitc-stale-across-await
}

async int global(void)
{
    struct client *c = newest;
    if (c == NULL)
        return 0;
    int rc = await send_text(c->fd, "new");
    c->fd = -1; // EXPECT: awaitc-stale-across-await
    return rc;
}

async int walks(struct client *list)
{
    int rc = 0;
    for (struct client *c = list->next; c != NULL && rc >= 0; c = c->next) // EXPECT: awaitc-stale-across-await
        rc = await send_text(c->fd, "all"); // ALLOW: awaitc-await-in-loop
    return rc;
}

async int part(struct client *c)
{
    struct job *j = c->job;
    await aw_sleep_ms(1);
    j->name[0] = 'x'; // EXPECT: awaitc-stale-across-await
    return 0;
}

async int copy(struct client *c)
{
    struct job *j = c->job;
    struct job *k = j;
    await aw_sleep_ms(1);
    return k->state; // EXPECT: awaitc-stale-across-await
}
