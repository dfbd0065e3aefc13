/* SPDX-License-Identifier: MIT */
/*
 * The front of the reactor: which backend, whose lock, and which reactors there are.
 *
 * Locks: `all_lock` guards the list of reactors, each reactor's `lock` what waits in it; taken in
 * this order. The executor's own path (submit, cancel, poll) takes only its reactor's lock, which
 * nobody else wants unless a descriptor is closed.
 *
 * Closing: the number must not be given out again while an old operation is registered under it,
 * and no operation may register between the forgetting and the close, else it would wait for
 * ever. So a known descriptor is closed under the locks. An unknown one (a file, say, whose close
 * may take long) is closed outside.
 */
#include "runtime/reactor/reactor.h"

#include <assert.h>
#include <awaitc/plain.h>
#include <errno.h>
#include <unistd.h>

#include "runtime/reactor/fd_kind.h"

#define BACKEND(name) extern const struct awi_reactor_ops awi_reactor_##name;
#include "runtime/reactor/backends.def"
#undef BACKEND

const struct awi_reactor_ops *const awi_reactor_backends[] = {
#define BACKEND(name) &awi_reactor_##name,
#include "runtime/reactor/backends.def"
#undef BACKEND
};
const size_t awi_reactor_backend_count =
    sizeof awi_reactor_backends / sizeof awi_reactor_backends[0];

static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER;
static awi_reactor *all; /* under all_lock */

int awi_reactor_create_with(const struct awi_reactor_ops *ops, awi_reactor **out)
{
    awi_reactor *r;
    int rc = ops->open(&r);
    if (rc != 0)
        return rc;
    r->ops = ops;
    pthread_mutex_init(&r->lock, NULL); /* cannot fail without attributes */
    pthread_mutex_lock(&all_lock);
    r->next = all;
    all = r;
    pthread_mutex_unlock(&all_lock);
    *out = r;
    return 0;
}

int awi_reactor_create(int io_backend, awi_reactor **out)
{
    int rc = -EINVAL;
    for (size_t i = 0; i < awi_reactor_backend_count; i++) {
        const struct awi_reactor_ops *ops = awi_reactor_backends[i];
        if (io_backend != AW_IO_AUTO && io_backend != ops->io_backend)
            continue;
        rc = ops->probe();
        if (rc == 0)
            return awi_reactor_create_with(ops, out);
    }
    return rc;
}

void awi_reactor_destroy(awi_reactor **reactor)
{
    awi_reactor *r = *reactor;
    if (r == NULL)
        return;
    pthread_mutex_lock(&all_lock);
    awi_reactor **link = &all;
    while (*link != r)
        link = &(*link)->next;
    *link = r->next;
    pthread_mutex_unlock(&all_lock);
    pthread_mutex_destroy(&r->lock);
    r->ops->close(r);
    *reactor = NULL;
}

int awi_reactor_submit(awi_reactor *r, struct awi_io *io)
{
    assert(!io->pending);
    pthread_mutex_lock(&r->lock);
    int rc = r->ops->submit(r, io);
    pthread_mutex_unlock(&r->lock);
    return rc;
}

bool awi_reactor_cancel(awi_reactor *r, struct awi_io *io)
{
    pthread_mutex_lock(&r->lock);
    bool gone = r->ops->cancel(r, io);
    pthread_mutex_unlock(&r->lock);
    return gone;
}

int awi_reactor_poll(awi_reactor *r, uint64_t deadline_ns)
{
    return r->ops->poll(r, deadline_ns);
}

void awi_reactor_wake(awi_reactor *r)
{
    r->ops->wake(r);
}

/* Locks every reactor and makes it forget `fd`. True if one of them knew it. */
static bool lock_and_forget(int fd)
{
    bool known = false;
    pthread_mutex_lock(&all_lock);
    for (awi_reactor *r = all; r != NULL; r = r->next) {
        pthread_mutex_lock(&r->lock);
        if (r->ops->forget(r, fd))
            known = true;
    }
    return known;
}

static void unlock_all(void)
{
    for (awi_reactor *r = all; r != NULL; r = r->next)
        pthread_mutex_unlock(&r->lock);
    pthread_mutex_unlock(&all_lock);
}

void awi_reactor_adopt(int fd)
{
    lock_and_forget(fd);
    awi_fd_own(fd);
    unlock_all();
}

static int close_number(int fd)
{
    /* Linux frees the number whatever close says; EINTR is not to be tried again. */
    return close(fd) == 0 || errno == EINTR ? 0 : -errno;
}

int awi_reactor_close_fd(int fd)
{
    int rc = 0;
    if (fd < 0)
        return -EBADF;
    bool known = lock_and_forget(fd);
    awi_fd_clear(fd);
    if (known)
        rc = close_number(fd);
    unlock_all();
    return known ? rc : close_number(fd);
}
