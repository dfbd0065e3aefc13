/* SPDX-License-Identifier: MIT */
/* aw_tcp_listen, aw_accept, aw_tcp_connect: over loopback, both families, refused, cancelled,
 * closed, with a listener in blocking mode. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "tests/runtime/leaf_script.h"

static uint16_t port_of(int fd)
{
    struct sockaddr_storage addr;
    socklen_t len = sizeof addr;
    assert_int_equal(getsockname(fd, (struct sockaddr *)&addr, &len), 0);
    return ntohs(addr.ss_family == AF_INET ? ((struct sockaddr_in *)(void *)&addr)->sin_port
                                           : ((struct sockaddr_in6 *)(void *)&addr)->sin6_port);
}

static int listen_at(const char *host)
{
    int fd = aw_tcp_listen(host, 0, 16);
    assert_true(fd >= 0);
    assert_true(fcntl(fd, F_GETFL) & O_NONBLOCK);
    assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
    return fd;
}

static bool has_ipv6(void)
{
    int fd = aw_tcp_listen("::1", 0, 1);
    if (fd < 0)
        return false;
    aw_close(fd);
    return true;
}

static void close_fd(void *fd)
{
    assert_int_equal(aw_close(*(int *)fd), 0);
}

/* A task accepts, another connects; they exchange a few bytes. */
static void check_exchange(const char *listen_host, const char *connect_host, bool blocking)
{
    char buf[8] = {0};
    aw_task *t;
    int listener = listen_at(listen_host);
    if (blocking)
        fcntl(listener, F_SETFL, 0);
    int reading = blocking ? dup(listener) : listener; /* a number that the runtime did not make */
    struct step server[] = {{.kind = ACCEPT, .fd = reading}, {.kind = END}};
    struct step steps[] = {{.kind = SPAWN, .script = server, .task = &t},
                           {.kind = SLEEP_US, .n = 200},
                           {.kind = CONNECT, .host = connect_host, .n = port_of(listener)},
                           {.kind = JOIN, .task = &t},
                           {.kind = END}};
    assert_int_equal(run(steps), 0);
    int client = (int)steps[2].result, accepted = (int)server[0].result;
    assert_true(client >= 0);
    assert_true(accepted >= 0);
    assert_true(fcntl(client, F_GETFL) & fcntl(accepted, F_GETFL) & O_NONBLOCK);
    struct step reader[] = {{.kind = READ, .fd = accepted, .buf = buf, .len = 8},
                            {.kind = WRITE_ALL, .fd = accepted, .buf = buf, .len = 4},
                            {.kind = READ, .fd = accepted, .buf = buf, .len = 8},
                            {.kind = END}};
    struct step talk[] = {{.kind = SPAWN, .script = reader, .task = &t},
                          {.kind = SLEEP_US, .n = 200},
                          {.kind = WRITE_ALL, .fd = client, .buf = (char[]){"ping"}, .len = 4},
                          {.kind = READ, .fd = client, .buf = buf + 4, .len = 4},
                          {.kind = CALL, .call = close_fd, .arg = &client},
                          {.kind = JOIN, .task = &t},
                          {.kind = END}};
    assert_int_equal(run_with_room(talk), 0);
    assert_int_equal(reader[0].result, 4);
    assert_int_equal(talk[3].result, 4);
    assert_int_equal(reader[2].result, 0);
    assert_memory_equal(buf, "pingping", 8);
    close_fd(&accepted);
    close_fd(&listener);
    if (reading != listener)
        close_fd(&reading);
}

static void test_exchange_over_ipv4(void **state)
{
    (void)state;
    check_exchange("127.0.0.1", "127.0.0.1", false);
    check_exchange(NULL, "127.0.0.1", false);
    check_exchange("0.0.0.0", "LocalHost", false);
}

static void test_exchange_over_ipv6(void **state)
{
    (void)state;
    if (!has_ipv6())
        skip();
    check_exchange("::1", "::1", false);
    check_exchange(NULL, "::1", false);
    check_exchange("::1", "localhost", false); /* the second address of localhost */
}

static void test_a_listener_in_blocking_mode(void **state)
{
    (void)state;
    check_exchange("127.0.0.1", "127.0.0.1", true);
}

static void test_what_cannot_be_resolved(void **state)
{
    (void)state;
    static const char *const hosts[] = {"example.org",      "",         "1.2.3", "::g",
                                        "fe80::1%nosuchif", "1.2.3.4.5"};
    for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++) {
        struct step steps[] = {{.kind = CONNECT, .host = hosts[i], .n = 1}, {.kind = END}};
        assert_int_equal(run(steps), 0);
        assert_int_equal(steps[0].result, -EINVAL);
        assert_int_equal(aw_tcp_listen(hosts[i], 0, 1), -EINVAL);
    }
}

static void test_refused_and_in_use(void **state)
{
    (void)state;
    int listener = listen_at("127.0.0.1");
    uint16_t port = port_of(listener);
    assert_int_equal(aw_tcp_listen("127.0.0.1", port, 1), -EADDRINUSE);
    close_fd(&listener);
    static const char *const hosts[] = {"127.0.0.1", "localhost"};
    for (size_t i = 0; i < 2; i++) {
        struct step steps[] = {{.kind = CONNECT, .host = hosts[i], .n = port}, {.kind = END}};
        assert_int_equal(run(steps), 0);
        assert_int_equal(steps[0].result, -ECONNREFUSED);
    }
}

static void test_close_ends_an_accept(void **state)
{
    (void)state;
    aw_task *t;
    int listener = listen_at("127.0.0.1");
    struct step server[] = {
        {.kind = ACCEPT, .fd = listener}, {.kind = ACCEPT, .fd = listener}, {.kind = END}};
    struct step steps[] = {{.kind = SPAWN, .script = server, .task = &t},
                           {.kind = SLEEP_US, .n = 200},
                           {.kind = CALL, .call = close_fd, .arg = &listener},
                           {.kind = JOIN, .task = &t},
                           {.kind = END}};
    assert_int_equal(run(steps), 0);
    assert_int_equal(server[0].result, -ECANCELED);
    assert_int_equal(server[1].result, -EBADF);
}

static void test_a_cancelled_accept_takes_nobody(void **state)
{
    (void)state;
    aw_task *t;
    int listener = listen_at("127.0.0.1");
    uint16_t port = port_of(listener);
    struct step server[] = {{.kind = ACCEPT, .fd = listener}, {.kind = END}};
    struct step steps[] = {{.kind = SPAWN, .script = server, .task = &t},
                           {.kind = SLEEP_US, .n = 200},
                           {.kind = CANCEL, .task = &t},
                           {.kind = CONNECT, .host = "127.0.0.1", .n = port},
                           {.kind = JOIN, .task = &t},
                           {.kind = ACCEPT, .fd = listener},
                           {.kind = END}};
    assert_int_equal(run(steps), 0);
    assert_int_equal(steps[4].result, AW_ECANCELED);
    assert_int_equal(server[0].result, NOT_DONE);
    assert_true(steps[5].result >= 0);
    aw_close((int)steps[3].result);
    aw_close((int)steps[5].result);
    close_fd(&listener);
}

static int lowest_free(void)
{
    int fd = dup(0);
    if (fd >= 0)
        close(fd);
    return fd;
}

/* A listener whose queue is full lets nobody in: the connection stays on its way. */
static void test_a_cancelled_connect_closes_its_descriptor(void **state)
{
    (void)state;
    enum { CLIENTS = 8 };
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in addr = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof addr;
    assert_int_equal(bind(listener, (struct sockaddr *)&addr, len), 0);
    assert_int_equal(listen(listener, 0), 0);
    uint16_t port = port_of(listener);
    int before = lowest_free();
    struct step clients[CLIENTS][2];
    aw_task *tasks[CLIENTS];
    int cancelled = 0;
    for (int i = 0; i < CLIENTS; i++) {
        clients[i][0] = (struct step){.kind = CONNECT, .host = "127.0.0.1", .n = port};
        clients[i][1] = (struct step){.kind = END};
        tasks[i] = start_task(clients[i]);
    }
    struct step wait[] = {{.kind = SLEEP_MS, .n = 5}, {.kind = END}};
    assert_int_equal(run(wait), 0);
    for (int i = 0; i < CLIENTS; i++) {
        struct step stop[] = {
            {.kind = CANCEL, .task = &tasks[i]}, {.kind = JOIN, .task = &tasks[i]}, {.kind = END}};
        assert_int_equal(run(stop), 0);
        cancelled += stop[1].result == AW_ECANCELED;
        if (stop[1].result == 0)
            aw_close((int)clients[i][0].result);
        else
            assert_int_equal(clients[i][0].result, NOT_DONE);
    }
    assert_true(cancelled > 0);
    assert_int_equal(lowest_free(), before);
    close(listener);
}

static void test_leaves_are_cancel_points(void **state)
{
    (void)state;
    int listener = listen_at("127.0.0.1");
    struct step accepts[] = {
        {.kind = CANCEL_SELF}, {.kind = ACCEPT, .fd = listener}, {.kind = END}};
    struct step connects[] = {{.kind = CANCEL_SELF},
                              {.kind = CONNECT, .host = "127.0.0.1", .n = port_of(listener)},
                              {.kind = END}};
    assert_int_equal(run(accepts), -ECANCELED);
    assert_int_equal(run(connects), -ECANCELED);
    assert_int_equal(accepts[1].result, NOT_DONE);
    assert_int_equal(connects[1].result, NOT_DONE);
    assert_true(accept(listener, NULL, NULL) < 0);
    close_fd(&listener);
}

static void test_many_connections(void **state)
{
    (void)state;
    enum { MANY = 60 };
    static struct step server[MANY + 1], client[MANY + 1];
    aw_task *t;
    int listener = listen_at("127.0.0.1");
    uint16_t port = port_of(listener);
    for (size_t i = 0; i < MANY; i++) {
        server[i] = (struct step){.kind = ACCEPT, .fd = listener};
        client[i] = (struct step){.kind = CONNECT, .host = "127.0.0.1", .n = port};
    }
    server[MANY] = client[MANY] = (struct step){.kind = END};
    struct step steps[] = {
        {.kind = SPAWN, .script = server, .task = &t}, {.kind = YIELD}, {.kind = END}};
    struct step join[] = {{.kind = JOIN, .task = &t}, {.kind = END}};
    assert_int_equal(run(steps), 0);
    assert_int_equal(run(client), 0);
    assert_int_equal(run(join), 0);
    for (size_t i = 0; i < MANY; i++) {
        assert_int_equal(aw_close((int)server[i].result), 0);
        assert_int_equal(aw_close((int)client[i].result), 0);
    }
    close_fd(&listener);
}

static void test_no_descriptors_left(void **state)
{
    (void)state;
    struct rlimit usual, none;
    int listener = listen_at("127.0.0.1");
    uint16_t port = port_of(listener);
    struct step connects[] = {{.kind = CONNECT, .host = "127.0.0.1", .n = port}, {.kind = END}};
    assert_int_equal(run(connects), 0); /* one waits in the listener's queue */
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &usual), 0);
    none = usual;
    none.rlim_cur = (rlim_t)lowest_free();
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    struct step steps[] = {{.kind = ACCEPT, .fd = listener},
                           {.kind = CONNECT, .host = "127.0.0.1", .n = port},
                           {.kind = CONNECT, .host = "localhost", .n = port},
                           {.kind = END}};
    int rc = run(steps), listens = aw_tcp_listen(NULL, 0, 1);
    errno = 0;
    aw_runtime *other = aw_runtime_new(NULL);
    int error = errno;
    setrlimit(RLIMIT_NOFILE, &usual);
    assert_int_equal(rc, 0);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(steps[i].result, -EMFILE);
    assert_int_equal(listens, -EMFILE);
    assert_null(other);
    assert_int_equal(error, EMFILE);
    assert_int_equal(run(steps), 0);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(aw_close((int)steps[i].result), 0);
    assert_int_equal(aw_close((int)connects[0].result), 0);
    close_fd(&listener);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exchange_over_ipv4),
        cmocka_unit_test(test_exchange_over_ipv6),
        cmocka_unit_test(test_a_listener_in_blocking_mode),
        cmocka_unit_test(test_what_cannot_be_resolved),
        cmocka_unit_test(test_refused_and_in_use),
        cmocka_unit_test(test_close_ends_an_accept),
        cmocka_unit_test(test_a_cancelled_accept_takes_nobody),
        cmocka_unit_test(test_a_cancelled_connect_closes_its_descriptor),
        cmocka_unit_test(test_leaves_are_cancel_points),
        cmocka_unit_test(test_many_connections),
        cmocka_unit_test(test_no_descriptors_left),
    };
    alarm(60);
    return cmocka_run_group_tests_name("net", tests, script_set_up, script_tear_down);
}
