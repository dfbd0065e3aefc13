/* SPDX-License-Identifier: MIT */
/* All that waits runs before the loop, or after it. */
#include "../loops.h"
#include <netdb.h>
#include <pwd.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int drop_rights(const char *name)
{
    struct passwd *pw = getpwnam(name);
    return pw ? setuid(pw->pw_uid) : -1;
}

static void on_tick(int fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    ++*(int *)arg;
}

int main(int argc, char **argv)
{
    struct event_base *b = event_base_new();
    struct addrinfo *ai;
    int n = 0, st;

    if (argc < 2 || getaddrinfo(argv[1], "80", NULL, &ai) || drop_rights("nobody"))
        return 1;
    event_add(evtimer_new(b, on_tick, &n), NULL);
    sleep(1);
    event_base_dispatch(b);
    while (wait(&st) > 0)
        ;
    return system("sync");
}
