/* SPDX-License-Identifier: MIT */
/*
 * The leaf behind aw_read, aw_write, aw_write_all and aw_accept: an operation on a descriptor that
 * is tried, waits, and is tried again, until it has a result.
 *
 *     try ---- result ----------------------------> returned
 *      ^  \___ AWI_TRY_POOL -> blocking pool -----> result
 *      |   \__ AWI_TRY_AGAIN -> reactor
 *      |                        |  |  \___ closed: -ECANCELED, a value
 *      +------- it may go now --+  \______ cannot be waited for (a file): blocking pool
 *
 * A cancel while it waits in the reactor undoes the wait. One that comes while the pool works waits
 * for the outcome, which is then returned: the read took effect.
 */
#ifndef AWAITC_RUNTIME_IO_LEAF_H
#define AWAITC_RUNTIME_IO_LEAF_H

#include "runtime/sched/awi_sched.h"
#include "runtime/task/awi_task.h"

enum awi_io_leaf_kind {
    AWI_LEAF_READ,
    AWI_LEAF_WRITE,
    AWI_LEAF_WRITE_ALL, /* goes on until all is written; 0 */
    AWI_LEAF_ACCEPT
};

/* The frame. fd, op, buf, len (what is left of it) are those of `io`. */
struct awi_io_leaf {
    aw_frame head;
    struct awi_wake_target target;
    struct awi_io io;
    struct awi_job job; /* its result goes to io.result */
    uint8_t kind;       /* enum awi_io_leaf_kind */
    bool in_pool;
    bool cancelled; /* a cancel waits for the outcome */
};

/* What a leaf is called with. buf is not written to by the writes. */
struct awi_io_args {
    enum awi_io_leaf_kind kind;
    int fd;
    void *buf;
    size_t len;
    const aw_site *site; /* resume: awi_io_leaf_resume; AW_SITE_CLEAN */
};

/* The whole leaf, its cancel point included. */
ssize_t awi_io_leaf_run(aw_cx *c, void *fp, const struct awi_io_args *args);
void awi_io_leaf_resume(aw_cx *c, aw_frame *frame, unsigned state);

#endif
