/* SPDX-License-Identifier: MIT */
/*
 * The pool of blocking_pool.h. One mutex guards all of `struct awi_pool`; jobs run outside it.
 *
 * Who starts a thread? The submitter, if with its job more would be queued than threads are idle;
 * an idle thread that was signalled and has not woken yet still counts as idle, and the job that it
 * was signalled for still as queued. Threads are created outside the lock, but counted before. The
 * oldest job goes with the new thread, so that none is queued for a thread that could not be
 * created. (One may be: by a submitter who counted on that thread. Then the one who failed to
 * create it runs it.) So: where jobs are queued, there are threads.
 *
 * Who joins a thread? Each thread that ends of itself leaves its handle in `ended` and joins the
 * one that it finds there, so at most one waits to be joined; awi_pool_destroy joins the last. None
 * is detached: after destroy not an instruction of the pool runs any more.
 */
#include "runtime/blocking/blocking_pool.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime/sys/sys_alloc.h"

enum { NAME_BYTES = 16 }; /* the kernel's limit, with the 0 */

struct awi_pool {
    pthread_mutex_t lock;
    pthread_cond_t work;      /* a job was queued, or stopping was set */
    pthread_cond_t all_ended; /* alive has become 0 */
    struct awi_job *first, *last;
    unsigned queued, idle; /* jobs in the queue; threads that wait in `work` */
    unsigned thread_count; /* threads that take jobs, or are being created */
    unsigned alive;        /* those, and the ones that are ending */
    bool stopping;
    bool has_ended; /* `ended` is a thread that nobody has joined */
    pthread_t ended;
    struct awi_pool_config config; /* thread_name points to `name` */
    char name[NAME_BYTES];
};

/* ---- the queue; under the lock ------------------------------------------------------------- */

static void push(awi_pool *pool, struct awi_job *job)
{
    job->next = NULL;
    if (pool->first == NULL)
        pool->first = job;
    else
        pool->last->next = job;
    pool->last = job;
    pool->queued++;
}

static void push_front(awi_pool *pool, struct awi_job *job)
{
    job->next = pool->first;
    if (pool->first == NULL)
        pool->last = job;
    pool->first = job;
    pool->queued++;
}

static struct awi_job *pop(awi_pool *pool)
{
    struct awi_job *job = pool->first;
    pool->first = job->next;
    pool->queued--;
    return job;
}

/* ---- threads ------------------------------------------------------------------------------- */

static struct timespec keep_alive_end(const awi_pool *pool)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    uint64_t ns = (uint64_t)t.tv_nsec + pool->config.keep_alive_ns % 1000000000;
    t.tv_sec += (time_t)(pool->config.keep_alive_ns / 1000000000 + ns / 1000000000);
    t.tv_nsec = (long)(ns % 1000000000);
    return t;
}

/* Waits for a job, under the lock. False: the thread shall end. */
static bool wait_for_job(awi_pool *pool)
{
    bool for_ever = pool->config.keep_alive_ns == UINT64_MAX;
    struct timespec end = {0};
    if (pool->first != NULL)
        return true;
    if (!for_ever)
        end = keep_alive_end(pool);
    while (pool->first == NULL && !pool->stopping) {
        pool->idle++;
        int rc = for_ever ? pthread_cond_wait(&pool->work, &pool->lock)
                          : pthread_cond_timedwait(&pool->work, &pool->lock, &end);
        pool->idle--;
        if (rc == ETIMEDOUT)
            break;
    }
    return pool->first != NULL;
}

/* Under the lock; joins with the lock released. */
static void join_previous(awi_pool *pool)
{
    if (!pool->has_ended)
        return;
    pthread_t previous = pool->ended;
    pool->has_ended = false;
    pthread_mutex_unlock(&pool->lock);
    pthread_join(previous, NULL);
    pthread_mutex_lock(&pool->lock);
}

/* Under the lock, which is released while the job runs. */
static void run_first(awi_pool *pool)
{
    struct awi_job *job = pop(pool);
    pthread_mutex_unlock(&pool->lock);
    job->run(job); /* job may be gone now */
    pthread_mutex_lock(&pool->lock);
}

/* The thread is no more; under the lock. */
static void leave(awi_pool *pool)
{
    while (pool->has_ended)
        join_previous(pool);
    pool->ended = pthread_self();
    pool->has_ended = true;
    if (--pool->alive == 0)
        pthread_cond_signal(&pool->all_ended);
}

static void *thread_main(void *arg)
{
    struct awi_job *first = arg;
    awi_pool *pool = (awi_pool *)(void *)first->next; /* start_thread put it there */
    pthread_setname_np(pthread_self(), pool->name);
    if (pool->config.on_thread_start != NULL)
        pool->config.on_thread_start();
    first->run(first);
    pthread_mutex_lock(&pool->lock);
    while (wait_for_job(pool))
        run_first(pool);
    pool->thread_count--; /* from here on a submitter does not count on this thread */
    pthread_mutex_unlock(&pool->lock);
    if (pool->config.on_thread_stop != NULL)
        pool->config.on_thread_stop();
    pthread_mutex_lock(&pool->lock);
    leave(pool);
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static int set_stack_size(pthread_attr_t *attr, size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t least = (size_t)sysconf(_SC_THREAD_STACK_MIN);
    if (bytes == 0)
        return 0;
    if (bytes < least)
        bytes = least;
    if (bytes > SIZE_MAX - page)
        return EINVAL;
    return pthread_attr_setstacksize(attr, (bytes + page - 1) / page * page);
}

/* Starts a thread whose first job is `job`. */
static int start_thread(awi_pool *pool, struct awi_job *job)
{
    pthread_attr_t attr;
    pthread_t thread;
    int rc = pthread_attr_init(&attr);
    if (rc != 0)
        return -rc;
    job->next = (struct awi_job *)(void *)pool;
    rc = set_stack_size(&attr, pool->config.thread_stack_size);
    if (rc == 0)
        rc = pthread_create(&thread, &attr, thread_main, job);
    pthread_attr_destroy(&attr);
    return -rc;
}

/* ---- interface ----------------------------------------------------------------------------- */

int awi_pool_create(const struct awi_pool_config *config, awi_pool **out)
{
    pthread_condattr_t attr;
    awi_pool *pool = awi_alloc(sizeof *pool);
    if (pool == NULL)
        return -ENOMEM;
    *pool = (awi_pool){0};
    pool->config = *config;
    if (pool->config.max_threads == 0)
        pool->config.max_threads = 1;
    /* so long that the sum with the clock fits */
    if (pool->config.keep_alive_ns > UINT64_MAX / 4)
        pool->config.keep_alive_ns = UINT64_MAX;
    strncpy(pool->name, config->thread_name != NULL ? config->thread_name : "awaitc",
            NAME_BYTES - 1);
    pool->config.thread_name = pool->name;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    int rc = pthread_cond_init(&pool->work, &attr);
    pthread_condattr_destroy(&attr);
    if (rc != 0) {
        awi_free(pool);
        return -rc;
    }
    pthread_cond_init(&pool->all_ended, NULL);
    pthread_mutex_init(&pool->lock, NULL);
    *out = pool;
    return 0;
}

void awi_pool_destroy(awi_pool **out)
{
    awi_pool *pool = *out;
    if (pool == NULL)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->stopping = true;
    pthread_cond_broadcast(&pool->work);
    while (pool->alive != 0)
        pthread_cond_wait(&pool->all_ended, &pool->lock);
    join_previous(pool);
    assert(pool->first == NULL);
    pthread_mutex_unlock(&pool->lock);
    pthread_cond_destroy(&pool->work);
    pthread_cond_destroy(&pool->all_ended);
    pthread_mutex_destroy(&pool->lock);
    awi_free(pool);
    *out = NULL;
}

/* No thread could be started for `oldest`, the caller's own job or not; under the lock. */
static int submit_without_thread(awi_pool *pool, struct awi_job *oldest, bool is_own)
{
    pool->alive--;
    if (--pool->thread_count != 0) {
        push_front(pool, oldest);
        pthread_cond_signal(&pool->work);
        return 0;
    }
    if (!is_own)
        push_front(pool, oldest);
    while (pool->thread_count == 0 && pool->first != NULL)
        run_first(pool);
    return is_own ? -EAGAIN : 0;
}

int awi_pool_submit(awi_pool *pool, struct awi_job *job)
{
    int rc = 0;
    pthread_mutex_lock(&pool->lock);
    push(pool, job);
    if (pool->queued > pool->idle && pool->thread_count < pool->config.max_threads) {
        struct awi_job *oldest = pop(pool);
        bool is_own = oldest == job;
        pool->thread_count++;
        pool->alive++;
        pthread_mutex_unlock(&pool->lock);
        if (start_thread(pool, oldest) == 0)
            return 0;
        pthread_mutex_lock(&pool->lock);
        rc = submit_without_thread(pool, oldest, is_own);
    } else if (pool->idle != 0) {
        pthread_cond_signal(&pool->work);
    }
    pthread_mutex_unlock(&pool->lock);
    return rc;
}

unsigned awi_pool_thread_count(awi_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    unsigned count = pool->thread_count;
    pthread_mutex_unlock(&pool->lock);
    return count;
}
