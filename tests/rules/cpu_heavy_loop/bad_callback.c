#include <stdlib.h>
#include <sys/time.h>
struct event;
struct event_base;
struct event *event_new(struct event_base *b, int fd, short what, void (*cb)(int, short, void *),
                        void *arg);
int event_add(struct event *ev, const struct timeval *tv);

struct entry { struct entry *next, *lru; char *key; void *value; long expires; unsigned hash; };
struct table { struct entry **bucket; size_t nbuckets; struct entry *first; size_t count; };
struct route { int metric; };
struct rib;
struct route *route_first(struct rib *r);
struct route *route_next(struct route *r);
void announce(struct route *r);
void entry_insert(struct table *to, struct entry *e);
void entry_free(struct entry *e);
int dict_rehash_step(struct table *t);
long clock_ms(void);

/* All entries at once. */
static void on_purge(int fd, short what, void *arg)
{
    struct table *t = arg;
    struct entry *e, *next;
    (void)fd, (void)what;
    for (e = t->first; e; e = next) { // EXPECT: awaitc-cpu-heavy-loop
        next = e->next;
        free(e->key);
        free(e);
    }
    t->first = NULL;
}

/* The whole table, chain by chain. */
static void on_expire(int fd, short what, void *arg)
{
    struct table *t = arg;
    long now = clock_ms();
    (void)fd, (void)what;
    for (size_t i = 0; i < t->nbuckets; i++) { // EXPECT: awaitc-cpu-heavy-loop
        struct entry **p = &t->bucket[i];
        while (*p) {
            struct entry *e = *p;
            if (e->expires < now) {
                *p = e->next;
                entry_free(e);
            } else {
                p = &e->next;
            }
        }
    }
}

/* A walk over everything that is known, by an iterator. */
static void on_reannounce(int fd, short what, void *arg)
{
    struct rib *rib = arg;
    (void)fd, (void)what;
    for (struct route *r = route_first(rib); r; r = route_next(r)) // EXPECT: awaitc-cpu-heavy-loop
        announce(r);
}

/* The work stands in a function that the callback calls. */
static void grow(struct table *from, struct table *to)
{
    for (size_t i = 0; i < from->nbuckets; i++) // EXPECT: awaitc-cpu-heavy-loop
        for (struct entry *e = from->bucket[i]; e; e = e->next)
            entry_insert(to, e);
}

static void on_grow(int fd, short what, void *arg)
{
    struct table *t = arg;
    (void)fd, (void)what;
    grow(&t[0], &t[1]);
}

/* Until it is done, step by step, but never back to the loop. */
static void on_rehash(int fd, short what, void *arg)
{
    (void)fd, (void)what;
    while (dict_rehash_step(arg)) // EXPECT: awaitc-cpu-heavy-loop
        ;
}

/* Evicts until the memory is back, one entry after the other. */
static void on_memory(int fd, short what, void *arg)
{
    struct table *t = arg;
    (void)fd, (void)what;
    while (t->first) { // EXPECT: awaitc-cpu-heavy-loop
        struct entry *e = t->first;
        t->first = e->lru;
        entry_free(e);
    }
}

void start(struct event_base *b, struct table *t, struct rib *rib)
{
    struct timeval tv = { 1, 0 };
    event_add(event_new(b, -1, 0, on_purge, t), &tv);
    event_add(event_new(b, -1, 0, on_expire, t), &tv);
    event_add(event_new(b, -1, 0, on_reannounce, rib), &tv);
    event_add(event_new(b, -1, 0, on_grow, t), &tv);
    event_add(event_new(b, -1, 0, on_rehash, t), &tv);
    event_add(event_new(b, -1, 0, on_memory, t), &tv);
}
