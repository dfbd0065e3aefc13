/* SPDX-License-Identifier: MIT */
/* The socket's peer is looked up by name: LDAP or SSSD answers, or does not. */
#include "../loops.h"
#include <pwd.h>
#include <sys/socket.h>

struct client {
    int fd;
    char name[32];
};

static const char *user_of(uid_t uid)
{
    struct passwd *pw = getpwuid(uid); /* LEAF */
    return pw ? pw->pw_name : "?";
}

static int on_client(sd_event_source *s, int fd, uint32_t revents, void *arg)
{
    struct { pid_t pid; uid_t uid; gid_t gid; } cred;
    socklen_t n = sizeof cred;
    struct client *c = arg;

    (void)s;
    (void)revents;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &n) < 0)
        return 0;
    c->name[0] = *user_of(cred.uid); // EXPECT: awaitc-blocking-call
    return 0;
}

int client_add(sd_event *e, struct client *c)
{
    return sd_event_add_io(e, NULL, c->fd, 1, on_client, c);
}
