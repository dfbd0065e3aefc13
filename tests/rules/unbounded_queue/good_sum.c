#include <awaitc.h>
#include <stdlib.h>
#include <string.h>

struct frame { struct frame *next; size_t len; unsigned char data[]; };
struct out { struct frame *head, **tail; size_t bytes, room; };
#define OUT_MAX (1u << 20)

/* What is queued with what came is compared, or what came with the room. */
async int pump(int fd, struct out *o)
{
    unsigned char buf[1400];
    for (;;) {
        ssize_t n = await aw_read(fd, buf, sizeof buf);
        if (n <= 0)
            return (int)n;
        if (o->bytes + (size_t)n > OUT_MAX)
            return -1;
        struct frame *f = calloc(1, sizeof *f + (size_t)n);
        if (f == NULL)
            return -1;
        memcpy(f->data, buf, (size_t)n);
        *o->tail = f;
        o->tail = &f->next;
        o->bytes += (size_t)n;
    }
}

async int spool(int fd, struct out *o)
{
    unsigned char buf[1400];
    ssize_t n;
    while ((n = await aw_read(fd, buf, sizeof buf)) > 0) {
        struct frame *f = calloc(1, sizeof *f + (size_t)n);
        if (f == NULL || (size_t)n > OUT_MAX - o->bytes)
            return -1;
        *o->tail = f;
        o->tail = &f->next;
        o->bytes += (size_t)n;
    }
    return 0;
}
