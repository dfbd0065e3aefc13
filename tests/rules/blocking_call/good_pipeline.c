/* SPDX-License-Identifier: MIT */
/* The same helper loads at the start, on a pool, and on a thread; the loop only takes what came. */
#include "../loops.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

struct job {
    uv_work_t work;
    char path[64], text[128];
    int done;
};

static int load(const char *path, char *to, int size)
{
    FILE *f = fopen(path, "r");
    int ok = f != NULL && fgets(to, size, f) != NULL;
    if (f != NULL)
        fclose(f);
    sleep(0);
    return ok;
}

static void work(uv_work_t *w)
{
    struct job *j = w->data;
    j->done = load(j->path, j->text, sizeof j->text);
}

static void after(uv_work_t *w, int status)
{
    struct job *j = w->data;
    j->done = j->done && status == 0;
}

static void on_timer(uv_timer_t *t)
{
    struct job *j = t->data;
    j->work.data = j;
    uv_queue_work(NULL, &j->work, work, after);
}

static void *warm_up(void *arg)
{
    struct job *j = arg;
    load(j->path, j->text, sizeof j->text);
    return NULL;
}

int start(uv_loop_t *l, uv_timer_t *t, struct job *j, pthread_t *thread)
{
    load("/etc/hosts", j->text, sizeof j->text);
    if (pthread_create(thread, NULL, warm_up, j) != 0)
        return -1;
    t->data = j;
    uv_timer_start(t, on_timer, 0, 1000);
    int end = uv_run(l, UV_RUN_DEFAULT);
    load("/etc/hosts", j->text, sizeof j->text);
    return end;
}
