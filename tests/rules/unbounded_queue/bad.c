#include <awaitc.h>
#include <stdlib.h>

#ifndef AW_UNBOUNDED
#define AW_UNBOUNDED ((size_t)-1)
#endif
typedef struct aw_chan aw_chan;
aw_chan *aw_chan_new(size_t size, size_t capacity);
async int aw_chan_send(aw_chan *ch, const void *item);
struct msg { struct msg *next; size_t len; char text[256]; };
struct queue { struct msg *head, *tail; unsigned count; };
struct out { struct queue q; int fd; };
void queue_push(struct queue *q, struct msg *m);
struct msg *msg_new(const char *text, size_t n);
async int read_message(int fd, struct msg *m);

async int reads(int fd, struct queue *q)
{
    char text[256];
    for (;;) {
        ssize_t n = await aw_read(fd, text, sizeof text);
        if (n <= 0)
            return (int)n;
        queue_push(q, msg_new(text, (size_t)n)); // EXPECT: awaitc-unbounded-queue
    }
}

async int appends(int fd, struct out *out)
{
    char text[256];
    while (await aw_read(fd, text, sizeof text) > 0) {
        struct msg *m = calloc(1, sizeof *m);
        if (m == NULL)
            return -1;
        m->text[0] = text[0];
        if (out->q.tail != NULL)
            out->q.tail->next = m; // EXPECT: awaitc-unbounded-queue
        else
            out->q.head = m;
        out->q.tail = m;
        out->q.count++;
    }
    return 0;
}

async int sends(int fd)
{
    aw_chan *ch = aw_chan_new(sizeof(struct msg), AW_UNBOUNDED);
    struct msg m;
    while (await read_message(fd, &m) > 0) {
        int rc = await aw_chan_send(ch, &m); // EXPECT: awaitc-unbounded-queue
        if (rc < 0)
            return rc;
    }
    return 0;
}
