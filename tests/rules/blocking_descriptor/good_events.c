/* SPDX-License-Identifier: MIT */
/* Descriptors of events: a read that comes when they are ready does not wait. */
#include "../loops.h"

#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

static void on_signal(int fd, short what, void *arg)
{
    struct signalfd_siginfo info;
    (void)what;
    (void)arg;
    if (read(fd, &info, sizeof info) == sizeof info)
        _exit(0);
}

static void on_count(int fd, short what, void *arg)
{
    (void)what;
    if (read(fd, arg, 8) != 8)
        return;
}

void set_up(struct event_base *base, const sigset_t *signals, uint64_t *count)
{
    int fd = signalfd(-1, signals, SFD_CLOEXEC);
    event_add(event_new(base, fd, EV_READ, on_signal, NULL), NULL);
    fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
    event_add(event_new(base, fd, EV_READ, on_count, count), NULL);
    fd = eventfd(0, 0);
    event_add(event_new(base, fd, EV_READ, on_count, count), NULL);
}
