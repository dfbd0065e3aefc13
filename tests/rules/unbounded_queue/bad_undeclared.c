#include <awaitc.h>

struct event { int kind; char text[120]; };
async int next_event(int fd, struct event *e);

/* The header that declares channels is not there. */
async int feed(int fd)
{
    struct event e;
    aw_chan *ch = aw_chan_new(sizeof e, AW_UNBOUNDED);
    while (await next_event(fd, &e) > 0)
        if (await aw_chan_send(ch, &e) < 0) // EXPECT: awaitc-unbounded-queue
            return -1;
    return 0;
}
