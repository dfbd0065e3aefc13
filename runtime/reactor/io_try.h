/* SPDX-License-Identifier: MIT */
/*
 * How is an operation tried on any kind of descriptor so that the calling thread never waits, and
 * so that no mode of the descriptor is changed (others may share it)?
 *
 *     kind                          attempt
 *     socket                        recv, send with MSG_DONTWAIT
 *     pipe, eventfd, ...            preadv2, pwritev2 with RWF_NOWAIT (Linux 6.5 for pipes)
 *     terminal, older kernels       O_NONBLOCK set: the plain call; else poll(2), and if it is
 *                                   ready the plain call on the blocking pool: whoever shares the
 *                                   descriptor may be faster, and then the call waits
 *     regular file, directory       the plain call on the blocking pool
 *
 * Results: a count or descriptor; AWI_TRY_AGAIN: wait for the descriptor, try again; AWI_TRY_POOL:
 * make the plain call (awi_plain_...) on the blocking pool; another negated errno: it failed.
 *
 * SIGPIPE is never raised: by MSG_NOSIGNAL, RWF_NOSIGNAL (Linux 6.18), or by blocking the signal in
 * this thread for the call and taking it back; the disposition is not touched.
 */
#ifndef AWAITC_RUNTIME_IO_TRY_H
#define AWAITC_RUNTIME_IO_TRY_H

#include <errno.h>
#include <sys/types.h>

#define AWI_TRY_AGAIN (-EAGAIN)
#define AWI_TRY_POOL  (-ENOTBLK) /* no attempt of ours fails with it */

ssize_t awi_try_read(int fd, void *buf, size_t len);
ssize_t awi_try_write(int fd, const void *buf, size_t len);
/* The accepted descriptor is non-blocking and close-on-exec, and not yet adopted. */
int awi_try_accept(int listener);

/* The plain calls, which may wait. Never EINTR. A write to a pipe writes what is sure to fit. */
ssize_t awi_plain_read(int fd, void *buf, size_t len);
ssize_t awi_plain_write(int fd, const void *buf, size_t len);
int awi_plain_accept(int listener);

#endif
