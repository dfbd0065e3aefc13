/* SPDX-License-Identifier: MIT */
/* A connection's thread is joined when the loop sees it close. */
#include "../loops.h"
#include <pthread.h>
#include <unistd.h>
struct tunnel {
    int fd;
    pthread_t pump;
};

static void *pump_main(void *arg)
{
    char b[512];
    struct tunnel *t = arg;
    while (read(t->fd, b, sizeof b) > 0)
        ;
    return NULL;
}

static void tunnel_free(struct tunnel *t)
{
    close(t->fd);
    pthread_join(t->pump, NULL); /* LEAF */
}

static void on_event(struct bufferevent *bev, short what, void *arg)
{
    (void)bev;
    if (what & 0x10)
        tunnel_free(arg); // EXPECT: awaitc-blocking-call
}

void tunnel_start(struct tunnel *t, struct bufferevent *bev)
{
    pthread_create(&t->pump, NULL, pump_main, t);
    bufferevent_setcb(bev, NULL, NULL, on_event, t);
}
