/* SPDX-License-Identifier: MIT */
/*
 * How does the runtime wait for descriptors? Through one reactor an executor. This is the front:
 * it picks a backend, locks, and keeps a list of all reactors of the process, so that aw_close
 * works from any thread.
 *
 * An executor's turn:
 *
 *     run what is ready; then
 *     awi_reactor_poll(r, something is ready ? 0 : awi_wheel_next_ns(wheel));
 *     awi_wheel_advance(wheel, now);
 */
#ifndef AWAITC_RUNTIME_REACTOR_H
#define AWAITC_RUNTIME_REACTOR_H

#include <pthread.h>

#include "runtime/reactor/backend.h"

#ifndef AWI_NEVER
#define AWI_NEVER UINT64_MAX /* as in timer_wheel.h */
#endif

/* The head of every backend's own struct. Fields belong to reactor.c. */
struct awi_reactor {
    const struct awi_reactor_ops *ops;
    pthread_mutex_t lock; /* of what waits on which descriptor */
    awi_reactor *next;    /* all reactors; under reactor.c's own lock */
};

/* The backends, in the order of preference, and their number. */
extern const struct awi_reactor_ops *const awi_reactor_backends[];
extern const size_t awi_reactor_backend_count;

/*
 * io_backend  AW_IO_AUTO, AW_IO_EPOLL, ...
 * out         receives the reactor, owned by the caller; untouched on failure.
 *
 * 0, -EINVAL (no such backend), -ENOSYS, -EMFILE, -ENFILE, -ENOMEM.
 */
int awi_reactor_create(int io_backend, awi_reactor **out);
/* The same with a certain backend, for tests. */
int awi_reactor_create_with(const struct awi_reactor_ops *ops, awi_reactor **out);
/* Nothing may be pending. Sets *r to NULL; it may be NULL already. */
void awi_reactor_destroy(awi_reactor **r);

/*
 * Waits for `io`; the executor's own thread. 0: pending, done will be called; else done will not be
 * called: -EPERM for a kind of descriptor that cannot be waited for, -EBADF, -ENOMEM, -ENOSPC.
 */
int awi_reactor_submit(awi_reactor *r, struct awi_io *io);
/* Executor's own thread. True: `io` is the caller's again, as if it had never been submitted.
 * False: done was called (by another thread, maybe just now), or will be. */
bool awi_reactor_cancel(awi_reactor *r, struct awi_io *io);
/* Executor's own thread. As ops->poll. */
int awi_reactor_poll(awi_reactor *r, uint64_t deadline_ns);
/* Makes a poll that waits, or the next one, return. Any thread, signal handlers included. */
void awi_reactor_wake(awi_reactor *r);

/* The runtime itself has just made `fd`: whatever any reactor remembers of the number is stale.
 * From now on the descriptor is known to be closed by aw_close only. Any thread. */
void awi_reactor_adopt(int fd);
/* Ends what waits on `fd` with -ECANCELED, in all reactors, and closes it. 0 or a negated errno.
 * Any thread. (aw_close) */
int awi_reactor_close_fd(int fd);

#endif
