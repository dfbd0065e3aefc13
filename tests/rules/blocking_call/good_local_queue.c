/* SPDX-License-Identifier: MIT */
/* Names like those of calls that wait, of functions that the program has itself. */
#include "../loops.h"

struct queue {
    int items[32];
    unsigned head, tail;
};
struct store {
    struct queue q;
    int open_count;
};

static int queue_read(struct queue *q)
{
    return q->head == q->tail ? -1 : q->items[q->head++ & 31];
}

static int store_connect(struct store *s, const char *name)
{
    s->open_count += name[0] != '\0';
    return s->open_count;
}

static void wait_list_add(struct queue *q, int item)
{
    q->items[q->tail++ & 31] = item;
}

static int on_message(sd_bus_message *m, void *arg, sd_bus_error *e)
{
    struct store *s = arg;
    (void)m, (void)e;
    wait_list_add(&s->q, store_connect(s, "local"));
    return queue_read(&s->q) >= 0;
}

int subscribe(sd_bus *b, sd_bus_slot **slot, struct store *s)
{
    return sd_bus_match_signal(b, slot, NULL, NULL, NULL, "Changed", on_message, s);
}
