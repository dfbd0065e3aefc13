/* SPDX-License-Identifier: MIT */
/* A program with an event loop of its own: what a round calls must not wait. */
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

struct watch {
    struct pollfd set[64];
    nfds_t count;
};
static volatile int stop;
static int log_fd;

static void prepare(struct watch *w)
{
    w->count = 2;
    w->set[0].events = w->set[1].events = POLLIN;
}

static int wait_for_events(struct watch *w, int ms)
{
    return poll(w->set, w->count, ms);
}

static void open_peer(const char *name)
{
    struct addrinfo *found;
    if (getaddrinfo(name, "53", NULL, &found) == 0) /* LEAF */
        freeaddrinfo(found);
}

static void serve(struct watch *w)
{
    if (w->set[0].revents & POLLIN)
        open_peer("peer.example");
}

static void write_state(void)
{
    fsync(log_fd); /* LEAF */
}

static void run(struct watch *w)
{
    while (!stop) {
        prepare(w);
        if (wait_for_events(w, 1000) < 0)
            continue;
        serve(w);      // EXPECT: awaitc-blocking-call
        write_state(); // EXPECT: awaitc-blocking-call
    }
    write_state();
}

int main(int argc, char **argv)
{
    struct watch w = {.count = 0};
    open_peer(argc > 1 ? argv[1] : "localhost");
    run(&w);
    return 0;
}
