/* SPDX-License-Identifier: MIT */
/* One function closes handles of all kinds; what it does to sockets, a timer never meets. */
#include "../loops.h"

#include <unistd.h>

enum kind { KIND_TIMER, KIND_SOCKET };
struct handle {
    enum kind kind;
    int open;
};
struct timer {
    struct handle h;
    int ms;
};
struct sock {
    struct handle h;
    const char *path;
};
struct session {
    struct timer idle;
    struct sock peer;
    int id;
};

static void timer_close(struct timer *t)
{
    t->ms = 0;
}

static void sock_close(struct sock *s)
{
    if (s->path != NULL)
        unlink(s->path);
}

static void handle_close(struct handle *h)
{
    h->open = 0;
    switch (h->kind) {
    case KIND_TIMER:
        timer_close((struct timer *)h);
        break;
    case KIND_SOCKET:
        sock_close((struct sock *)h);
        break;
    }
}

static gboolean on_idle(gpointer data)
{
    struct session *s = data;
    handle_close((struct handle *)&s->idle);
    s->id = 0;
    return FALSE;
}

void session_start(struct session *s)
{
    g_timeout_add(1000, on_idle, s);
}
