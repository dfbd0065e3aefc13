#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/time.h>
struct event;
struct event_base;
struct event *event_new(struct event_base *b, int fd, short what, void (*cb)(int, short, void *),
                        void *arg);
int event_add(struct event *ev, const struct timeval *tv);

struct client { struct client *next; int fd; char in[2048]; unsigned have; };
struct entry { struct entry *next; void *value; long expires; };
struct table { struct entry *first; unsigned at, nbuckets; struct entry **bucket; struct event *again; };
struct msg { int argc; char **argv; unsigned nheaders; struct { char *name, *value; } *header; };
struct chunk { struct chunk *next; char data[64]; };
struct conn { struct chunk *head; int fd; };
struct server { struct client *clients; int nworkers; struct table t; };
void send_to(struct client *c, const char *text);
void entry_free(struct entry *e);
void run_command(struct client *c, const char *line);
void wake_worker(struct server *s, int i);
void set_header(struct client *c, const char *name, const char *value);
int next_due(struct server *s);
struct entry *find(struct table *t, const char *key);
void visit(struct entry *e);
long now_ms(void);

/* A list of clients. */
static void on_broadcast(int fd, short what, void *arg)
{
    struct server *s = arg;
    (void)fd, (void)what;
    for (struct client *c = s->clients; c; c = c->next)
        send_to(c, "tick");
    for (int i = 0; i < s->nworkers; i++)
        wake_worker(s, i);
}

/* Lines out of a buffer. */
static void on_lines(int fd, short what, void *arg)
{
    struct client *c = arg;
    char *line = c->in, *end;
    (void)fd, (void)what;
    while ((end = memchr(line, '\n', c->have - (size_t)(line - c->in))) != NULL) {
        *end = '\0';
        run_command(c, line);
        line = end + 1;
    }
    for (char *p = c->in; *p && !isspace((unsigned char)*p); p++)
        *p = (char)tolower((unsigned char)*p);
    for (unsigned i = 0; i < c->have; i++)
        if (c->in[i] == '\0')
            c->in[i] = ' ';
}

/* Arguments and headers of one message. */
static void on_message(int fd, short what, void *arg)
{
    struct client *c = arg;
    struct msg *m = (struct msg *)c->in;
    (void)fd, (void)what;
    for (int i = 0; i < m->argc; i++)
        run_command(c, m->argv[i]);
    for (unsigned i = 0; i < m->nheaders; i++)
        set_header(c, m->header[i].name, m->header[i].value);
}

/* A budget, a clock, a few at a time. */
static void on_purge(int fd, short what, void *arg)
{
    struct table *t = arg;
    struct timeval soon = { 0, 0 };
    int budget = 200;
    (void)fd, (void)what;
    while (t->first && --budget > 0) {
        struct entry *e = t->first;
        t->first = e->next;
        entry_free(e);
    }
    long until = now_ms() + 5;
    while (t->first) {
        struct entry *e = t->first;
        t->first = e->next;
        entry_free(e);
        if (now_ms() > until)
            break;
    }
    if (t->first)
        event_add(t->again, &soon);
}

/* So many buckets a call. */
static void on_step(int fd, short what, void *arg)
{
    struct table *t = arg;
    (void)fd, (void)what;
    for (unsigned n = 0; n < 64 && t->at < t->nbuckets; n++, t->at++)
        for (struct entry *e = t->bucket[t->at]; e; e = e->next)
            visit(e);
}

/* A hash table is asked; a connection is torn down. */
static struct entry *probe(struct table *t, unsigned hash)
{
    unsigned i = hash % t->nbuckets;
    while (t->bucket[i] && t->bucket[i]->expires != (long)hash)
        i = (i + 1) % t->nbuckets;
    return t->bucket[i];
}

static void conn_close(struct conn *c)
{
    struct chunk *k;
    while ((k = c->head) != NULL) {
        c->head = k->next;
        free(k);
    }
    free(c);
}

static void on_close(int fd, short what, void *arg)
{
    struct server *s = arg;
    struct conn *c = (struct conn *)s->clients;
    (void)fd, (void)what;
    if (probe(&s->t, 7) == NULL)
        conn_close(c);
    do {
        if (find(&s->t, "x") == NULL)
            break;
        visit(s->t.first);
    } while (0);
    for (int tries = 0; tries < 3; tries++)
        if (next_due(s))
            return;
}

/* Not on the loop: before it, and on a thread. */
static void load_all(struct table *t)
{
    for (unsigned i = 0; i < t->nbuckets; i++)
        for (struct entry *e = t->bucket[i]; e; e = e->next)
            visit(e);
}

void start(struct event_base *b, struct server *s)
{
    struct timeval tv = { 1, 0 };
    load_all(&s->t);
    event_add(event_new(b, -1, 0, on_broadcast, s), &tv);
    event_add(event_new(b, -1, 0, on_lines, s->clients), &tv);
    event_add(event_new(b, -1, 0, on_message, s->clients), &tv);
    event_add(event_new(b, -1, 0, on_purge, &s->t), &tv);
    event_add(event_new(b, -1, 0, on_step, &s->t), &tv);
    event_add(event_new(b, -1, 0, on_close, s), &tv);
}
