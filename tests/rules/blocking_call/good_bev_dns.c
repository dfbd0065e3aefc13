/* SPDX-License-Identifier: MIT */
/* With a DNS base, or a numeric address. */
#include "../loops.h"
#include <sys/socket.h>
struct up {
    struct bufferevent *bev;
    struct evdns_base *dns;
    const char *host;
};

static void on_event(struct bufferevent *bev, short what, void *arg)
{
    struct up *u = arg;

    if (what & 0x20)
        bufferevent_socket_connect_hostname(bev, u->dns, AF_UNSPEC, u->host, 80);
    else
        bufferevent_socket_connect_hostname(bev, NULL, AF_INET, "127.0.0.1", 80);
}

void up_start(struct up *u)
{
    bufferevent_setcb(u->bev, NULL, NULL, on_event, u);
}
