/* SPDX-License-Identifier: MIT */
/* What every callback does: close, log, free, time, shut down. */
#include "../loops.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>
struct conn {
    int fd;
    char *buf;
};

static void on_event(struct bufferevent *bev, short what, void *arg)
{
    struct conn *c = arg;
    struct timespec ts;
    (void)bev;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    fprintf(stderr, "%ld: event %d\n", (long)ts.tv_sec, what);
    syslog(LOG_INFO, "closed");
    shutdown(c->fd, SHUT_RDWR);
    close(c->fd);
    free(c->buf);
    fflush(stdout);
    printf("bye\n");
}

void conn_start(struct conn *c, struct bufferevent *bev)
{
    bufferevent_setcb(bev, NULL, NULL, on_event, c);
}
