#include <awaitc.h>

struct tick { long px; int qty; };
struct feed { int fd; aw_chan *out; };
async int read_tick(int fd, struct tick *t);

void feed_init(struct feed *f, int fd)
{
    f->fd = fd;
    f->out = aw_chan_new(sizeof(struct tick), 1024);
}

async int feed_run(struct feed *f)
{
    struct tick t;
    int rc;

    for (;;) {
        rc = await read_tick(f->fd, &t);
        if (rc <= 0)
            break;
        rc = await aw_chan_send(f->out, &t);
        if (rc < 0)
            break;
    }
    return rc;
}
