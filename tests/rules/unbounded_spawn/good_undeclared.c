#include <awaitc.h>

struct dgram { char from[64]; char data[512]; };
async int recv_dgram(int fd, struct dgram *d);
async void answer(int fd, struct dgram d);

/* A parameter whose type no header of this run declares. */
async void dns_loop(int fd, aw_sem *slots)
{
    struct dgram d;
    while (await recv_dgram(fd, &d) > 0) {
        await aw_sem_acquire(slots, 1);
        spawn(answer(fd, d));
    }
}
