/* SPDX-License-Identifier: MIT */
/*
 * aw_tcp_connect. A host of two addresses (localhost) is tried in order; if none answers, the error
 * is the first one's. The descriptor is the leaf's own until it is connected: a cancel closes it.
 *
 *     socket, connect ---- at once ------------------> adopted, returned
 *            |  \___ failed: close, next address
 *        EINPROGRESS: wait until it is writable; SO_ERROR says how it went
 */
#include <errno.h>
#include <unistd.h>

#include "runtime/net/net_addr.h"
#include "runtime/sched/awi_sched.h"
#include "runtime/task/awi_task.h"
#include "runtime/task/leaf_need.h"
#include "runtime/task/leaf_room.h"

struct connect_frame {
    aw_frame head;
    struct awi_wake_target target;
    struct awi_io io;
    int error; /* the first address's */
    uint16_t port;
    bool has_next;  /* there is another address: the host is "localhost" */
    bool cancelled; /* a cancel waits for the outcome */
};

AWI_LEAF_FITS(struct connect_frame, aw_tcp_connect);

/* Starts a connection. A descriptor, with *rc 0 (connected) or -EINPROGRESS; or an error. */
static int begin(const struct awi_addr *addr, int *rc)
{
    int fd = socket(addr->u.any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -errno;
    awi_reactor_adopt(fd);
    *rc = connect(fd, &addr->u.any, addr->len) == 0 ? 0 : -errno;
    if (*rc == -EINTR) /* it goes on by itself */
        *rc = -EINPROGRESS;
    if (*rc == 0 || *rc == -EINPROGRESS)
        return fd;
    awi_reactor_close_fd(fd);
    return *rc;
}

/* How did it go? 0: connected, -EINPROGRESS: still on its way, or why it failed. */
static int outcome(int fd)
{
    int error = 0;
    struct sockaddr_storage peer;
    socklen_t len = sizeof error, peer_len = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len) != 0)
        return -errno;
    if (error != 0)
        return -error;
    if (getpeername(fd, (struct sockaddr *)&peer, &peer_len) == 0)
        return 0;
    return errno == ENOTCONN ? -EINPROGRESS : -errno;
}

static void io_done(struct awi_io *io, enum awi_io_caller caller)
{
    struct connect_frame *f =
        (struct connect_frame *)(void *)((char *)io - offsetof(struct connect_frame, io));
    if (caller == AWI_IO_LOCAL)
        awi_leaf_complete(&f->target);
    else
        awi_leaf_complete_remote(&f->target);
}

static awi_reactor *reactor(void)
{
    return awi_executor_reactor(awi_executor_current());
}

/* The second address of localhost; an error: the first one's. */
static int begin_next(struct connect_frame *f, int *rc)
{
    struct awi_addr addr;
    f->has_next = false;
    int fd = awi_addr_parse("localhost", f->port, 1, &addr);
    if (fd == 0)
        fd = begin(&addr, rc);
    return fd < 0 ? f->error : fd;
}

/* `rc`: how the attempt on io.fd stands, or, where io.fd is negative, why there is none. The leaf's
 * result, or -EINPROGRESS: it waits. */
static int advance(struct connect_frame *f, int rc)
{
    for (;;) {
        if (f->io.fd >= 0 && rc == -EINPROGRESS) {
            rc = awi_reactor_submit(reactor(), &f->io);
            if (rc == 0)
                return -EINPROGRESS;
        } else if (rc == 0) {
            return f->io.fd;
        }
        if (f->io.fd >= 0)
            awi_reactor_close_fd(f->io.fd);
        if (!f->has_next)
            return f->error != 0 ? f->error : rc;
        f->error = rc;
        f->io.fd = begin_next(f, &rc);
        if (f->io.fd < 0)
            return f->error;
    }
}

static void cancel(aw_cx *c, struct connect_frame *f)
{
    if (awi_reactor_cancel(reactor(), &f->io)) {
        awi_reactor_close_fd(f->io.fd);
        return;
    }
    f->cancelled = true;
    awi_leaf_wait_on(c, &f->head);
}

static void connect_resume(aw_cx *c, aw_frame *frame, unsigned state)
{
    struct connect_frame *f = (struct connect_frame *)frame;
    if (state & AW_CANCEL) {
        cancel(c, f);
        return;
    }
    /* -ECANCELED: somebody guessed the number and closed it; it is not ours any more */
    int rc = f->io.result == -ECANCELED ? -ECANCELED : outcome(f->io.fd);
    if (rc == -EINPROGRESS && f->cancelled) {
        awi_reactor_close_fd(f->io.fd);
        awi_leaf_land_cancel(c, frame);
        return;
    }
    if (rc != -ECANCELED)
        rc = advance(f, rc);
    if (rc == -EINPROGRESS) {
        awi_leaf_wait_on(c, frame);
        return;
    }
    int *result = AW_RESULT(f, int);
    *result = rc;
    c->ret = result;
}

static const aw_site connect_site = AWI_LEAF_SITE("aw_tcp_connect", connect_resume, AW_SITE_CLEAN);

/* It was not connected at once: from here on there is a frame. */
static int start(aw_cx *c, void *fp, const struct connect_frame *init, int rc)
{
    struct awi_leaf_room room;
    struct connect_frame *f = awi_leaf_room_begin(c, fp, sizeof *f, &room);
    if (f == NULL) {
        if (init->io.fd >= 0)
            awi_reactor_close_fd(init->io.fd);
        return 0;
    }
    *f = *init;
    awi_leaf_target(c, &f->target);
    rc = advance(f, rc);
    if (rc == -EINPROGRESS) {
        awi_leaf_suspend(c, &f->head, &connect_site);
        rc = 0;
    }
    awi_leaf_room_end(c, &room);
    return rc;
}

int awi_leaf_tcp_connect(aw_cx *c, void *fp, const char *host, uint16_t port)
    AWI_LEAF(aw_tcp_connect);

int awi_leaf_tcp_connect(aw_cx *c, void *fp, const char *host, uint16_t port)
{
    struct awi_addr addr;
    if (awi_leaf_cancelled(c, fp))
        return 0;
    int rc = awi_addr_parse(host, port, 0, &addr);
    if (rc != 0)
        return rc;
    struct connect_frame init = {.port = port, .io = {.op = AWI_IO_CONNECT, .done = io_done}};
    init.has_next = awi_addr_parse(host, port, 1, &addr) == 0;
    (void)awi_addr_parse(host, port, 0, &addr);
    init.io.fd = begin(&addr, &rc);
    if (init.io.fd >= 0 && rc == 0)
        return init.io.fd;
    if (init.io.fd < 0)
        rc = init.io.fd;
    if (init.io.fd < 0 && !init.has_next)
        return rc;
    return start(c, fp, &init, rc);
}
