/* SPDX-License-Identifier: MIT */
/* Loops around poll that are no event loops: one descriptor's answer, a thread's own work, a count;
 * and an event loop whose way out may take its time. */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

struct set {
    struct pollfd fds[8];
    nfds_t n;
};
static int stop, pid;

static void load(void)
{
    FILE *f = fopen("/etc/service.conf", "r");
    if (f != NULL)
        fclose(f);
}

static void save(void)
{
    fsync(1);
}

/* One answer is waited for, before anything runs. */
static int ask(int fd, char *to, size_t size)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    for (;;) {
        if (poll(&p, 1, 100) > 0)
            return (int)read(fd, to, size);
        load();
        save();
    }
}

/* A thread that may wait. */
static void *indexer(void *arg)
{
    struct set *s = arg;
    while (!stop) {
        poll(s->fds, s->n, -1);
        load();
        save();
    }
    return NULL;
}

/* A number of tries. */
static int settle(struct set *s)
{
    for (int i = 0; i < 5; i++) {
        poll(s->fds, s->n, 100);
        load();
        save();
    }
    return 0;
}

static void prepare(struct set *s)
{
    s->n = 1 + (nfds_t)stop;
}

static void note(struct set *s)
{
    s->n++;
}

int main(void)
{
    static struct set s;
    pthread_t t;
    char b[8];
    load();
    if (ask(0, b, sizeof b) < 0 || pthread_create(&t, NULL, indexer, &s) != 0)
        return 1;
    settle(&s);
    for (;;) {
        prepare(&s);
        if (poll(s.fds, s.n, -1) < 0)
            continue;
        note(&s);
        if (stop) {
            save();
            waitpid(pid, NULL, 0);
            break;
        }
    }
    pthread_join(t, NULL);
    return 0;
}
