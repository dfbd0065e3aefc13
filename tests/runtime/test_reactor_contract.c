/* SPDX-License-Identifier: MIT */
/*
 * What every backend of the reactor must do: the same cases for each line of backends.def. Both
 * kinds of backend pass: one that says "it may go now" (-EAGAIN) and one that brings the outcome.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "runtime/reactor/fd_kind.h"
#include "runtime/reactor/io_try.h"
#include "runtime/reactor/reactor.h"

#define MS UINT64_C(1000000)

static const struct awi_reactor_ops *ops; /* the backend under test */
static awi_reactor *reactor;

/* An operation and what became of it. */
struct probe {
    struct awi_io io;
    _Atomic int done;
    enum awi_io_caller caller;
    char buf[64];
};

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void probe_done(struct awi_io *io, enum awi_io_caller caller)
{
    struct probe *p = (struct probe *)(void *)((char *)io - offsetof(struct probe, io));
    p->caller = caller;
    p->done++;
}

static int submit(struct probe *p, int fd, enum awi_io_op op)
{
    memset(p, 0, sizeof *p);
    p->io = (struct awi_io){
        .fd = fd, .op = (uint8_t)op, .buf = p->buf, .len = sizeof p->buf, .done = probe_done};
    return awi_reactor_submit(reactor, &p->io);
}

/* Polls until `p` is answered, for at most two seconds. */
static void expect_done(struct probe *p)
{
    uint64_t end_ns = now_ns() + 2000 * MS;
    while (!p->done && now_ns() < end_ns)
        awi_reactor_poll(reactor, now_ns() + 10 * MS);
    assert_int_equal(p->done, 1);
}

static void poll_for(uint64_t ns)
{
    uint64_t end_ns = now_ns() + ns;
    do
        awi_reactor_poll(reactor, end_ns);
    while (now_ns() < end_ns);
}

static int setup(void **state)
{
    (void)state;
    return awi_reactor_create_with(ops, &reactor);
}

static int teardown(void **state)
{
    (void)state;
    awi_reactor_destroy(&reactor);
    return 0;
}

static void make_pipe(int fds[2])
{
    assert_int_equal(pipe2(fds, O_NONBLOCK | O_CLOEXEC), 0);
}

static void make_sockets(int fds[2])
{
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
}

static void close_both(const int fds[2])
{
    assert_int_equal(awi_reactor_close_fd(fds[0]), 0);
    assert_int_equal(awi_reactor_close_fd(fds[1]), 0);
}

static void fill(int fd)
{
    char block[4096] = {0};
    while (write(fd, block, sizeof block) > 0) {
    }
}

static void drain(int fd)
{
    char block[4096];
    while (read(fd, block, sizeof block) > 0) {
    }
}

/* ---- time and wake ----------------------------------------------------------------------- */

static void test_poll_ends_at_its_deadline_and_not_before(void **state)
{
    (void)state;
    static const uint64_t waits_ns[] = {50000, 2 * MS, 300000, 7 * MS, 1};
    for (size_t i = 0; i < sizeof waits_ns / sizeof waits_ns[0]; i++) {
        uint64_t start_ns = now_ns(), deadline_ns = start_ns + waits_ns[i];
        int polls = 0;
        while (now_ns() < deadline_ns) {
            assert_int_equal(awi_reactor_poll(reactor, deadline_ns), 0);
            polls++;
        }
        assert_true(polls <= 3); /* it waits, it does not spin */
        assert_true(now_ns() - deadline_ns < 1000 * MS);
    }
}

static void test_poll_without_wait(void **state)
{
    (void)state;
    uint64_t start_ns = now_ns();
    for (int i = 0; i < 10; i++)
        assert_int_equal(awi_reactor_poll(reactor, 0), 0);
    awi_reactor_poll(reactor, 1); /* a time that has passed */
    assert_true(now_ns() - start_ns < 500 * MS);
}

static void test_an_earlier_deadline_after_a_later_one(void **state)
{
    (void)state;
    awi_reactor_wake(reactor);
    awi_reactor_poll(reactor, now_ns() + 5000 * MS); /* returns at once: woken */
    uint64_t start_ns = now_ns();
    poll_for(3 * MS);
    assert_true(now_ns() - start_ns < 1000 * MS);
}

static void *wake_after_a_while(void *arg)
{
    nanosleep(&(struct timespec){.tv_nsec = 5 * 1000000}, NULL);
    awi_reactor_wake(arg);
    return NULL;
}

static void test_wake_ends_a_poll(void **state)
{
    pthread_t thread;
    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(pthread_create(&thread, NULL, wake_after_a_while, reactor), 0);
        awi_reactor_poll(reactor, AWI_NEVER);
        pthread_join(thread, NULL);
        awi_reactor_wake(reactor); /* before the poll: not lost */
        awi_reactor_poll(reactor, AWI_NEVER);
    }
}

/* ---- events ------------------------------------------------------------------------------ */

static void test_read_is_answered_when_data_arrives(void **state)
{
    int fds[2];
    struct probe p;
    (void)state;
    make_pipe(fds);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(submit(&p, fds[0], AWI_IO_READ), 0);
        poll_for(1 * MS);
        assert_int_equal(p.done, 0);
        assert_int_equal(write(fds[1], "x", 1), 1);
        expect_done(&p);
        assert_int_equal(p.caller, AWI_IO_LOCAL);
        drain(fds[0]);
    }
    close_both(fds);
}

static void test_what_is_ready_already_is_answered(void **state)
{
    int fds[2];
    struct probe in, out;
    (void)state;
    make_sockets(fds);
    assert_int_equal(write(fds[1], "x", 1), 1);
    assert_int_equal(submit(&in, fds[0], AWI_IO_READ), 0);
    assert_int_equal(submit(&out, fds[0], AWI_IO_WRITE), 0);
    expect_done(&in);
    expect_done(&out);
    close_both(fds);
}

static void test_write_is_answered_when_there_is_room(void **state)
{
    int fds[2];
    struct probe p;
    (void)state;
    make_sockets(fds);
    for (int i = 0; i < 3; i++) {
        fill(fds[1]);
        assert_int_equal(submit(&p, fds[1], AWI_IO_WRITE), 0);
        awi_reactor_poll(reactor, 0);
        drain(fds[0]);
        expect_done(&p);
        drain(fds[0]);
    }
    close_both(fds);
}

static void test_all_who_wait_are_answered(void **state)
{
    int fds[2];
    struct probe p[5];
    (void)state;
    make_sockets(fds);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(submit(&p[i], fds[0], AWI_IO_READ), 0);
    assert_int_equal(write(fds[1], "12345", 5), 5);
    shutdown(fds[1], SHUT_WR); /* so that a backend that reads has an answer for each */
    for (size_t i = 0; i < 5; i++)
        expect_done(&p[i]);
    close_both(fds);
}

static void test_hang_up_answers_both_directions(void **state)
{
    int fds[2];
    struct probe in, out;
    (void)state;
    make_sockets(fds);
    fill(fds[0]);
    assert_int_equal(submit(&in, fds[0], AWI_IO_READ), 0);
    assert_int_equal(submit(&out, fds[0], AWI_IO_WRITE), 0);
    assert_int_equal(awi_reactor_close_fd(fds[1]), 0);
    expect_done(&in);
    expect_done(&out);
    assert_int_equal(awi_reactor_close_fd(fds[0]), 0);
    make_pipe(fds); /* and a pipe whose reader leaves */
    fill(fds[1]);
    assert_int_equal(submit(&out, fds[1], AWI_IO_WRITE), 0);
    assert_int_equal(awi_reactor_close_fd(fds[0]), 0);
    expect_done(&out);
    assert_int_equal(awi_reactor_close_fd(fds[1]), 0);
}

static void test_more_events_than_one_look_takes(void **state)
{
    enum { PAIRS = 300 };
    static int fds[PAIRS][2];
    static struct probe p[PAIRS];
    (void)state;
    for (size_t i = 0; i < PAIRS; i++) {
        make_pipe(fds[i]);
        assert_int_equal(submit(&p[i], fds[i][0], AWI_IO_READ), 0);
    }
    for (size_t i = 0; i < PAIRS; i++)
        assert_int_equal(write(fds[i][1], "x", 1), 1);
    for (size_t i = 0; i < PAIRS; i++) {
        expect_done(&p[i]);
        close_both(fds[i]);
    }
}

static void test_no_edge_is_lost_in_ping_pong(void **state)
{
    int fds[2];
    struct probe p[2];
    (void)state;
    make_sockets(fds);
    awi_reactor_adopt(fds[0]);
    for (int i = 0; i < 400; i++) {
        int to = i % 2;
        assert_int_equal(submit(&p[to], fds[to], AWI_IO_READ), 0);
        if (i % 3 == 0)
            awi_reactor_poll(reactor, 0);
        assert_int_equal(write(fds[!to], "x", 1), 1);
        expect_done(&p[to]);
        drain(fds[to]);
    }
    close_both(fds);
}

/* ---- cancel and close ---------------------------------------------------------------------- */

static void test_cancelled_is_never_answered(void **state)
{
    int fds[2];
    struct probe gone, stays;
    char byte;
    (void)state;
    make_pipe(fds);
    assert_int_equal(submit(&gone, fds[0], AWI_IO_READ), 0);
    assert_int_equal(submit(&stays, fds[0], AWI_IO_READ), 0);
    if (!awi_reactor_cancel(reactor, &gone.io))
        expect_done(&gone);
    int done = gone.done;
    assert_int_equal(write(fds[1], "x", 1), 1);
    expect_done(&stays);
    poll_for(1 * MS);
    assert_int_equal(gone.done, done);
    if (stays.io.result == -EAGAIN && done == 0) /* nobody has taken it */
        assert_int_equal(read(fds[0], &byte, 1), 1);
    close_both(fds);
}

static void test_cancel_comes_too_late(void **state)
{
    int fds[2];
    struct probe p;
    (void)state;
    make_pipe(fds);
    assert_int_equal(write(fds[1], "x", 1), 1);
    assert_int_equal(submit(&p, fds[0], AWI_IO_READ), 0);
    expect_done(&p);
    assert_false(awi_reactor_cancel(reactor, &p.io));
    assert_int_equal(p.done, 1);
    close_both(fds);
}

static void test_close_ends_what_waits(void **state)
{
    int fds[2];
    struct probe p[3];
    (void)state;
    make_sockets(fds);
    fill(fds[0]);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(submit(&p[i], fds[0], i == 2 ? AWI_IO_WRITE : AWI_IO_READ), 0);
    awi_reactor_poll(reactor, 0);
    assert_int_equal(awi_reactor_close_fd(fds[0]), 0);
    for (size_t i = 0; i < 3; i++) {
        expect_done(&p[i]);
        assert_int_equal(p[i].io.result, -ECANCELED);
        assert_int_equal(p[i].caller, AWI_IO_REMOTE);
        assert_false(awi_reactor_cancel(reactor, &p[i].io));
    }
    assert_int_equal(awi_reactor_close_fd(fds[0]), -EBADF);
    assert_int_equal(awi_reactor_close_fd(-1), -EBADF);
    assert_int_equal(awi_reactor_close_fd(fds[1]), 0);
}

static void *close_after_a_while(void *arg)
{
    nanosleep(&(struct timespec){.tv_nsec = 3 * 1000000}, NULL);
    assert_int_equal(awi_reactor_close_fd(*(int *)arg), 0);
    awi_reactor_wake(reactor);
    return NULL;
}

static void test_close_from_another_thread(void **state)
{
    int fds[2];
    struct probe p;
    pthread_t thread;
    (void)state;
    make_pipe(fds);
    assert_int_equal(submit(&p, fds[0], AWI_IO_READ), 0);
    assert_int_equal(pthread_create(&thread, NULL, close_after_a_while, &fds[0]), 0);
    expect_done(&p);
    pthread_join(thread, NULL);
    assert_int_equal(p.io.result, -ECANCELED);
    assert_int_equal(awi_reactor_close_fd(fds[1]), 0);
}

/* The old descriptor has an event that nobody has looked at when its number gets a new meaning. */
static void test_a_reused_number_is_fresh(void **state)
{
    int old[2], fresh[2];
    struct probe p;
    (void)state;
    make_pipe(old);
    assert_int_equal(submit(&p, old[0], AWI_IO_READ), 0);
    assert_int_equal(write(old[1], "x", 1), 1);
    assert_int_equal(awi_reactor_close_fd(old[0]), 0);
    expect_done(&p);
    make_pipe(fresh);
    assert_int_equal(fresh[0], old[0]);
    assert_int_equal(submit(&p, fresh[0], AWI_IO_READ), 0);
    poll_for(1 * MS);
    assert_int_equal(p.done, 0);
    assert_int_equal(write(fresh[1], "y", 1), 1);
    expect_done(&p);
    assert_int_equal(awi_reactor_close_fd(old[1]), 0);
    close_both(fresh);
}

/* close(2) instead of aw_close: nothing can be known, and yet the new descriptor works. */
static void test_a_number_reused_behind_our_back_works(void **state)
{
    int old[2], fresh[2];
    struct probe p;
    (void)state;
    make_pipe(old);
    assert_int_equal(write(old[1], "x", 1), 1);
    assert_int_equal(submit(&p, old[0], AWI_IO_READ), 0);
    expect_done(&p);
    close(old[0]);
    close(old[1]);
    make_pipe(fresh);
    assert_int_equal(fresh[0], old[0]);
    assert_int_equal(submit(&p, fresh[0], AWI_IO_READ), 0);
    poll_for(1 * MS);
    assert_int_equal(p.done, 0);
    assert_int_equal(write(fresh[1], "y", 1), 1);
    expect_done(&p);
    close_both(fresh);
}

static void test_a_duplicate_lives_on(void **state)
{
    int fds[2];
    struct probe first, second;
    (void)state;
    make_pipe(fds);
    int copy = dup(fds[0]);
    assert_int_equal(submit(&first, fds[0], AWI_IO_READ), 0);
    assert_int_equal(submit(&second, copy, AWI_IO_READ), 0);
    assert_int_equal(awi_reactor_close_fd(fds[0]), 0);
    expect_done(&first);
    assert_int_equal(first.io.result, -ECANCELED);
    poll_for(1 * MS);
    assert_int_equal(second.done, 0);
    assert_int_equal(write(fds[1], "x", 1), 1);
    expect_done(&second);
    assert_int_equal(awi_reactor_close_fd(copy), 0);
    assert_int_equal(awi_reactor_close_fd(fds[1]), 0);
}

static void test_what_cannot_be_waited_for(void **state)
{
    FILE *file = tmpfile();
    struct probe p;
    (void)state;
    assert_non_null(file);
    int rc = submit(&p, fileno(file), AWI_IO_READ);
    if (rc == 0)
        expect_done(&p); /* a backend that can */
    else
        assert_int_equal(rc, -EPERM);
    fclose(file);
    assert_int_equal(submit(&p, -1, AWI_IO_READ), -EBADF);
    assert_int_equal(submit(&p, 1000000, AWI_IO_READ), -EBADF);
}

/* ---- sockets of the network ---------------------------------------------------------------- */

static int listen_somewhere(struct sockaddr_in *addr)
{
    socklen_t len = sizeof *addr;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    *addr = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    assert_int_equal(bind(fd, (struct sockaddr *)addr, len), 0);
    assert_int_equal(listen(fd, 8), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)addr, &len), 0);
    return fd;
}

static void test_accept_and_connect(void **state)
{
    struct sockaddr_in addr;
    struct probe accepts, connects;
    (void)state;
    int listener = listen_somewhere(&addr);
    assert_int_equal(submit(&accepts, listener, AWI_IO_ACCEPT), 0);
    poll_for(1 * MS);
    assert_int_equal(accepts.done, 0);
    int client = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    connect(client, (struct sockaddr *)&addr, sizeof addr);
    assert_int_equal(submit(&connects, client, AWI_IO_CONNECT), 0);
    expect_done(&accepts);
    expect_done(&connects);
    if (accepts.io.result >= 0)
        close((int)accepts.io.result);
    assert_int_equal(awi_reactor_close_fd(client), 0);
    assert_int_equal(awi_reactor_close_fd(listener), 0);
}

static int run_contract(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(test_poll_ends_at_its_deadline_and_not_before),
        CASE(test_poll_without_wait),
        CASE(test_an_earlier_deadline_after_a_later_one),
        CASE(test_wake_ends_a_poll),
        CASE(test_read_is_answered_when_data_arrives),
        CASE(test_what_is_ready_already_is_answered),
        CASE(test_write_is_answered_when_there_is_room),
        CASE(test_all_who_wait_are_answered),
        CASE(test_hang_up_answers_both_directions),
        CASE(test_more_events_than_one_look_takes),
        CASE(test_no_edge_is_lost_in_ping_pong),
        CASE(test_cancelled_is_never_answered),
        CASE(test_cancel_comes_too_late),
        CASE(test_close_ends_what_waits),
        CASE(test_close_from_another_thread),
        CASE(test_a_reused_number_is_fresh),
        CASE(test_a_number_reused_behind_our_back_works),
        CASE(test_a_duplicate_lives_on),
        CASE(test_what_cannot_be_waited_for),
        CASE(test_accept_and_connect),
    };
#undef CASE
    return cmocka_run_group_tests_name(ops->name, tests, NULL, NULL);
}

int main(void)
{
    int failed = 0;
    for (size_t i = 0; i < awi_reactor_backend_count; i++) {
        ops = awi_reactor_backends[i];
        if (ops->probe() == 0)
            failed += run_contract();
        else
            printf("%s: not on this system\n", ops->name);
    }
    return failed != 0;
}
