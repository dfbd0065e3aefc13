/* SPDX-License-Identifier: MIT */
/*
 * What must an interface to the kernel provide to carry I/O? A backend is one file that fills an
 * awi_reactor_ops, and one line in backends.def. It may answer an operation in two ways:
 *
 *     readiness    (epoll)     result -EAGAIN: it may go now, the caller tries again
 *     completion   (io_uring)  result >= 0 or another error: it was done
 *
 *     submit --> pending --> done(io)              event, or awi_reactor_forget: -ECANCELED
 *                   |
 *                   +------> cancel returns true   gone; done will not be called
 *                   +------> cancel returns false  done will still be called, or just was
 *
 * An operation is completed exactly once: by done, or by a cancel that returned true. Every event
 * of a descriptor (data, end of file, hang-up, error) answers all operations that wait for that
 * direction. What the kernel reports of a registration that was forgotten is dropped.
 */
#ifndef AWAITC_RUNTIME_REACTOR_BACKEND_H
#define AWAITC_RUNTIME_REACTOR_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct awi_reactor awi_reactor;

/* READ and ACCEPT wait for input, WRITE and CONNECT for room. */
enum awi_io_op { AWI_IO_READ, AWI_IO_ACCEPT, AWI_IO_WRITE, AWI_IO_CONNECT };

/* Who calls done? */
enum awi_io_caller {
    AWI_IO_LOCAL, /* awi_reactor_poll, on the executor's own thread */
    AWI_IO_REMOTE /* awi_reactor_forget, on any thread, under the reactor's lock */
};

/* One operation; a part of what waits. The caller sets fd, op, buf, len and done. */
struct awi_io {
    struct awi_io *next, *prev; /* the reactor's, while pending */
    /* After the call the reactor does not touch `io` again. Must not call the reactor. */
    void (*done)(struct awi_io *io, enum awi_io_caller caller);
    void *buf; /* READ: where to; WRITE: where from (not written) */
    size_t len;
    ssize_t result; /* set before done: -EAGAIN, -ECANCELED, or the outcome */
    int fd;
    uint8_t op;      /* enum awi_io_op */
    uint8_t pending; /* the reactor's: submitted, not completed */
};

/* Results are 0 or a negated errno, unless said otherwise. All are called by reactor.c, with the
 * reactor's lock held where it says so. */
struct awi_reactor_ops {
    const char *name;
    int io_backend; /* AW_IO_... of aw_config */
    /* 0, or what is wrong: -ENOSYS, -EPERM. */
    int (*probe)(void);
    int (*open)(awi_reactor **out);
    void (*close)(awi_reactor *r); /* nothing is pending any more */
    /* Locked. 0: pending. -EPERM: this kind of descriptor cannot be waited for (a regular file);
     * -EBADF, -ENOMEM, -ENOSPC. */
    int (*submit)(awi_reactor *r, struct awi_io *io);
    /* Locked. See the drawing. */
    bool (*cancel)(awi_reactor *r, struct awi_io *io);
    /* Locked. The descriptor is about to be closed, or the number is new: all that is pending on
     * it ends with -ECANCELED, nothing of it is remembered. Returns true if it was known. */
    bool (*forget)(awi_reactor *r, int fd);
    /* Waits until there is an event, awi_reactor_wake, or the time `deadline_ns` (0: does not
     * wait; AWI_NEVER: no limit); completes what can be completed. Takes the lock itself, not
     * while it waits. Returns how many operations were completed. */
    int (*poll)(awi_reactor *r, uint64_t deadline_ns);
    /* Any thread, signal handlers included. */
    void (*wake)(awi_reactor *r);
};

#endif
