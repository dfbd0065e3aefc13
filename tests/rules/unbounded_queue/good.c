#include <awaitc.h>
#include <stdlib.h>

typedef struct aw_chan aw_chan;
aw_chan *aw_chan_new(size_t size, size_t capacity);
async int aw_chan_send(aw_chan *ch, const void *item);
struct msg { struct msg *next; size_t len; char text[256]; };
struct queue { struct msg *head, *tail; unsigned count, limit; };
void queue_push(struct queue *q, struct msg *m);
struct msg *queue_pop(struct queue *q);
unsigned queue_length(const struct queue *q);
async void queue_room(struct queue *q);
async int read_message(int fd, struct msg *m);
async int store(struct msg *m);
struct msg *parse(const char *p);

/* A channel that waits when it is full. */
async int sends(int fd)
{
    aw_chan *ch = aw_chan_new(sizeof(struct msg), 64);
    struct msg m;
    while (await read_message(fd, &m) > 0) {
        int rc = await aw_chan_send(ch, &m);
        if (rc < 0)
            return rc;
    }
    return 0;
}

/* Waits for room, drops what is too much, or stops. */
async int waits(int fd, struct queue *q)
{
    struct msg in;
    while (await read_message(fd, &in) > 0) {
        struct msg *m = parse(in.text);
        while (queue_length(q) >= q->limit)
            await queue_room(q);
        queue_push(q, m);
    }
    return 0;
}

async int drops(int fd, struct queue *q)
{
    struct msg in;
    while (await read_message(fd, &in) > 0) {
        if (q->count >= 1000)
            continue;
        queue_push(q, parse(in.text));
    }
    return 0;
}

/* What is pushed is taken again before the next read. */
async int in_turn(int fd, struct queue *q)
{
    struct msg in, *m;
    while (await read_message(fd, &in) > 0) {
        queue_push(q, parse(in.text));
        while ((m = queue_pop(q)) != NULL) {
            int rc = await store(m);
            if (rc < 0)
                return rc;
        }
    }
    return 0;
}

/* As many as the program has. */
async int all_of(struct msg *const *list, int n, struct queue *q, int fd)
{
    for (int i = 0; i < n; i++)
        queue_push(q, list[i]);
    return (int)await aw_write(fd, "k", 1);
}

async int some(int fd, struct queue *q)
{
    struct msg in;
    for (int i = 0; i < 16 && await read_message(fd, &in) > 0; i++)
        queue_push(q, parse(in.text));
    return 0;
}
