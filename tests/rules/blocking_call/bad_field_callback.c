/* SPDX-License-Identifier: MIT */
/* CONFIG: fields.yaml */
/* The project's own loop calls what is stored in a field. */
#include "../loops.h"
#include <spawn.h>
#include <sys/wait.h>
struct ngx_event_s {
    void *data;
    void (*handler)(struct ngx_event_s *ev);
};
struct task {
    void (*run)(struct task *t);
    int state;
};

static void on_read(struct ngx_event_s *ev)
{
    int st;
    (void)ev;
    wait(&st); // EXPECT: awaitc-blocking-call
}

static void on_task(struct task *t)
{
    struct timeval tv = {1, 0};
    t->state = select(0, NULL, NULL, NULL, &tv); // EXPECT: awaitc-blocking-call
}

void setup(struct ngx_event_s *ev, struct task *t)
{
    ev->handler = on_read;
    t->run = on_task;
}
