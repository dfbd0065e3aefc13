// CHECKS: awaitc-stale-across-await
#include <awaitc.h>
#include <stddef.h>
#include <stdlib.h>

typedef struct aw_mutex aw_mutex;
async void aw_mutex_lock(aw_mutex *m);
void aw_mutex_unlock(aw_mutex *m);

struct job {
    int state, refs;
};
struct client {
    struct job *job;
    struct job *fixed; /* set once, when it is made */
    aw_mutex *mu;
    int fd;
};
async int send_text(int fd, const char *text);
struct job *job_ref(struct job *j);
void job_unref(struct job *j);

void client_close(struct client *c)
{
    c->job = NULL;
}

struct client *client_new(struct job *j)
{
    struct client *c = calloc(1, sizeof *c);
    if (c != NULL)
        c->fixed = j;
    return c;
}

async int loaded_again(struct client *c)
{
    struct job *j = c->job;
    if (j != NULL)
        j->state = 1;
    await aw_sleep_ms(50);
    j = c->job;
    return j == NULL ? -1 : j->state;
}

async int no_local(struct client *c)
{
    await aw_sleep_ms(50);
    return c->job != NULL ? c->job->state : -1;
}

async int compared(struct client *c)
{
    struct job *j = c->job;
    await aw_sleep_ms(50);
    if (j != c->job)
        return -1;
    return j->state;
}

async int counted(struct client *c)
{
    struct job *j = c->job;
    job_ref(j);
    int rc = await send_text(c->fd, "job");
    j->state = rc;
    job_unref(j);
    return rc;
}

async int counted_result(struct client *c)
{
    struct job *j = job_ref(c->job);
    int rc = await send_text(c->fd, "job");
    j->state = rc;
    job_unref(j);
    return rc;
}

async int locked(struct client *c)
{
    await aw_mutex_lock(c->mu);
    struct job *j = c->job;
    int rc = await send_text(c->fd, "job");
    j->state = rc;
    aw_mutex_unlock(c->mu);
    return rc;
}

async int set_once(struct client *c)
{
    struct job *j = c->fixed;
    int rc = await send_text(c->fd, "job");
    j->state = rc;
    return rc;
}

async int scalar(struct client *c)
{
    int fd = c->fd;
    int rc = await send_text(fd, "job");
    return rc < 0 ? rc : fd;
}

async int used_before(struct client *c)
{
    struct job *j = c->job;
    int state = j == NULL ? 0 : j->state;
    int rc = await send_text(c->fd, "job");
    return rc < 0 ? rc : state;
}

async int parameter(struct job *j, int fd)
{
    int rc = await send_text(fd, "job");
    j->state = rc;
    return rc;
}
