/* SPDX-License-Identifier: MIT */
/*
 * How does plain code start tasks and wait for one? spawn, aw_block_on and async main.
 *
 * aw_block_on makes its call a task of the runtime. If nobody drives the executor, this thread does
 * until the task has ended; if another thread does, this one waits, and takes over if that one
 * leaves first.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/sched/executor.h"
#include "runtime/task/task_state.h"

enum { MAIN_FAILED = 125 };

/* ---- spawn --------------------------------------------------------------------------------- */

static aw_task *spawn(aw_runtime *rt, const aw_spawn_site *site, const void *args, bool has_handle)
{
    awi_host *host = rt != NULL ? &rt->executor.host : awi_self.host;
    if (host == NULL) {
        errno = ENODEV;
        return NULL;
    }
    struct awi_spawn how = {
        .host = host, .site = site, .args = args, .has_handle = has_handle, .is_counted = true};
    int error;
    aw_task *t = awi_task_new(&how, &error);
    if (t == NULL)
        errno = -error;
    else
        awi_task_launch(t);
    return t;
}

AWI_PUBLIC aw_task *aw_spawn_task(aw_runtime *rt, const aw_spawn_site *site, const void *args)
{
    return spawn(rt, site, args, true);
}

AWI_PUBLIC void aw_spawn_detached(aw_runtime *rt, const aw_spawn_site *site, const void *args)
{
    spawn(rt, site, args, false);
}

/* ---- block_on ------------------------------------------------------------------------------ */

/* What is behind the header of a task of aw_block_on. */
struct waiting {
    bool *done; /* under the runtime's lock, but for the thread that drives */
};

static void waited_for_ended(aw_task *t)
{
    awi_executor *ex = (awi_executor *)(void *)t->host; /* host is its first member */
    struct waiting *waiting = (struct waiting *)(void *)(t + 1);
    pthread_mutex_lock(&ex->runtime->lock);
    *waiting->done = true;
    pthread_cond_broadcast(&ex->runtime->seat);
    pthread_mutex_unlock(&ex->runtime->lock);
}

/* Returns when `*done` is true. */
static void wait_for(aw_runtime *rt, const bool *done)
{
    pthread_mutex_lock(&rt->lock);
    while (!*done) {
        if (rt->is_driven) {
            pthread_cond_wait(&rt->seat, &rt->lock);
            continue;
        }
        rt->is_driven = true;
        pthread_mutex_unlock(&rt->lock);
        awi_executor_drive(&rt->executor, done);
        pthread_mutex_lock(&rt->lock);
        rt->is_driven = false;
        pthread_cond_broadcast(&rt->seat);
    }
    pthread_mutex_unlock(&rt->lock);
}

static int run_to_end(aw_runtime *rt, const aw_spawn_site *site, const void *args, void *result)
{
    bool done = false;
    struct awi_spawn how = {.host = &rt->executor.host,
                            .site = site,
                            .args = args,
                            .extra_bytes = sizeof(struct waiting),
                            .ended = waited_for_ended,
                            .has_handle = true};
    int rc;
    aw_task *t = awi_task_new(&how, &rc);
    if (t == NULL)
        return rc;
    ((struct waiting *)(void *)(t + 1))->done = &done;
    awi_task_launch(t);
    wait_for(rt, &done);
    while (!awi_state_is_done(t)) /* the driving thread is about to finish it */
        sched_yield();
    rc = t->rc;
    if (rc == 0 && result != NULL && site->result_bytes != 0)
        memcpy(result, t->cx.ret, site->result_bytes);
    awi_task_release(t);
    return rc;
}

static void refuse_inside_task(const aw_spawn_site *site)
{
    fprintf(stderr, "%s:%u: aw_block_on(%s(...)) inside a task would stop its worker\n",
            site->file != NULL ? site->file : "?", site->line,
            site->func != NULL ? site->func : "?");
    abort();
}

AWI_PUBLIC int aw_block_on_site(aw_runtime *rt, const aw_spawn_site *site, const void *args,
                                void *result)
{
    int rc = 0;
    if (awi_self.host != NULL)
        refuse_inside_task(site);
    if (rt == NULL)
        rt = awi_runtime_default(&rc);
    if (rc == 0)
        rc = run_to_end(rt, site, args, result);
    if (rc != 0 && result != NULL)
        memset(result, 0, site->result_bytes);
    errno = -rc;
    return rc;
}

AWI_PUBLIC int aw_main_site(const aw_spawn_site *site, const void *args)
{
    int status = 0;
    int rc = aw_block_on_site(NULL, site, args, &status);
    if (rc == 0)
        return status;
    fprintf(stderr, "awaitc: main: %s\n", strerror(-rc));
    return MAIN_FAILED;
}
