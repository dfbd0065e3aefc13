/* SPDX-License-Identifier: MIT */
/* Without a DNS base the bufferevent resolves the name itself, synchronously. */
#include "../loops.h"
#include <sys/socket.h>

struct up {
    struct bufferevent *bev;
    const char *host;
    int port, tries;
};

static void on_event(struct bufferevent *bev, short what, void *arg)
{
    struct up *u = arg;

    if ((what & 0x20) && u->tries++ < 5)
        bufferevent_socket_connect_hostname(bev, NULL, AF_UNSPEC, u->host, u->port); // EXPECT: awaitc-blocking-call
}

void up_start(struct up *u)
{
    bufferevent_setcb(u->bev, NULL, NULL, on_event, u);
}
