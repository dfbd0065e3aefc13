/* SPDX-License-Identifier: MIT */
/* Loops around a read that go on only after a signal, or until a wanted amount is there. */
#include "../loops.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

struct peer {
    char text[512];
    ssize_t got;
};

static ssize_t again(int fd, char *to, size_t size, int by_offset)
{
    ssize_t n;
    do
        if (by_offset)
            n = pread(fd, to, size, 0);
        else
            n = read(fd, to, size);
    while (n == -1 && errno == EINTR);
    return n;
}

static int take(int fd, char *to, size_t wanted)
{
    size_t have = 0;
    while (have < wanted) {
        ssize_t n = recv(fd, to + have, wanted - have, MSG_DONTWAIT);
        if (n == 0)
            break;
        if (n < 0 && errno == EAGAIN)
            return -1;
        if (n < 0) {
            have = 0;
            break;
        }
        have += (size_t)n;
    }
    return (int)have;
}

static int on_input(sd_event_source *s, int fd, uint32_t revents, void *arg)
{
    struct peer *p = arg;
    (void)s;
    p->got = revents == 1 ? again(fd, p->text, sizeof p->text, 0) : take(fd, p->text, 12);
    return 0;
}

int watch_peer(sd_event *e, sd_event_source **s, int fd, struct peer *p)
{
    return sd_event_add_io(e, s, fd, 1, on_input, p);
}
