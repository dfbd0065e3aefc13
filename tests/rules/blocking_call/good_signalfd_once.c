/* SPDX-License-Identifier: MIT */
/* One read of what the loop reports on a signalfd or timerfd: nobody else reads it. */
#include "../loops.h"

#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

struct daemon {
    int stop;
};

static int on_signal(sd_event_source *s, int fd, uint32_t revents, void *arg)
{
    struct daemon *d = arg;
    struct signalfd_siginfo info;
    (void)s, (void)revents;
    if (read(fd, &info, sizeof info) == (ssize_t)sizeof info)
        d->stop = info.ssi_signo == SIGTERM;
    return 0;
}

int watch_signals(sd_event *e, sd_event_source **s, struct daemon *d, const sigset_t *set)
{
    int fd = signalfd(-1, set, SFD_CLOEXEC);
    return sd_event_add_io(e, s, fd, 1, on_signal, d);
}
