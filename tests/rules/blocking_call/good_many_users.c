/* SPDX-License-Identifier: MIT */
/* A queue of calls that many parts of a program fill: what one of them does is not what the others
 * wait for. */
#include "../loops.h"

#include <unistd.h>

typedef void (*job_fn)(void *arg);
struct job {
    job_fn fn;
    void *arg;
};
static struct job jobs[16];
static int job_count;

static void later(job_fn fn, void *arg)
{
    jobs[job_count].fn = fn;
    jobs[job_count++].arg = arg;
}

static void run_jobs(void)
{
    for (int i = 0; i < job_count; i++)
        jobs[i].fn(jobs[i].arg);
    job_count = 0;
}

static void add_one(void *arg)
{
    ++*(int *)arg;
}

static void add_two(void *arg)
{
    *(int *)arg += 2;
}

static void add_three(void *arg)
{
    *(int *)arg += 3;
}

static void add_four(void *arg)
{
    *(int *)arg += 4;
}

static void at_exit(void *arg)
{
    fsync(*(int *)arg);
}

static gboolean on_tick(gpointer data)
{
    later(add_one, data);
    later(add_two, data);
    run_jobs();
    return TRUE;
}

int main(int argc, char **argv)
{
    (void)argv;
    g_timeout_add(10, on_tick, &argc);
    later(add_three, &argc);
    later(add_four, &argc);
    g_main_loop_run(g_main_loop_new(NULL, FALSE));
    later(at_exit, &argc);
    run_jobs();
    return 0;
}
