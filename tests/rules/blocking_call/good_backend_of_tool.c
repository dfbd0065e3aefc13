/* SPDX-License-Identifier: MIT */
/* Two backends of one table: the daemon's loop uses the one that sends, the tool's command the one
 * that waits for the answer. */
#include "../loops.h"

#include <sys/socket.h>
#include <unistd.h>

struct remote;
struct daemon_ops {
    int (*push)(struct remote *r, const char *text, size_t n);
};
struct tool_ops {
    int (*push)(struct remote *r, const char *text, size_t n);
};
struct remote {
    const struct daemon_ops *daemon;
    const struct tool_ops *tool;
    int fd;
    char answer[64];
};

static int send_only(struct remote *r, const char *text, size_t n)
{
    return (int)send(r->fd, text, n, MSG_DONTWAIT);
}

static int send_and_wait(struct remote *r, const char *text, size_t n)
{
    if (send(r->fd, text, n, 0) < 0)
        return -1;
    sleep(1);
    return (int)recv(r->fd, r->answer, sizeof r->answer, MSG_WAITALL);
}

static const struct daemon_ops quick = {send_only};
static const struct tool_ops thorough = {send_and_wait};

static gboolean on_beat(gpointer data)
{
    struct remote *r = data;
    r->daemon->push(r, "beat", 4);
    return TRUE;
}

void daemon_start(struct remote *r)
{
    r->daemon = &quick;
    g_timeout_add(1000, on_beat, r);
}

int tool_command(struct remote *r)
{
    r->tool = &thorough;
    return r->tool->push(r, "stop", 4);
}
