/* SPDX-License-Identifier: MIT */
/* Wake-up and timer descriptors in non-blocking mode. */
#include "../loops.h"
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>
struct w {
    int efd, tfd, ifd, sfd;
};

static void on_any(int fd, short what, void *arg)
{
    struct w *w = arg;
    char b[4096];
    uint64_t n;
    (void)fd;
    (void)what;
    if (read(w->efd, &n, sizeof n) == sizeof n)
        n = 0;
    while (read(w->ifd, b, sizeof b) > 0)
        ;
    while (read(w->sfd, b, sizeof(struct signalfd_siginfo)) > 0)
        ;
    if (read(w->tfd, &n, sizeof n) < 0)
        n = 1;
}

void w_start(struct event_base *b, struct w *w, sigset_t *set)
{
    w->efd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    w->tfd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    w->ifd = inotify_init1(IN_NONBLOCK);
    w->sfd = signalfd(-1, set, SFD_NONBLOCK);
    event_add(event_new(b, w->efd, EV_READ | EV_PERSIST, on_any, w), NULL);
}
