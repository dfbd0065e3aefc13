/* As bad_sweep.c, a part of it each time. */
#include "../loops.h"
#include <stdlib.h>
#include <string.h>

struct entry { struct entry *next; char key[32]; long expires; };
struct cache { struct entry *bucket[4096]; unsigned long n; unsigned at; };

static void on_sweep(int fd, short what, void *arg)
{
    struct cache *c = arg;
    long now = 0;

    (void)fd;
    (void)what;
    for (int i = 0; i < 64; i++) {
        struct entry **p = &c->bucket[c->at++ & 4095];
        while (*p != NULL) {
            struct entry *e = *p;
            if (e->expires > now) {
                p = &e->next;
                continue;
            }
            *p = e->next;
            free(e);
            c->n--;
        }
    }
}

void cache_start(struct event_base *b, struct cache *c)
{
    event_add(event_new(b, -1, EV_TIMEOUT | EV_PERSIST, on_sweep, c), 0);
}
