/* SPDX-License-Identifier: MIT */
/* Another stream of the program is in memory, and another file is in /proc: this one is neither. */
#include "../loops.h"

#include <stdio.h>

struct rules {
    char text[256];
    const char *path;
};

size_t in_memory(char *to, size_t size);

size_t in_memory(char *to, size_t size)
{
    FILE *m = fmemopen(to, size, "r");
    size_t n = m == NULL ? 0 : fread(to, 1, size, m);
    FILE *p = fopen("/proc/uptime", "r");
    if (p != NULL)
        fclose(p);
    return n;
}

static int first_line(const char *path, char *to, int size)
{
    FILE *f = fopen(path, "r"); /* LEAF */
    char *line = f == NULL ? NULL : fgets(to, size, f);
    if (f != NULL)
        fclose(f);
    return line != NULL;
}

static void on_hangup(int fd, short what, void *arg)
{
    struct rules *r = arg;
    (void)fd, (void)what;
    first_line(r->path, r->text, sizeof r->text); // EXPECT: awaitc-blocking-call
}

void reload_on_hangup(struct event_base *b, struct rules *r)
{
    event_add(event_new(b, 1, EV_SIGNAL | EV_PERSIST, on_hangup, r), NULL);
}
