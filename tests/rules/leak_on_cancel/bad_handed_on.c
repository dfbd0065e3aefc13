/* Owned until it is handed on, and alive at an await before that. */
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

async int admit(struct server *s)
{
    int fd = await aw_accept(s->listener); // EXPECT: awaitc-leak-on-cancel
    struct slot *at;
    if (fd < 0)
        return fd;
    if (s->delay_ms)
        await aw_sleep_ms(s->delay_ms);
    at = &s->slot[s->n++ & 63];
    at->fd = fd;
    return 0;
}

async char *given_back(int fd, size_t size)
{
    char *buf = malloc(size); // EXPECT: awaitc-leak-on-cancel
    if (buf != NULL && await aw_read(fd, buf, size) < 0)
        buf[0] = 0;
    return buf;
}
