/* Handed on before the await, or looked after until then. */
#include <awaitc.h>
#include <stdlib.h>

struct slot {
    int fd;
};
struct server {
    int listener;
    unsigned n, delay_ms;
    struct slot slot[64];
};
async int greet(int fd);

async int admit(struct server *s)
{
    int fd = await aw_accept(s->listener);
    if (fd < 0)
        return fd;
    s->slot[s->n++ & 63].fd = fd;
    if (s->delay_ms)
        await aw_sleep_ms(s->delay_ms);
    return 0;
}

async int admit_greeted(struct server *s)
{
    int fd = await aw_accept(s->listener);
    defer
    {
        if (fd >= 0)
            aw_close(fd);
    }
    if (fd < 0 || await greet(fd) < 0)
        return -1;
    s->slot[s->n++ & 63].fd = fd;
    fd = -1;
    return 0;
}

async int next(int listener)
{
    int fd = await aw_accept(listener);
    return fd < 0 ? -1 : fd;
}
