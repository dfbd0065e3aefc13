/* SPDX-License-Identifier: MIT */
/* Configuration is read by a function that only main calls. */
#include "../loops.h"
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
struct conf {
    char name[64];
    int level;
};

static int conf_load(struct conf *c, const char *path)
{
    FILE *f = fopen(path, "r");
    if (!f)
        return -1;
    while (fgets(c->name, sizeof c->name, f))
        c->level++;
    return fclose(f);
}

static void on_tick(uv_timer_t *t)
{
    struct conf *c = t->data;
    c->level--;
}

int main(void)
{
    struct conf c = {{0}, 0};
    uv_timer_t t = {&c};
    if (conf_load(&c, "/etc/x.conf"))
        return 1;
    uv_timer_start(&t, on_tick, 1, 1);
    return uv_run(NULL, UV_RUN_DEFAULT);
}
