/* SPDX-License-Identifier: MIT */
/*
 * What kind of descriptor is this number, as far as is known? One byte a number, for the whole
 * process. It is only a hint about which system call to try first: a number may have been closed
 * and reused behind the runtime's back, so every use must be right, if slower, with a wrong hint.
 * The mark `owned` is more: the runtime itself made the descriptor non-blocking, and it is closed
 * by aw_close; so it stands until then.
 */
#ifndef AWAITC_RUNTIME_FD_KIND_H
#define AWAITC_RUNTIME_FD_KIND_H

#include <stdbool.h>

enum awi_fd_kind {
    AWI_FD_UNKNOWN,
    AWI_FD_SOCKET, /* takes MSG_DONTWAIT */
    AWI_FD_STREAM, /* a pipe, a terminal, an eventfd, ...: perhaps takes RWF_NOWAIT */
    AWI_FD_PLAIN,  /* a stream that does not take RWF_NOWAIT */
    AWI_FD_FILE    /* a regular file, directory or block device: always "ready", yet it blocks */
};

/* The kind of `fd`, found out by fstat if it is not known; negated errno (-EBADF). */
int awi_fd_kind_get(int fd);
/* Learnt: `fd` is of that kind. AWI_FD_UNKNOWN: look again next time. Keeps `owned`. */
void awi_fd_kind_set(int fd, enum awi_fd_kind kind);

/* The runtime made it: a non-blocking socket. */
void awi_fd_own(int fd);
bool awi_fd_owned(int fd);
/* The number is free again. */
void awi_fd_clear(int fd);

#endif
