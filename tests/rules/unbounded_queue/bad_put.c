#include <awaitc.h>
#include <stdlib.h>
#include <string.h>

struct evt { struct evt *next; char json[256]; };
struct bus { struct evt *head, *tail; unsigned depth; aw_waker reader; };
async int ws_recv(int fd, char *p, size_t n);

static int bus_put(struct bus *b, const char *json)
{
    struct evt *e = calloc(1, sizeof *e);
    if (e == NULL)
        return -1;
    strncpy(e->json, json, sizeof e->json - 1);
    if (b->tail)
        b->tail->next = e;
    else
        b->head = e;
    b->tail = e;
    b->depth++;
    aw_wake(&b->reader);
    return 0;
}

async int ws_pump(int fd, struct bus *b)
{
    char msg[256];
    int n;

    while ((n = await ws_recv(fd, msg, sizeof msg)) > 0)
        if (bus_put(b, msg) < 0) // EXPECT: awaitc-unbounded-queue
            return -1;
    return n;
}

struct cmd { struct cmd *next; int op; };
struct actor { struct cmd *mine; aw_waker w; };
async int read_cmd(int fd);

/* In front of what is there, whatever that is called. */
async int feed(int fd, struct actor *a)
{
    int op;
    while ((op = await read_cmd(fd)) >= 0) {
        struct cmd *c = malloc(sizeof *c);
        if (!c)
            return -1;
        c->op = op;
        c->next = a->mine;
        a->mine = c; // EXPECT: awaitc-unbounded-queue
        aw_wake(&a->w);
    }
    return op;
}
