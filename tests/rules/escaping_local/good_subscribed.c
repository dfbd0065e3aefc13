#include <awaitc.h>
struct sub { struct sub *next; void (*fn)(void *, int); void *arg; };
static struct sub *subs;
void on_temp(void *arg, int t);
async int wait_cool(int ms);
static void subscribe(struct sub *s)
{
    s->next = subs;
    subs = s;
}
static void unsubscribe(struct sub *s)
{
    for (struct sub **p = &subs; *p; p = &(*p)->next)
        if (*p == s) {
            *p = s->next;
            return;
        }
}
async int cool(int *temp)
{
    struct sub me = { .fn = on_temp, .arg = temp };
    subscribe(&me);
    int rc = await wait_cool(1000);
    unsubscribe(&me);
    return rc;
}
