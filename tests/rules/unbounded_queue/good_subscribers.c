#include <awaitc.h>
struct note { int id; };
struct pub { aw_chan *subs[8]; int n; };
async int next_note(int fd, struct note *n);
void pub_init(struct pub *p)
{
    for (int i = 0; i < 8; i++)
        p->subs[i] = aw_chan_new(sizeof(struct note), 64);
}
async int publish(struct pub *p, int fd)
{
    struct note n;
    while (await next_note(fd, &n) == 0)
        for (int i = 0; i < p->n; i++)
            if (await aw_chan_send(p->subs[i], &n) < 0)
                return -1;
    return 0;
}
