/* SPDX-License-Identifier: MIT */
/* Attempts on descriptors of all kinds, blocking and not: none holds the thread up, none raises
 * SIGPIPE, none changes a mode; wrong hints only cost a detour. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/reactor/fd_kind.h"
#include "runtime/reactor/io_try.h"

static void hang_up(int fds[2])
{
    for (int i = 0; i < 2; i++) {
        awi_fd_clear(fds[i]);
        if (fds[i] >= 0)
            close(fds[i]);
    }
}

static int flags_of(int fd)
{
    return fcntl(fd, F_GETFL);
}

/* Reads and writes at both ends until they would wait. */
static void check_stream(int from, int to)
{
    static char block[65536];
    char byte = 0;
    int from_flags = flags_of(from), to_flags = flags_of(to);
    assert_int_equal(awi_try_read(from, &byte, 1), AWI_TRY_AGAIN);
    assert_int_equal(awi_try_read(from, &byte, 0), 0);
    assert_int_equal(awi_try_write(to, "x", 1), 1);
    assert_int_equal(awi_try_read(from, &byte, 1), 1);
    assert_int_equal(byte, 'x');
    ssize_t n;
    size_t written = 0, got = 0;
    while ((n = awi_try_write(to, block, sizeof block)) > 0)
        written += (size_t)n;
    assert_int_equal(n, AWI_TRY_AGAIN);
    while ((n = awi_try_read(from, block, sizeof block)) > 0)
        got += (size_t)n;
    assert_int_equal(n, AWI_TRY_AGAIN);
    assert_int_equal(written, got);
    assert_int_equal(flags_of(from), from_flags);
    assert_int_equal(flags_of(to), to_flags);
}

static void test_blocking_and_nonblocking_pipes(void **state)
{
    static const int modes[] = {0, O_NONBLOCK};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        int fds[2];
        char byte;
        assert_int_equal(pipe2(fds, modes[i]), 0);
        check_stream(fds[0], fds[1]);
        close(fds[1]);
        assert_int_equal(awi_try_read(fds[0], &byte, 1), 0);
        fds[1] = -1;
        hang_up(fds);
    }
}

static void test_blocking_and_nonblocking_sockets(void **state)
{
    static const int modes[] = {0, SOCK_NONBLOCK};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        int fds[2];
        char byte;
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | modes[i], 0, fds), 0);
        check_stream(fds[0], fds[1]);
        close(fds[1]);
        assert_int_equal(awi_try_read(fds[0], &byte, 1), 0);
        fds[1] = -1;
        hang_up(fds);
    }
}

/* As on a system whose streams do not take RWF_NOWAIT. */
static void test_plain_streams(void **state)
{
    int fds[2];
    char byte, block[2 * PIPE_BUF] = {0};
    (void)state;
    assert_int_equal(pipe2(fds, O_NONBLOCK), 0);
    awi_fd_kind_set(fds[0], AWI_FD_PLAIN);
    awi_fd_kind_set(fds[1], AWI_FD_PLAIN);
    check_stream(fds[0], fds[1]);
    hang_up(fds);
    assert_int_equal(pipe(fds), 0);
    awi_fd_kind_set(fds[0], AWI_FD_PLAIN);
    awi_fd_kind_set(fds[1], AWI_FD_PLAIN);
    assert_int_equal(awi_try_read(fds[0], &byte, 1), AWI_TRY_AGAIN);
    assert_int_equal(awi_try_write(fds[1], "x", 1), AWI_TRY_POOL);
    assert_int_equal(awi_plain_write(fds[1], block, sizeof block), PIPE_BUF);
    assert_int_equal(awi_try_read(fds[0], &byte, 1), AWI_TRY_POOL);
    assert_int_equal(awi_plain_read(fds[0], &byte, 1), 1);
    hang_up(fds);
}

static void test_a_terminal(void **state)
{
    (void)state;
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0)
        skip();
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    if (slave < 0)
        skip();
    char line[16] = {0};
    assert_int_equal(awi_try_read(slave, line, sizeof line), AWI_TRY_AGAIN);
    assert_int_equal(write(master, "hello", 5), 5); /* no line yet */
    assert_int_equal(awi_try_read(slave, line, sizeof line), AWI_TRY_AGAIN);
    assert_int_equal(write(master, "\n", 1), 1);
    ssize_t n = awi_try_read(slave, line, sizeof line);
    if (n == AWI_TRY_POOL)
        n = awi_plain_read(slave, line, sizeof line);
    assert_int_equal(n, 6);
    n = awi_try_write(slave, "out", 3);
    if (n == AWI_TRY_POOL)
        n = awi_plain_write(slave, "out", 3);
    assert_int_equal(n, 3);
    hang_up((int[]){master, slave});
}

static void test_files_go_to_the_pool(void **state)
{
    char path[] = "/tmp/awaitc-try-XXXXXX", byte;
    int fd = mkstemp(path);
    (void)state;
    assert_true(fd >= 0);
    unlink(path);
    assert_int_equal(awi_try_write(fd, "abc", 3), AWI_TRY_POOL);
    assert_int_equal(awi_plain_write(fd, "abc", 3), 3);
    assert_int_equal(awi_try_read(fd, &byte, 1), AWI_TRY_POOL);
    assert_int_equal(awi_plain_read(fd, &byte, 1), 0);
    close(fd);
}

static void test_odd_descriptors(void **state)
{
    uint64_t value = 5;
    char byte;
    (void)state;
    int event = eventfd(0, 0); /* blocking */
    assert_int_equal(awi_try_read(event, &value, sizeof value), AWI_TRY_AGAIN);
    value = 5;
    ssize_t n = awi_try_write(event, &value, sizeof value);
    if (n == AWI_TRY_POOL)
        n = awi_plain_write(event, &value, sizeof value);
    assert_int_equal(n, 8);
    n = awi_try_read(event, &value, sizeof value);
    if (n == AWI_TRY_POOL)
        n = awi_plain_read(event, &value, sizeof value);
    assert_int_equal(n, 8);
    close(event);
    awi_fd_clear(event);
    int null = open("/dev/null", O_RDWR);
    n = awi_try_read(null, &byte, 1);
    assert_true(n == 0 || n == AWI_TRY_POOL);
    close(null);
    awi_fd_clear(null);
    assert_int_equal(awi_try_read(-1, &byte, 1), -EBADF);
    assert_int_equal(awi_try_write(-1, &byte, 1), -EBADF);
    assert_int_equal(awi_try_read(1000000, &byte, 1), -EBADF);
    assert_int_equal(awi_try_accept(-1), -EBADF);
}

static void test_wrong_hints(void **state)
{
    int fds[2];
    (void)state;
    for (int hint = AWI_FD_UNKNOWN; hint <= AWI_FD_PLAIN; hint++) {
        assert_int_equal(pipe2(fds, O_NONBLOCK), 0);
        awi_fd_kind_set(fds[0], (enum awi_fd_kind)hint);
        awi_fd_kind_set(fds[1], (enum awi_fd_kind)hint);
        check_stream(fds[0], fds[1]);
        hang_up(fds);
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
        awi_fd_kind_set(fds[0], (enum awi_fd_kind)hint);
        awi_fd_kind_set(fds[1], (enum awi_fd_kind)hint);
        check_stream(fds[0], fds[1]);
        hang_up(fds);
    }
}

static void test_no_sigpipe_from_any_kind(void **state)
{
    int fds[2];
    sigset_t pending;
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        if (kind == 0)
            assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
        else
            assert_int_equal(pipe2(fds, kind == 1 ? 0 : O_NONBLOCK), 0);
        close(fds[0]);
        fds[0] = -1;
        assert_int_equal(awi_try_write(fds[1], "x", 1), -EPIPE);
        assert_int_equal(awi_plain_write(fds[1], "x", 1), -EPIPE);
        awi_fd_kind_set(fds[1], AWI_FD_PLAIN);
        ssize_t n = awi_try_write(fds[1], "x", 1);
        assert_true(n == -EPIPE || n == AWI_TRY_POOL);
        hang_up(fds);
    }
    sigpending(&pending);
    assert_int_equal(sigismember(&pending, SIGPIPE), 0);
}

/* Somebody else's SIGPIPE, blocked and pending, stays. */
static void test_a_pending_sigpipe_is_left_alone(void **state)
{
    int fds[2], sig;
    sigset_t set, old, pending;
    (void)state;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set, &old);
    raise(SIGPIPE);
    assert_int_equal(pipe(fds), 0);
    close(fds[0]);
    fds[0] = -1;
    assert_int_equal(awi_try_write(fds[1], "x", 1), -EPIPE);
    sigpending(&pending);
    assert_int_equal(sigismember(&pending, SIGPIPE), 1);
    sigwait(&set, &sig);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    hang_up(fds);
}

static void test_accept_on_listeners_of_both_modes(void **state)
{
    static const int modes[] = {0, SOCK_NONBLOCK};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct sockaddr_in addr = {.sin_family = AF_INET,
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        socklen_t len = sizeof addr;
        int listener = socket(AF_INET, SOCK_STREAM | modes[i], 0);
        assert_int_equal(bind(listener, (struct sockaddr *)&addr, len), 0);
        assert_int_equal(listen(listener, 4), 0);
        getsockname(listener, (struct sockaddr *)&addr, &len);
        assert_int_equal(awi_try_accept(listener), AWI_TRY_AGAIN);
        int client = socket(AF_INET, SOCK_STREAM, 0);
        assert_int_equal(connect(client, (struct sockaddr *)&addr, len), 0);
        int fd = awi_try_accept(listener);
        if (fd == AWI_TRY_POOL)
            fd = awi_plain_accept(listener);
        assert_true(fd >= 0);
        assert_true(flags_of(fd) & O_NONBLOCK);
        assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
        hang_up((int[]){client, fd});
        close(listener);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocking_and_nonblocking_pipes),
        cmocka_unit_test(test_blocking_and_nonblocking_sockets),
        cmocka_unit_test(test_plain_streams),
        cmocka_unit_test(test_a_terminal),
        cmocka_unit_test(test_files_go_to_the_pool),
        cmocka_unit_test(test_odd_descriptors),
        cmocka_unit_test(test_wrong_hints),
        cmocka_unit_test(test_no_sigpipe_from_any_kind),
        cmocka_unit_test(test_a_pending_sigpipe_is_left_alone),
        cmocka_unit_test(test_accept_on_listeners_of_both_modes),
    };
    alarm(20); /* an attempt that waits kills the test */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
