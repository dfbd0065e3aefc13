/* SPDX-License-Identifier: MIT */
/* The library reads its own socket, and resends and waits inside. */
#include "../loops.h"
#include <sys/select.h>
void snmp_read(fd_set *set);

static void on_snmp(int fd, short what, void *arg)
{
    fd_set set;

    (void)what;
    (void)arg;
    FD_ZERO(&set);
    FD_SET(fd, &set);
    snmp_read(&set); // EXPECT: awaitc-blocking-call
}

void snmp_watch(struct event_base *b, int fd)
{
    event_add(event_new(b, fd, EV_READ | EV_PERSIST, on_snmp, NULL), NULL);
}
