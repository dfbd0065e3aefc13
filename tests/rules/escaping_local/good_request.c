/* As bad_request.c, waited for; and a request without a callback, done at once. */
#include <string.h>

struct rq {
    void (*done)(struct rq *);
    char *reply;
    size_t n;
    int finished;
};
void rq_submit(struct rq *r);
void rq_wait(struct rq *r);
void io_turn(void);
int queue_try(const struct rq *r);

static void ask_done(struct rq *r)
{
    r->n = strlen(r->reply);
    r->finished = 1;
}

size_t ask(void)
{
    char reply[128];
    struct rq r = {.done = ask_done, .reply = reply};
    rq_submit(&r);
    while (!r.finished)
        io_turn();
    return r.n;
}

void ask_waiting(void)
{
    char reply[128];
    struct rq r = {.done = ask_done, .reply = reply};
    rq_submit(&r);
    rq_wait(&r);
}

int ask_at_once(void)
{
    struct rq r = {.reply = ""};
    rq_submit(&r);
    r.done = ask_done;
    return queue_try(&r);
}
