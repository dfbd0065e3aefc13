#include "far.h"
#include <stdlib.h>
static void link_evt(struct bus *b, struct evt *e)
{
    if (b->tail)
        b->tail->next = e;
    else
        b->head = e;
    b->tail = e;
    b->depth++;
}

int bus_add(struct bus *b, const char *text)
{
    struct evt *e = calloc(1, sizeof *e);
    if (e == NULL)
        return -1;
    e->t[0] = text[0];
    link_evt(b, e);
    return 0;
}

int bus_offer(struct bus *b, struct evt *e)
{
    if (b->depth >= b->max)
        return -1;
    link_evt(b, e);
    return 0;
}

int bus_show(struct bus *b, const char *text)
{
    return b->depth == 0 || text[0] == 0;
}
