/* SPDX-License-Identifier: MIT */
/* Project macros around the call. */
#include "../loops.h"
#include <errno.h>
#include <sys/wait.h>
#define RETRY(e) \
    ({ \
        long r_; \
        do \
            r_ = (long)(e); \
        while (r_ == -1 && errno == EINTR); \
        r_; \
    })
#define my_wait waitpid
struct child {
    pid_t pid;
    int status;
};

static gboolean on_stop(gpointer data)
{
    struct child *c = data;

    RETRY(my_wait(c->pid, &c->status, 0)); // EXPECT: awaitc-blocking-call
    return FALSE;
}

void child_stop(struct child *c)
{
    g_idle_add(on_stop, c);
}
