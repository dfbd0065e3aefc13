// WITH: far_bus.c
#include "far.h"
#include <stdlib.h>

/* The other source queues without a limit. */
async int pump(int fd, struct bus *b)
{
    char msg[100];
    while (await ws_recv(fd, msg, sizeof msg) > 0) {
        if (bus_add(b, msg) < 0) // EXPECT: awaitc-unbounded-queue
            return -1;
    }
    return 0;
}

/* This one has a limit there, whatever its name sounds like. */
async int offers(int fd, struct bus *b)
{
    char msg[100];
    while (await ws_recv(fd, msg, sizeof msg) > 0) {
        struct evt *e = calloc(1, sizeof *e);
        if (e == NULL || bus_offer(b, e) < 0)
            return -1;
    }
    return 0;
}

async int shows(int fd, struct bus *b)
{
    char msg[100];
    while (await ws_recv(fd, msg, sizeof msg) > 0) {
        if (bus_show(b, msg) < 0)
            return -1;
    }
    return 0;
}
