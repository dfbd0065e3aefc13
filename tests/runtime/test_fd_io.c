/* SPDX-License-Identifier: MIT */
/* aw_read, aw_write, aw_write_all and aw_close on pipes, sockets, terminals and files; with cancel,
 * close, end of file, hang-up, descriptors in blocking mode, and no threads to be had. */
#include <pthread.h>
#include <sys/socket.h>

#include "runtime/sys/sys_alloc.h"
#include "tests/runtime/leaf_script.h"

enum fd_kind { PIPE, PIPE_NONBLOCKING, SOCKETS, SOCKETS_NONBLOCKING, FD_KINDS };

static int ends[2]; /* read from the first, write to the second */

static void open_ends(int kind)
{
    int rc = kind == PIPE               ? pipe(ends)
             : kind == PIPE_NONBLOCKING ? pipe2(ends, O_NONBLOCK)
             : kind == SOCKETS          ? socketpair(AF_UNIX, SOCK_STREAM, 0, ends)
                                        : socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends);
    assert_int_equal(rc, 0);
}

static void close_end(void *end)
{
    assert_int_equal(aw_close(*(int *)end), 0);
    *(int *)end = -1;
}

static void close_ends(void)
{
    for (int i = 0; i < 2; i++) {
        if (ends[i] >= 0)
            close_end(&ends[i]);
    }
}

static void put_byte(void *byte)
{
    assert_int_equal(write(ends[1], byte, 1), 1);
}

/* Fills the writing end without waiting. */
static void fill(void)
{
    static const char block[4096];
    int flags = fcntl(ends[1], F_GETFL);
    fcntl(ends[1], F_SETFL, flags | O_NONBLOCK);
    while (write(ends[1], block, sizeof block) > 0) {
    }
    fcntl(ends[1], F_SETFL, flags);
}

/* Runs `steps` while `other` is a task of its own, then joins that. */
static int run_both(struct step *other, struct step *steps, ssize_t *join_result)
{
    aw_task *t = start_task(other);
    struct step join[] = {{.kind = JOIN, .task = &t}, {.kind = END}};
    int rc = run(steps);
    assert_int_equal(run(join), 0);
    if (join_result != NULL)
        *join_result = join[0].result;
    return rc;
}

/* ---- ready, waiting, end of file ------------------------------------------------------------- */

static void test_ready_at_once(void **state)
{
    (void)state;
    for (int kind = 0; kind < FD_KINDS; kind++) {
        char buf[16] = {0};
        open_ends(kind);
        struct step steps[] = {{.kind = WRITE, .fd = ends[1], .buf = (char[]){"hello"}, .len = 5},
                               {.kind = READ, .fd = ends[0], .buf = buf, .len = sizeof buf},
                               {.kind = READ, .fd = ends[0], .buf = buf, .len = 0},
                               {.kind = WRITE, .fd = ends[1], .buf = buf, .len = 0},
                               {.kind = WRITE_ALL, .fd = ends[1], .buf = buf, .len = 0},
                               {.kind = WRITE_ALL, .fd = ends[1], .buf = buf, .len = 5},
                               {.kind = END}};
        assert_int_equal(run(steps), 0);
        static const ssize_t want[] = {5, 5, 0, 0, 0, 0};
        for (size_t i = 0; i < 6; i++)
            assert_int_equal(steps[i].result, want[i]);
        assert_string_equal(buf, "hello");
        close_ends();
    }
}

static void test_a_read_waits_for_data_and_for_the_end(void **state)
{
    (void)state;
    for (int kind = 0; kind < FD_KINDS; kind++) {
        char buf[8] = {0};
        open_ends(kind);
        struct step reader[] = {{.kind = READ, .fd = ends[0], .buf = buf, .len = 8},
                                {.kind = READ, .fd = ends[0], .buf = buf + 1, .len = 7},
                                {.kind = READ, .fd = ends[0], .buf = buf + 2, .len = 6},
                                {.kind = END}};
        struct step steps[] = {{.kind = SLEEP_MS, .n = 1},
                               {.kind = CALL, .call = put_byte, .arg = (char[]){"a"}},
                               {.kind = SLEEP_MS, .n = 1},
                               {.kind = WRITE, .fd = ends[1], .buf = (char[]){"b"}, .len = 1},
                               {.kind = SLEEP_MS, .n = 1},
                               {.kind = CALL, .call = close_end, .arg = &ends[1]},
                               {.kind = END}};
        assert_int_equal(run_both(reader, steps, NULL), 0);
        assert_int_equal(reader[0].result, 1);
        assert_int_equal(reader[1].result, 1);
        assert_int_equal(reader[2].result, 0);
        assert_string_equal(buf, "ab");
        close_ends();
    }
}

static void test_a_large_write_all_meets_a_slow_reader(void **state)
{
    (void)state;
    enum { BYTES = 1000000 };
    static char from[BYTES], to[BYTES];
    for (size_t i = 0; i < BYTES; i++)
        from[i] = (char)(i * 31 >> 3);
    for (int kind = 0; kind < FD_KINDS; kind++) {
        open_ends(kind);
        memset(to, 0, BYTES);
        struct step writer[] = {{.kind = WRITE_ALL, .fd = ends[1], .buf = from, .len = BYTES},
                                {.kind = CALL, .call = close_end, .arg = &ends[1]},
                                {.kind = END}};
        aw_task *t = start_task(writer);
        struct step join[] = {{.kind = JOIN, .task = &t}, {.kind = END}};
        size_t got = 0;
        for (bool more = true; more;) {
            struct step read_some[] = {
                {.kind = READ, .fd = ends[0], .buf = to + got, .len = BYTES - got + 1},
                {.kind = END}};
            if (read_some[0].len > 7777)
                read_some[0].len = 7777;
            assert_int_equal(run(read_some), 0);
            assert_true(read_some[0].result >= 0);
            got += (size_t)read_some[0].result;
            more = read_some[0].result > 0 && got < BYTES;
        }
        assert_int_equal(run(join), 0);
        assert_int_equal(join[0].result, 0);
        assert_int_equal(writer[0].result, 0);
        assert_int_equal(got, BYTES);
        assert_memory_equal(from, to, BYTES);
        close_ends();
    }
}

static void test_several_readers_share_what_comes(void **state)
{
    (void)state;
    enum { READERS = 4 };
    for (int kind = 0; kind < FD_KINDS; kind++) {
        char buf[READERS];
        struct step readers[READERS][2];
        aw_task *tasks[READERS];
        ssize_t sum = 0;
        open_ends(kind);
        for (int i = 0; i < READERS; i++) {
            readers[i][0] = (struct step){.kind = READ, .fd = ends[0], .buf = &buf[i], .len = 1};
            readers[i][1] = (struct step){.kind = END};
            tasks[i] = start_task(readers[i]);
        }
        struct step steps[] = {{.kind = SLEEP_MS, .n = 1},
                               {.kind = WRITE, .fd = ends[1], .buf = (char[]){"12"}, .len = 2},
                               {.kind = SLEEP_MS, .n = 1},
                               {.kind = CALL, .call = put_byte, .arg = (char[]){"3"}},
                               {.kind = CALL, .call = close_end, .arg = &ends[1]},
                               {.kind = JOIN, .task = &tasks[0]},
                               {.kind = JOIN, .task = &tasks[1]},
                               {.kind = JOIN, .task = &tasks[2]},
                               {.kind = JOIN, .task = &tasks[3]},
                               {.kind = END}};
        assert_int_equal(run(steps), 0);
        for (int i = 0; i < READERS; i++)
            sum += readers[i][0].result;
        assert_int_equal(sum, 3); /* three bytes and an end of file */
        close_ends();
    }
}

static void test_errors_are_values(void **state)
{
    (void)state;
    char byte;
    struct step steps[] = {{.kind = READ, .fd = -1, .buf = &byte, .len = 1},
                           {.kind = WRITE, .fd = -1, .buf = &byte, .len = 1},
                           {.kind = WRITE_ALL, .fd = 999999, .buf = &byte, .len = 1},
                           {.kind = END}};
    assert_int_equal(run(steps), 0);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(steps[i].result, -EBADF);
    assert_int_equal(aw_close(-1), -EBADF);
}

/* ---- cancel ---------------------------------------------------------------------------------- */

static void test_a_cancelled_read_takes_nothing(void **state)
{
    (void)state;
    for (int kind = 0; kind < FD_KINDS; kind++) {
        char buf[2] = {0}, again = 0;
        aw_task *t;
        open_ends(kind);
        struct step reader[] = {{.kind = READ, .fd = ends[0], .buf = buf, .len = 1}, {.kind = END}};
        struct step steps[] = {{.kind = SPAWN, .script = reader, .task = &t},
                               {.kind = SLEEP_MS, .n = 1},
                               {.kind = CANCEL, .task = &t},
                               {.kind = CALL, .call = put_byte, .arg = (char[]){"x"}},
                               {.kind = JOIN, .task = &t},
                               {.kind = READ, .fd = ends[0], .buf = &again, .len = 1},
                               {.kind = END}};
        assert_int_equal(run(steps), 0);
        assert_int_equal(steps[4].result, AW_ECANCELED);
        assert_int_equal(reader[0].result, NOT_DONE);
        assert_int_equal(buf[0], 0);
        assert_int_equal(again, 'x');
        close_ends();
    }
}

static void test_every_leaf_is_a_cancel_point_ready_or_not(void **state)
{
    (void)state;
    static const enum step_kind kinds[] = {READ, WRITE, WRITE_ALL};
    for (size_t i = 0; i < 3; i++) {
        char byte = 'y';
        open_ends(SOCKETS);
        put_byte((char[]){"x"});
        struct step steps[] = {
            {.kind = CANCEL_SELF},
            {.kind = kinds[i], .fd = ends[kinds[i] != READ], .buf = &byte, .len = 1},
            {.kind = END}};
        assert_int_equal(run(steps), -ECANCELED);
        assert_int_equal(steps[1].result, NOT_DONE);
        assert_int_equal(byte, 'y');
        char got[4];
        assert_int_equal(recv(ends[0], got, 4, MSG_DONTWAIT), 1); /* neither more nor less */
        close_ends();
    }
}

static void test_a_cancelled_write_all_stops(void **state)
{
    (void)state;
    static char block[1000000];
    for (int kind = 0; kind < FD_KINDS; kind++) {
        aw_task *t;
        open_ends(kind);
        struct step writer[] = {
            {.kind = WRITE_ALL, .fd = ends[1], .buf = block, .len = sizeof block}, {.kind = END}};
        struct step steps[] = {{.kind = SPAWN, .script = writer, .task = &t},
                               {.kind = SLEEP_MS, .n = 1},
                               {.kind = CANCEL, .task = &t},
                               {.kind = JOIN, .task = &t},
                               {.kind = END}};
        assert_int_equal(run(steps), 0);
        assert_int_equal(steps[3].result, AW_ECANCELED);
        assert_int_equal(writer[0].result, NOT_DONE);
        close_ends();
    }
}

/* ---- close and hang-up ------------------------------------------------------------------------
 */

static void test_close_ends_what_waits_with_a_value(void **state)
{
    (void)state;
    for (int kind = 0; kind < FD_KINDS; kind++) {
        char byte;
        ssize_t joined;
        open_ends(kind);
        struct step reader[] = {{.kind = READ, .fd = ends[0], .buf = &byte, .len = 1},
                                {.kind = READ, .fd = ends[0], .buf = &byte, .len = 1},
                                {.kind = END}};
        struct step steps[] = {{.kind = SLEEP_MS, .n = 1},
                               {.kind = CALL, .call = close_end, .arg = &ends[0]},
                               {.kind = END}};
        assert_int_equal(run_both(reader, steps, &joined), 0);
        assert_int_equal(joined, 0); /* it was not cancelled */
        assert_int_equal(reader[0].result, -ECANCELED);
        assert_int_equal(reader[1].result, -EBADF);
        close_ends();
    }
}

static void test_close_from_another_thread(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        char byte;
        open_ends(i % FD_KINDS);
        struct step reader[] = {{.kind = READ, .fd = ends[0], .buf = &byte, .len = 1},
                                {.kind = END}};
        struct step steps[] = {{.kind = SLEEP_US, .n = (uint64_t)i * 10},
                               {.kind = POOL, .call = close_end, .arg = &ends[0]},
                               {.kind = END}};
        assert_int_equal(run_both(reader, steps, NULL), 0);
        assert_true(reader[0].result == -ECANCELED || reader[0].result == -EBADF);
        close_ends();
    }
}

static void *close_at_once(void *arg)
{
    close_end(arg);
    return NULL;
}

/* A close and a cancel at the same time: one of them wins, and nothing is left over. */
static void test_close_races_with_cancel(void **state)
{
    (void)state;
    for (int i = 0; i < 100; i++) {
        char byte;
        aw_task *t;
        pthread_t thread;
        open_ends(i % FD_KINDS);
        struct step reader[] = {{.kind = READ, .fd = ends[0], .buf = &byte, .len = 1},
                                {.kind = END}};
        struct step begin[] = {
            {.kind = SPAWN, .script = reader, .task = &t}, {.kind = YIELD}, {.kind = END}};
        struct step end[] = {{.kind = CANCEL, .task = &t},
                             {.kind = JOIN, .task = &t},
                             {.kind = SLEEP_US, .n = 1},
                             {.kind = END}};
        assert_int_equal(run(begin), 0);
        assert_int_equal(pthread_create(&thread, NULL, close_at_once, &ends[0]), 0);
        assert_int_equal(run(end), 0);
        pthread_join(thread, NULL);
        if (end[1].result == AW_ECANCELED)
            assert_int_equal(reader[0].result, NOT_DONE);
        else
            assert_int_equal(reader[0].result, -ECANCELED);
        close_ends();
    }
}

static void test_a_reused_number_is_fresh(void **state)
{
    (void)state;
    for (int kind = 0; kind < FD_KINDS; kind++) {
        char byte = 0;
        open_ends(kind);
        struct step reader[] = {{.kind = READ, .fd = ends[0], .buf = &byte, .len = 1},
                                {.kind = END}};
        struct step close_it[] = {{.kind = SLEEP_US, .n = 100},
                                  {.kind = CALL, .call = close_end, .arg = &ends[0]},
                                  {.kind = END}};
        int old = ends[0];
        assert_int_equal(run_both(reader, close_it, NULL), 0);
        close_ends();
        open_ends((kind + 1) % FD_KINDS);
        assert_int_equal(ends[0], old);
        struct step send[] = {{.kind = SLEEP_US, .n = 100},
                              {.kind = CALL, .call = put_byte, .arg = (char[]){"z"}},
                              {.kind = END}};
        assert_int_equal(run_both(reader, send, NULL), 0);
        assert_int_equal(reader[0].result, 1);
        assert_int_equal(byte, 'z');
        close_ends();
    }
}

static void test_nobody_reads_any_more(void **state)
{
    (void)state;
    for (int kind = 0; kind < FD_KINDS; kind++) {
        open_ends(kind);
        fill();
        struct step writer[] = {{.kind = WRITE, .fd = ends[1], .buf = (char[]){"x"}, .len = 1},
                                {.kind = WRITE, .fd = ends[1], .buf = (char[]){"x"}, .len = 1},
                                {.kind = WRITE_ALL, .fd = ends[1], .buf = (char[]){"x"}, .len = 1},
                                {.kind = END}};
        struct step steps[] = {{.kind = SLEEP_MS, .n = 1},
                               {.kind = CALL, .call = close_end, .arg = &ends[0]},
                               {.kind = END}};
        assert_int_equal(run_both(writer, steps, NULL), 0);
        assert_true(writer[0].result == -EPIPE || writer[0].result == -ECONNRESET);
        assert_int_equal(writer[1].result, -EPIPE);
        assert_int_equal(writer[2].result, -EPIPE);
        close_ends();
    }
}

static void test_a_duplicate_goes_on(void **state)
{
    (void)state;
    char byte = 0;
    open_ends(PIPE);
    int copy = dup(ends[0]);
    struct step reader[] = {{.kind = READ, .fd = copy, .buf = &byte, .len = 1}, {.kind = END}};
    struct step steps[] = {{.kind = SLEEP_US, .n = 100},
                           {.kind = CALL, .call = close_end, .arg = &ends[0]},
                           {.kind = SLEEP_US, .n = 100},
                           {.kind = CALL, .call = put_byte, .arg = (char[]){"d"}},
                           {.kind = END}};
    assert_int_equal(run_both(reader, steps, NULL), 0);
    assert_int_equal(reader[0].result, 1);
    close_end(&copy);
    close_ends();
}

/* ---- files, terminals -------------------------------------------------------------------------
 */

static int open_file(void)
{
    char path[] = "/tmp/awaitc-io-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    unlink(path);
    return fd;
}

static void rewind_file(void *fd)
{
    assert_int_equal(lseek(*(int *)fd, 0, SEEK_SET), 0);
}

static void check_file(int (*run_it)(struct step *steps))
{
    static char from[300000], to[300001];
    int fd = open_file();
    memset(from, 'q', sizeof from);
    struct step steps[] = {{.kind = WRITE, .fd = fd, .buf = (char[]){"ab"}, .len = 2},
                           {.kind = WRITE_ALL, .fd = fd, .buf = from, .len = sizeof from},
                           {.kind = READ, .fd = fd, .buf = to, .len = 1},
                           {.kind = CALL, .call = rewind_file, .arg = &fd},
                           {.kind = READ, .fd = fd, .buf = to, .len = 2},
                           {.kind = READ, .fd = fd, .buf = to, .len = sizeof to},
                           {.kind = WRITE_ALL, .fd = fd, .buf = to, .len = 0},
                           {.kind = WRITE, .fd = fd, .buf = to, .len = 0},
                           {.kind = END}};
    assert_int_equal(run_it(steps), 0);
    static const ssize_t want[] = {2, 0, 0, 0, 2, 300000, 0, 0};
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(steps[i].result, want[i]);
    assert_memory_equal(from, to, sizeof from);
    close_end(&fd);
}

static void test_files(void **state)
{
    (void)state;
    check_file(run);
    check_file(run_with_room);
}

/* The pool has the read already; it takes effect, and its result is returned. */
static void test_a_cancel_waits_for_a_file(void **state)
{
    (void)state;
    char byte = 0;
    int fd = open_file();
    assert_int_equal(pwrite(fd, "f", 1, 0), 1);
    aw_task *t;
    struct step reader[] = {{.kind = READ, .fd = fd, .buf = &byte, .len = 1},
                            {.kind = READ, .fd = fd, .buf = &byte, .len = 1},
                            {.kind = END}};
    struct step steps[] = {{.kind = SPAWN, .script = reader, .task = &t},
                           {.kind = YIELD},
                           {.kind = CANCEL, .task = &t},
                           {.kind = JOIN, .task = &t},
                           {.kind = END}};
    assert_int_equal(run(steps), 0);
    assert_int_equal(steps[3].result, AW_ECANCELED);
    assert_int_equal(reader[0].result, 1);
    assert_int_equal(reader[1].result, NOT_DONE);
    assert_int_equal(byte, 'f');
    close_end(&fd);
}

static void test_files_without_any_thread(void **state)
{
    (void)state;
    aw_config config = AW_CONFIG_DEFAULT;
    config.thread_stack_size = SIZE_MAX / 2; /* no address space has room for it */
    aw_runtime *usual = rt;
    rt = aw_runtime_new(&config);
    assert_non_null(rt);
    check_file(run);
    aw_runtime_free(rt);
    rt = usual;
}

static void type_a_line(void *master)
{
    assert_int_equal(write(*(int *)master, "line\n", 5), 5);
}

static void test_a_terminal_in_blocking_mode(void **state)
{
    (void)state;
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0)
        skip();
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    if (slave < 0)
        skip();
    char buf[16] = {0};
    struct step reader[] = {{.kind = READ, .fd = slave, .buf = buf, .len = sizeof buf},
                            {.kind = WRITE_ALL, .fd = slave, .buf = (char[]){"out"}, .len = 3},
                            {.kind = END}};
    struct step steps[] = {{.kind = SLEEP_MS, .n = 1},
                           {.kind = CALL, .call = type_a_line, .arg = &master},
                           {.kind = END}};
    assert_int_equal(run_both(reader, steps, NULL), 0);
    assert_int_equal(reader[0].result, 5);
    assert_int_equal(reader[1].result, 0);
    assert_string_equal(buf, "line\n");
    assert_int_equal(fcntl(slave, F_GETFL) & O_NONBLOCK, 0);
    close_end(&slave);
    close_end(&master);
}

/* ---- no memory ---------------------------------------------------------------------------------
 */

static bool refuse(size_t bytes)
{
    (void)bytes;
    return false;
}

static void refuse_memory(void *on)
{
    awi_alloc_hook = on != NULL ? refuse : NULL;
}

/* A number so high that the reactor has no entry for it yet. */
static void test_no_memory_to_wait_with(void **state)
{
    (void)state;
    char byte;
    open_ends(PIPE);
    int high = fcntl(ends[0], F_DUPFD, 900);
    assert_true(high >= 900);
    struct step steps[] = {{.kind = CALL, .call = refuse_memory, .arg = ends},
                           {.kind = READ, .fd = high, .buf = &byte, .len = 1},
                           {.kind = CALL, .call = refuse_memory},
                           {.kind = END}};
    assert_int_equal(run_with_room(steps), 0);
    assert_int_equal(steps[1].result, -ENOMEM);
    close_end(&high);
    close_ends();
}

/* The frame stack cannot grow: the task is cancelled at that await. */
static void test_no_memory_for_a_frame(void **state)
{
    (void)state;
    char byte;
    aw_runtime *usual = rt;
    rt = aw_runtime_new(NULL); /* one that keeps no chunks */
    assert_non_null(rt);
    open_ends(PIPE);
    struct step steps[] = {{.kind = CALL, .call = refuse_memory, .arg = ends},
                           {.kind = READ, .fd = ends[0], .buf = &byte, .len = 1},
                           {.kind = END}};
    assert_int_equal(run(steps), -ENOMEM);
    awi_alloc_hook = NULL;
    assert_int_equal(steps[1].result, NOT_DONE);
    close_ends();
    aw_runtime_free(rt);
    rt = usual;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ready_at_once),
        cmocka_unit_test(test_a_read_waits_for_data_and_for_the_end),
        cmocka_unit_test(test_a_large_write_all_meets_a_slow_reader),
        cmocka_unit_test(test_several_readers_share_what_comes),
        cmocka_unit_test(test_errors_are_values),
        cmocka_unit_test(test_a_cancelled_read_takes_nothing),
        cmocka_unit_test(test_every_leaf_is_a_cancel_point_ready_or_not),
        cmocka_unit_test(test_a_cancelled_write_all_stops),
        cmocka_unit_test(test_close_ends_what_waits_with_a_value),
        cmocka_unit_test(test_close_from_another_thread),
        cmocka_unit_test(test_close_races_with_cancel),
        cmocka_unit_test(test_a_reused_number_is_fresh),
        cmocka_unit_test(test_nobody_reads_any_more),
        cmocka_unit_test(test_a_duplicate_goes_on),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_a_cancel_waits_for_a_file),
        cmocka_unit_test(test_files_without_any_thread),
        cmocka_unit_test(test_a_terminal_in_blocking_mode),
        cmocka_unit_test(test_no_memory_to_wait_with),
        cmocka_unit_test(test_no_memory_for_a_frame),
    };
    alarm(60); /* a lost event ends here */
    return cmocka_run_group_tests_name("fd_io", tests, script_set_up, script_tear_down);
}
