/* SPDX-License-Identifier: MIT */
/*
 * The attempts of io_try.h. A wrong hint (fd_kind.h) costs a detour: ENOTSOCK sends back to fstat,
 * EOPNOTSUPP to the next weaker attempt.
 */
#include "runtime/reactor/io_try.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "runtime/reactor/fd_kind.h"

#ifndef RWF_NOSIGNAL
#define RWF_NOSIGNAL 0x100 /* <linux/fs.h> since 6.18 */
#endif

/* ---- SIGPIPE ----------------------------------------------------------------------------- */

struct pipe_guard {
    sigset_t old;
    bool pending; /* a SIGPIPE of somebody else's was waiting already */
};

static void pipe_only(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGPIPE);
}

static void pipe_guard_enter(struct pipe_guard *g)
{
    sigset_t pipe_set, pending;
    pipe_only(&pipe_set);
    pthread_sigmask(SIG_BLOCK, &pipe_set, &g->old);
    g->pending = sigismember(&g->old, SIGPIPE) == 1 && sigpending(&pending) == 0 &&
                 sigismember(&pending, SIGPIPE) == 1;
}

/* `result`: what the write gave. */
static void pipe_guard_leave(struct pipe_guard *g, ssize_t result)
{
    sigset_t pipe_set;
    pipe_only(&pipe_set);
    if (result == -EPIPE && !g->pending) {
        struct timespec none = {0};
        while (sigtimedwait(&pipe_set, NULL, &none) < 0 && errno == EINTR) {
        }
    }
    pthread_sigmask(SIG_SETMASK, &g->old, NULL);
}

static ssize_t result_of(ssize_t n)
{
    return n < 0 ? -errno : n;
}

/* At the descriptor's own position. `flags` 0 is write(2) itself: some kinds take no flags. */
static ssize_t write_once(int fd, const void *buf, size_t len, int flags)
{
    struct iovec iov = {.iov_base = (void *)(uintptr_t)buf, .iov_len = len};
    ssize_t n;
    do
        n = flags == 0 ? write(fd, buf, len) : pwritev2(fd, &iov, 1, -1, flags);
    while (n < 0 && errno == EINTR);
    return result_of(n);
}

static ssize_t write_guarded(int fd, const void *buf, size_t len, int flags)
{
    struct pipe_guard g;
    pipe_guard_enter(&g);
    ssize_t n = write_once(fd, buf, len, flags);
    pipe_guard_leave(&g, n);
    return n;
}

/* -EOPNOTSUPP: this kind does not take RWF_NOWAIT. */
static ssize_t write_nowait(int fd, const void *buf, size_t len)
{
    static _Atomic bool no_signal_missing; /* learnt; relaxed: says nothing about other memory */
    bool missing = atomic_load_explicit(&no_signal_missing, memory_order_relaxed);
    if (!missing) {
        ssize_t n = write_once(fd, buf, len, RWF_NOWAIT | RWF_NOSIGNAL);
        if (n != -EOPNOTSUPP)
            return n;
    }
    ssize_t n = write_guarded(fd, buf, len, RWF_NOWAIT);
    if (!missing && n != -EOPNOTSUPP) /* so it was the other flag which was not supported */
        atomic_store_explicit(&no_signal_missing, true, memory_order_relaxed);
    return n;
}

/* ---- streams without RWF_NOWAIT ------------------------------------------------------------ */

static int is_nonblocking(int fd)
{
    int flags = fcntl(fd, F_GETFL);
    return flags < 0 ? -errno : (flags & O_NONBLOCK) != 0;
}

/* A descriptor without O_NONBLOCK: AWI_TRY_POOL if it is ready for `events`. */
static int pool_if_ready(int fd, short events)
{
    struct pollfd p = {.fd = fd, .events = events};
    int n;
    do
        n = poll(&p, 1, 0);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return -errno;
    if (p.revents & POLLNVAL)
        return -EBADF;
    return n == 0 ? AWI_TRY_AGAIN : AWI_TRY_POOL;
}

static ssize_t try_read_plain(int fd, void *buf, size_t len)
{
    int nonblocking = is_nonblocking(fd);
    if (nonblocking < 0)
        return nonblocking;
    return nonblocking ? awi_plain_read(fd, buf, len) : pool_if_ready(fd, POLLIN);
}

static ssize_t try_write_plain(int fd, const void *buf, size_t len)
{
    int nonblocking = is_nonblocking(fd);
    if (nonblocking < 0)
        return nonblocking;
    return nonblocking ? write_guarded(fd, buf, len, 0) : pool_if_ready(fd, POLLOUT);
}

/* ---- attempts ------------------------------------------------------------------------------ */

static ssize_t try_read_as(int fd, int kind, void *buf, size_t len)
{
    ssize_t n;
    switch (kind) {
    case AWI_FD_SOCKET:
        do
            n = recv(fd, buf, len, MSG_DONTWAIT);
        while (n < 0 && errno == EINTR);
        return result_of(n);
    case AWI_FD_STREAM: {
        struct iovec iov = {.iov_base = buf, .iov_len = len};
        do
            n = preadv2(fd, &iov, 1, -1, RWF_NOWAIT);
        while (n < 0 && errno == EINTR);
        if (n >= 0 || (errno != EOPNOTSUPP && errno != ENOSYS))
            return result_of(n);
        awi_fd_kind_set(fd, AWI_FD_PLAIN);
        return try_read_plain(fd, buf, len);
    }
    case AWI_FD_PLAIN:
        return try_read_plain(fd, buf, len);
    default:
        return kind < 0 ? kind : AWI_TRY_POOL;
    }
}

static ssize_t try_write_as(int fd, int kind, const void *buf, size_t len)
{
    ssize_t n;
    switch (kind) {
    case AWI_FD_SOCKET:
        do
            n = send(fd, buf, len, MSG_DONTWAIT | MSG_NOSIGNAL);
        while (n < 0 && errno == EINTR);
        return result_of(n);
    case AWI_FD_STREAM:
        n = write_nowait(fd, buf, len);
        if (n != -EOPNOTSUPP && n != -ENOSYS)
            return n;
        awi_fd_kind_set(fd, AWI_FD_PLAIN);
        return try_write_plain(fd, buf, len);
    case AWI_FD_PLAIN:
        return try_write_plain(fd, buf, len);
    default:
        return kind < 0 ? kind : AWI_TRY_POOL;
    }
}

/* A hint turned out to be wrong: the kind as it is now. */
static int kind_anew(int fd)
{
    awi_fd_kind_set(fd, AWI_FD_UNKNOWN);
    return awi_fd_kind_get(fd);
}

ssize_t awi_try_read(int fd, void *buf, size_t len)
{
    if (len == 0) /* read(2) only looks for errors, and never waits; recv(2) would */
        return result_of(read(fd, buf, 0));
    ssize_t n = try_read_as(fd, awi_fd_kind_get(fd), buf, len);
    return n == -ENOTSOCK ? try_read_as(fd, kind_anew(fd), buf, len) : n;
}

ssize_t awi_try_write(int fd, const void *buf, size_t len)
{
    ssize_t n = try_write_as(fd, awi_fd_kind_get(fd), buf, len);
    return n == -ENOTSOCK ? try_write_as(fd, kind_anew(fd), buf, len) : n;
}

int awi_try_accept(int listener)
{
    if (!awi_fd_owned(listener)) {
        int nonblocking = is_nonblocking(listener);
        if (nonblocking < 0)
            return nonblocking;
        if (!nonblocking)
            return pool_if_ready(listener, POLLIN);
    }
    return awi_plain_accept(listener);
}

/* ---- plain calls --------------------------------------------------------------------------- */

ssize_t awi_plain_read(int fd, void *buf, size_t len)
{
    ssize_t n;
    do
        n = read(fd, buf, len);
    while (n < 0 && errno == EINTR);
    return result_of(n);
}

ssize_t awi_plain_write(int fd, const void *buf, size_t len)
{
    struct stat st;
    /* A pipe that is ready takes PIPE_BUF bytes; more could keep the thread for ever. */
    if (len > PIPE_BUF && fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode))
        len = PIPE_BUF;
    return write_guarded(fd, buf, len, 0);
}

int awi_plain_accept(int listener)
{
    int fd;
    do /* ECONNABORTED: who wanted to connect has left; the next one may be waiting behind him */
        fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    while (fd < 0 && (errno == EINTR || errno == ECONNABORTED));
    return fd < 0 ? -errno : fd;
}
