/* A request with a callback in it, submitted and left. */
#include <string.h>

struct rq { void (*done)(struct rq *); char *reply; size_t n; };
void rq_submit(struct rq *r);

static void ask_done(struct rq *r)
{
    r->n = strlen(r->reply);
}

int ask(void)
{
    char reply[128];
    struct rq r = {.done = ask_done, .reply = reply};

    rq_submit(&r); // EXPECT: awaitc-escaping-local
    return 0;
}
