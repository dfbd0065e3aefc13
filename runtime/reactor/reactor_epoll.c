/* SPDX-License-Identifier: MIT */
/*
 * The reactor over epoll(7): readiness, edge-triggered, one registration a descriptor for both
 * directions, which stays until the descriptor is forgotten.
 *
 *     pages --> [256 entries] --> entry of a number:  generation, registered,
 *               [256 entries]         waiting[IN]  --> io <-> io <-> io  (a ring)
 *                                     waiting[OUT] --> io
 *
 * An event carries number and generation; forgetting a number steps its generation, so what the
 * kernel has already said about the old descriptor is dropped.
 *
 * No event is lost: an operation waits only after an attempt said EAGAIN, and the kernel raises a
 * new edge for what comes after that. Registration itself reports what is ready already. For a
 * descriptor that the runtime made this is all. Any other may have been closed and its number
 * reused behind our back, so each wait renews the registration (EPOLL_CTL_MOD, which also looks at
 * the state anew), and finds out if it is gone.
 *
 * Time: epoll's own timeout is up to 50 us late and up to 0.1 % of its length (timer slack), a
 * timerfd is not. It is set only when the deadline has become earlier; a deadline that has become
 * later costs one wake-up instead of a system call each time.
 */
#include <awaitc/plain.h>
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "runtime/reactor/fd_kind.h"
#include "runtime/reactor/reactor.h"
#include "runtime/sys/sys_alloc.h"
#include "runtime/sys/sys_clock.h"

extern const struct awi_reactor_ops awi_reactor_epoll;

enum { IN, OUT, DIRECTIONS };
enum { PAGE_ENTRIES = 256, BATCH = 128 };

/* Event data that is no descriptor's: those have less than 2^31 in the low half. */
#define DATA_WAKE  UINT64_C(0xffffffff)
#define DATA_TIMER UINT64_C(0xfffffffe)

struct fd_entry {
    struct awi_io *waiting[DIRECTIONS];
    uint32_t generation;
    bool registered;
};

struct epoll_reactor {
    awi_reactor head;
    int epoll_fd, wake_fd, timer_fd;
    uint64_t timer_at_ns; /* what timer_fd is set to; AWI_NEVER: it is not */
    struct fd_entry **pages;
    size_t page_count;
};

static struct epoll_reactor *epoll_of(awi_reactor *r)
{
    return (struct epoll_reactor *)(void *)r;
}

/* ---- the table --------------------------------------------------------------------------- */

static struct fd_entry *entry_find(struct epoll_reactor *er, int fd)
{
    size_t page = (size_t)fd / PAGE_ENTRIES;
    if (fd < 0 || page >= er->page_count || er->pages[page] == NULL)
        return NULL;
    return &er->pages[page][fd % PAGE_ENTRIES];
}

static bool pages_reach(struct epoll_reactor *er, size_t page)
{
    if (page < er->page_count)
        return true;
    size_t count = page + 1 > 2 * er->page_count ? page + 1 : 2 * er->page_count;
    struct fd_entry **pages = awi_alloc(count * sizeof *pages);
    if (pages == NULL)
        return false;
    memset(pages, 0, count * sizeof *pages);
    for (size_t i = 0; i < er->page_count; i++)
        pages[i] = er->pages[i];
    awi_free(er->pages);
    er->pages = pages;
    er->page_count = count;
    return true;
}

/* As entry_find, making it; NULL: no memory. */
static struct fd_entry *entry_make(struct epoll_reactor *er, int fd)
{
    struct fd_entry *entry = entry_find(er, fd);
    size_t page = (size_t)fd / PAGE_ENTRIES;
    if (entry != NULL)
        return entry;
    if (!pages_reach(er, page))
        return NULL;
    struct fd_entry *entries = awi_alloc(PAGE_ENTRIES * sizeof *entries);
    if (entries == NULL)
        return NULL;
    memset(entries, 0, PAGE_ENTRIES * sizeof *entries);
    er->pages[page] = entries;
    return &entries[fd % PAGE_ENTRIES];
}

/* ---- what waits -------------------------------------------------------------------------- */

static int direction_of(const struct awi_io *io)
{
    return io->op == AWI_IO_READ || io->op == AWI_IO_ACCEPT ? IN : OUT;
}

static void ring_append(struct awi_io **ring, struct awi_io *io)
{
    io->pending = 1;
    if (*ring == NULL) {
        *ring = io->next = io->prev = io;
        return;
    }
    io->next = *ring;
    io->prev = (*ring)->prev;
    io->prev->next = io;
    io->next->prev = io;
}

static void ring_remove(struct awi_io **ring, struct awi_io *io)
{
    io->pending = 0;
    if (io->next == io) {
        *ring = NULL;
        return;
    }
    io->next->prev = io->prev;
    io->prev->next = io->next;
    if (*ring == io)
        *ring = io->next;
}

/* Completes the whole ring. Locked. */
static int ring_complete(struct awi_io **ring, ssize_t result, enum awi_io_caller caller)
{
    int count = 0;
    for (struct awi_io *io; (io = *ring) != NULL; count++) {
        ring_remove(ring, io);
        io->result = result;
        io->done(io, caller); /* io may be gone now */
    }
    return count;
}

/* ---- registration ------------------------------------------------------------------------ */

static int control(struct epoll_reactor *er, int how, int fd, uint32_t generation)
{
    struct epoll_event event = {
        .events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET,
        .data.u64 = (uint64_t)generation << 32 | (uint32_t)fd,
    };
    return epoll_ctl(er->epoll_fd, how, fd, &event) == 0 ? 0 : -errno;
}

static int register_fd(struct epoll_reactor *er, struct fd_entry *entry, int fd)
{
    int rc;
    if (entry->registered) {
        if (awi_fd_owned(fd))
            return 0;
        rc = control(er, EPOLL_CTL_MOD, fd, entry->generation);
        if (rc != -ENOENT && rc != -EBADF)
            return rc;
        /* Closed by somebody else. Who still waits shall see for himself. */
        entry->registered = false;
        entry->generation++;
        ring_complete(&entry->waiting[IN], -EAGAIN, AWI_IO_LOCAL);
        ring_complete(&entry->waiting[OUT], -EAGAIN, AWI_IO_LOCAL);
    }
    rc = control(er, EPOLL_CTL_ADD, fd, entry->generation);
    if (rc == -EEXIST) /* the number came back as a duplicate of what it was */
        rc = control(er, EPOLL_CTL_MOD, fd, entry->generation);
    entry->registered = rc == 0;
    return rc;
}

static int epoll_submit(awi_reactor *r, struct awi_io *io)
{
    struct epoll_reactor *er = epoll_of(r);
    if (io->fd < 0)
        return -EBADF;
    struct fd_entry *entry = entry_make(er, io->fd);
    if (entry == NULL)
        return -ENOMEM;
    int rc = register_fd(er, entry, io->fd);
    if (rc == 0)
        ring_append(&entry->waiting[direction_of(io)], io);
    return rc;
}

static bool epoll_cancel(awi_reactor *r, struct awi_io *io)
{
    if (!io->pending)
        return false;
    struct fd_entry *entry = entry_find(epoll_of(r), io->fd);
    ring_remove(&entry->waiting[direction_of(io)], io);
    return true;
}

static bool epoll_forget(awi_reactor *r, int fd)
{
    struct epoll_reactor *er = epoll_of(r);
    struct fd_entry *entry = entry_find(er, fd);
    if (entry == NULL || !entry->registered)
        return false;                  /* nothing waits where nothing is registered */
    control(er, EPOLL_CTL_DEL, fd, 0); /* fails if it was closed already; that is fine */
    entry->registered = false;
    entry->generation++;
    ring_complete(&entry->waiting[IN], -ECANCELED, AWI_IO_REMOTE);
    ring_complete(&entry->waiting[OUT], -ECANCELED, AWI_IO_REMOTE);
    return true;
}

/* ---- waiting ----------------------------------------------------------------------------- */

/* Sees to it that the wait ends at `deadline_ns`. Returns epoll_wait's timeout. */
static int arm_timer(struct epoll_reactor *er, uint64_t deadline_ns)
{
    if (deadline_ns == 0 || deadline_ns <= awi_now_ns())
        return 0;
    if (deadline_ns >= er->timer_at_ns) /* AWI_NEVER included */
        return -1;
    struct itimerspec spec = {
        .it_value.tv_sec = (time_t)(deadline_ns / 1000000000),
        .it_value.tv_nsec = (long)(deadline_ns % 1000000000),
    };
    if (timerfd_settime(er->timer_fd, TFD_TIMER_ABSTIME, &spec, NULL) != 0)
        return 1; /* cannot be; then look every millisecond */
    er->timer_at_ns = deadline_ns;
    return -1;
}

/* Locked. */
static int dispatch(struct epoll_reactor *er, const struct epoll_event *event)
{
    int count = 0;
    if (event->data.u64 == DATA_WAKE) /* edge-triggered: no need to empty the eventfd */
        return 0;
    if (event->data.u64 == DATA_TIMER) {
        er->timer_at_ns = AWI_NEVER;
        return 0;
    }
    struct fd_entry *entry = entry_find(er, (int)(uint32_t)event->data.u64);
    if (entry == NULL || entry->generation != (uint32_t)(event->data.u64 >> 32))
        return 0; /* said about a descriptor that has been forgotten since */
    if (event->events & (EPOLLIN | EPOLLPRI | EPOLLRDHUP | EPOLLHUP | EPOLLERR))
        count += ring_complete(&entry->waiting[IN], -EAGAIN, AWI_IO_LOCAL);
    if (event->events & (EPOLLOUT | EPOLLHUP | EPOLLERR))
        count += ring_complete(&entry->waiting[OUT], -EAGAIN, AWI_IO_LOCAL);
    return count;
}

static int epoll_poll(awi_reactor *r, uint64_t deadline_ns)
{
    struct epoll_reactor *er = epoll_of(r);
    struct epoll_event events[BATCH];
    int count = 0;
    int timeout_ms = arm_timer(er, deadline_ns);
    int n = epoll_wait(er->epoll_fd, events, BATCH, timeout_ms);
    if (n <= 0) /* EINTR: a signal handler may have woken us; the caller looks */
        return 0;
    pthread_mutex_lock(&r->lock);
    for (int i = 0; i < n; i++)
        count += dispatch(er, &events[i]);
    pthread_mutex_unlock(&r->lock);
    return count;
}

static void epoll_wake(awi_reactor *r)
{
    int saved = errno; /* we may be in a signal handler */
    uint64_t one = 1;
    ssize_t n = write(epoll_of(r)->wake_fd, &one, sizeof one);
    (void)n;
    errno = saved;
}

/* ---- life -------------------------------------------------------------------------------- */

static int epoll_probe(void)
{
    return 0;
}

static int watch(struct epoll_reactor *er, int fd, uint64_t data)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.u64 = data};
    return epoll_ctl(er->epoll_fd, EPOLL_CTL_ADD, fd, &event) == 0 ? 0 : -errno;
}

static void epoll_close(awi_reactor *r)
{
    struct epoll_reactor *er = epoll_of(r);
    int fds[] = {er->epoll_fd, er->wake_fd, er->timer_fd};
    for (size_t i = 0; i < sizeof fds / sizeof fds[0]; i++) {
        if (fds[i] >= 0)
            close(fds[i]);
    }
    for (size_t i = 0; i < er->page_count; i++)
        awi_free(er->pages[i]);
    awi_free(er->pages);
    awi_free(er);
}

static int open_descriptors(struct epoll_reactor *er)
{
    er->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (er->epoll_fd < 0)
        return -errno;
    er->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (er->wake_fd < 0)
        return -errno;
    er->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    if (er->timer_fd < 0)
        return -errno;
    int rc = watch(er, er->wake_fd, DATA_WAKE);
    return rc != 0 ? rc : watch(er, er->timer_fd, DATA_TIMER);
}

static int epoll_open(awi_reactor **out)
{
    struct epoll_reactor *er = awi_alloc(sizeof *er);
    if (er == NULL)
        return -ENOMEM;
    *er = (struct epoll_reactor){0};
    er->epoll_fd = er->wake_fd = er->timer_fd = -1;
    er->timer_at_ns = AWI_NEVER;
    int rc = open_descriptors(er);
    if (rc != 0) {
        epoll_close(&er->head);
        return rc;
    }
    *out = &er->head;
    return 0;
}

const struct awi_reactor_ops awi_reactor_epoll = {
    .name = "epoll",
    .io_backend = AW_IO_EPOLL,
    .probe = epoll_probe,
    .open = epoll_open,
    .close = epoll_close,
    .submit = epoll_submit,
    .cancel = epoll_cancel,
    .forget = epoll_forget,
    .poll = epoll_poll,
    .wake = epoll_wake,
};
