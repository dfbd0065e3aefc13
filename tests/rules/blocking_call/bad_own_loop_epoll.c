/* SPDX-License-Identifier: MIT */
/* The loop turns in main; the wait and the dispatch are one helper's, and the handlers stand in the
 * objects. */
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

struct source {
    int fd;
    void (*ready)(struct source *s);
};

static int epoll_fd, run = 1;

static void on_command(struct source *s)
{
    if (system("/usr/bin/reload") != 0) /* LEAF */
        s->fd = -1;
}

static void on_stop(struct source *s)
{
    run = s->fd < 0;
}

static void turn(int ms)
{
    struct epoll_event events[32];
    int n = epoll_wait(epoll_fd, events, 32, ms);
    for (int i = 0; i < n; i++) {
        struct source *s = events[i].data.ptr;
        s->ready(s);
    }
}

static void check_timers(void)
{
    run += 0;
}

static void reap(void)
{
    usleep(10000); /* LEAF */
}

int main(void)
{
    static struct source command = {0, on_command}, quit = {1, on_stop};
    struct epoll_event e = {.events = EPOLLIN, .data.ptr = &command};
    epoll_fd = epoll_create1(0);
    epoll_ctl(epoll_fd, EPOLL_CTL_ADD, command.fd, &e);
    e.data.ptr = &quit;
    epoll_ctl(epoll_fd, EPOLL_CTL_ADD, quit.fd, &e);
    do {
        turn(1000); // EXPECT: awaitc-blocking-call
        check_timers();
        reap(); // EXPECT: awaitc-blocking-call
    } while (run);
    return 0;
}
