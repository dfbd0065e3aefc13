/* SPDX-License-Identifier: MIT */
/*
 * Building and freeing runtimes, and the default one. The number of workers is accepted and not
 * used yet: one executor, on whatever thread waits in aw_block_on.
 */
#include <string.h>

#include "runtime/sched/executor.h"
#include "runtime/sys/sys_alloc.h"

static const aw_config defaults = AW_CONFIG_DEFAULT;

static int check_config(const aw_config *config)
{
    enum { MANY = 1 << 20 };
    if (config->workers > MANY || config->max_blocking_threads > MANY ||
        config->compute_threads > MANY || config->io_backend > AW_IO_URING)
        return -EINVAL;
    return 0;
}

static void fill_config(aw_runtime *rt, const aw_config *config)
{
    rt->config = *config;
    if (rt->config.max_blocking_threads == 0)
        rt->config.max_blocking_threads = defaults.max_blocking_threads;
    if (rt->config.blocking_keep_alive_ms == 0)
        rt->config.blocking_keep_alive_ms = defaults.blocking_keep_alive_ms;
    const char *name = config->thread_name != NULL ? config->thread_name : "awaitc";
    size_t length = strnlen(name, sizeof rt->thread_name - 1);
    memcpy(rt->thread_name, name, length);
    rt->thread_name[length] = '\0';
    rt->config.thread_name = rt->thread_name;
}

static int runtime_create(const aw_config *config, aw_runtime **out)
{
    int rc = check_config(config);
    if (rc != 0)
        return rc;
    aw_runtime *rt = awi_alloc(sizeof *rt);
    if (rt == NULL)
        return -ENOMEM;
    memset(rt, 0, sizeof *rt);
    fill_config(rt, config);
    rc = awi_executor_init(&rt->executor, rt);
    if (rc != 0) {
        awi_free(rt);
        return rc;
    }
    pthread_mutex_init(&rt->lock, NULL);
    pthread_cond_init(&rt->seat, NULL);
    *out = rt;
    return 0;
}

AWI_PUBLIC aw_runtime *aw_runtime_new(const aw_config *config)
{
    aw_runtime *rt = NULL;
    int rc = runtime_create(config != NULL ? config : &defaults, &rt);
    if (rc != 0)
        errno = -rc;
    return rt;
}

AWI_PUBLIC void aw_runtime_free(aw_runtime *rt)
{
    if (rt == NULL)
        return;
    awi_executor_empty(&rt->executor);
    for (int i = 0; i < 2; i++) {
        awi_pool *pool = atomic_load_explicit(&rt->pools[i], memory_order_acquire);
        awi_pool_destroy(&pool);
    }
    awi_executor_fini(&rt->executor);
    pthread_cond_destroy(&rt->seat);
    pthread_mutex_destroy(&rt->lock);
    awi_free(rt);
}

/* ---- the default runtime ------------------------------------------------------------------- */

static struct {
    pthread_mutex_t lock;
    aw_runtime *runtime; /* lives until the process ends */
} the_default = {.lock = PTHREAD_MUTEX_INITIALIZER};

aw_runtime *awi_runtime_default(int *error)
{
    *error = 0;
    pthread_mutex_lock(&the_default.lock);
    if (the_default.runtime == NULL)
        *error = runtime_create(&defaults, &the_default.runtime);
    aw_runtime *rt = the_default.runtime;
    pthread_mutex_unlock(&the_default.lock);
    return rt;
}

/* ---- pools --------------------------------------------------------------------------------- */

static int pool_create(const aw_runtime *rt, int which, awi_pool **out)
{
    const aw_config *config = &rt->config;
    struct awi_pool_config pool = {
        .max_threads = config->max_blocking_threads,
        .keep_alive_ns = (uint64_t)config->blocking_keep_alive_ms * 1000000u,
        .thread_name = config->thread_name,
        .thread_stack_size = config->thread_stack_size,
        .on_thread_start = config->on_thread_start,
        .on_thread_stop = config->on_thread_stop,
    };
    if (which == AW_POOL_COMPUTE) {
        pool.max_threads = config->compute_threads != 0 ? config->compute_threads : awi_cpu_count();
        pool.keep_alive_ns = UINT64_MAX;
    }
    return awi_pool_create(&pool, out);
}

awi_pool *awi_executor_pool(awi_executor *ex, int which)
{
    aw_runtime *rt = ex->runtime;
    int i = which == AW_POOL_COMPUTE;
    awi_pool *pool = atomic_load_explicit(&rt->pools[i], memory_order_acquire);
    if (pool != NULL)
        return pool;
    pthread_mutex_lock(&rt->lock);
    pool = atomic_load_explicit(&rt->pools[i], memory_order_relaxed);
    if (pool == NULL && pool_create(rt, which, &pool) == 0)
        atomic_store_explicit(&rt->pools[i], pool, memory_order_release);
    pthread_mutex_unlock(&rt->lock);
    return pool;
}
