/* SPDX-License-Identifier: MIT */
/*
 * What may plain code say to the runtime? Everything that needs no lowering: types, constants and
 * the functions that never suspend. It defines no keywords and no forms, so any file may include
 * it, also one that is built without awaitc, and C++.
 */
#ifndef AWAITC_PLAIN_H
#define AWAITC_PLAIN_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A unit of work of its own, started by spawn. */
typedef struct aw_task aw_task;
/* Workers, pools, timers and I/O that tasks run on. */
typedef struct aw_runtime aw_runtime;

#define AW_ECANCELED (-ECANCELED)
#define AW_ETIMEDOUT (-ETIMEDOUT)

/* Which interface to the kernel carries I/O. */
enum { AW_IO_AUTO, AW_IO_EPOLL, AW_IO_URING };

/*
 * How a runtime is built. Start from AW_CONFIG_DEFAULT; 0 means the default of a field.
 */
typedef struct aw_config {
    unsigned workers;                /* worker threads; 0: one a core; 1: the calling thread */
    unsigned max_blocking_threads;   /* default 512 */
    unsigned blocking_keep_alive_ms; /* default 10000 */
    unsigned compute_threads;        /* 0: one a core */
    unsigned event_interval;         /* polls of tasks between looks at I/O; 0: adaptive */
    unsigned io_backend;             /* AW_IO_... */
    unsigned stall_ms;               /* a task that holds a worker longer is reported; 0: off */
    const char *thread_name;         /* borrowed; NULL: "awaitc" */
    size_t thread_stack_size;        /* bytes; 0: the system's */
    void (*on_thread_start)(void);
    void (*on_thread_stop)(void);
    void (*on_stall)(const char *task, const char *stack, unsigned ms);
    size_t max_tasks;    /* spawn refuses above; 0: no limit */
    const char *console; /* where the console listens; NULL: off */
} aw_config;

#define AW_CONFIG_DEFAULT                                                                          \
    {                                                                                              \
        0, 512, 10000, 0, 0, AW_IO_AUTO, 10, NULL, 0, NULL, NULL, NULL, 0, NULL                    \
    }

/*
 * Builds a runtime and starts its threads.
 *
 * config  borrowed for the call; NULL: all defaults.
 *
 * Returns the runtime, owned by the caller; NULL with errno (EINVAL, ENOMEM, EAGAIN, EMFILE).
 * Any thread, not from inside a task.
 */
aw_runtime *aw_runtime_new(const aw_config *config);

/* Cancels what still runs, joins the runtime's threads, frees it. NULL is allowed. */
void aw_runtime_free(aw_runtime *rt);

/*
 * A handle with which any thread, or a signal handler, makes a parked task go on. A value: copy it
 * freely; it stays harmless after the task has ended.
 */
typedef struct aw_waker {
    aw_task *task;
    uint32_t generation;
    uint32_t slot;
} aw_waker;

/* The waker of the running task (of the running branch, inside aw_all and the like). Called from a
 * task; elsewhere the result wakes nothing. */
aw_waker aw_waker_get(void);
/* Wakes what waits in aw_park; if it does not wait yet, its next aw_park returns at once. Any
 * thread, any context, signal handlers included. */
void aw_wake(const aw_waker *w);

/* Asks a task to stop at its next await. Any thread; NULL is allowed. */
void aw_cancel(aw_task *t);
/* Gives the handle away: the task runs on unobserved. Any thread; NULL is allowed. */
void aw_detach(aw_task *t);
/* The running task; NULL outside. Borrowed. */
aw_task *aw_task_self(void);
/* The name of a task's function; never NULL. */
const char *aw_task_name(const aw_task *t);

/* Nanoseconds on the monotonic clock (virtual time under simulation). */
uint64_t aw_now(void);

/* Closes a descriptor; operations that wait on it end with -ECANCELED as their result. 0 or a
 * negated errno. Any thread. */
int aw_close(int fd);

/*
 * Listens on host:port. `host` NULL: every address; `port` 0: any free one. The descriptor is
 * non-blocking and close-on-exec, SO_REUSEADDR is set. Resolves numeric addresses and "localhost"
 * only. Returns the descriptor or a negated errno. Any thread.
 */
int aw_tcp_listen(const char *host, uint16_t port, int backlog);

/*
 * Structured fan-out; see aw_scope_spawn in awaitc.h. The fields belong to the runtime.
 */
typedef struct aw_scope {
    void *aw_impl[8];
} aw_scope;

/* Prepares a scope: at most `limit` children at once, 0: no limit. Returns nothing, cannot fail. */
void aw_scope_init(aw_scope *s, size_t limit);

#ifdef __cplusplus
}
#endif

#endif
