/* SPDX-License-Identifier: MIT */
/* What does the trace write for each step, from one thread and from several? The steps are said by
 * hand, as lowered text says them; tests/graph/trace_file.py has whole programs. */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/task/awi_core.h"

#define LONG_FOLDER "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef/"
#define LONG_FILE   LONG_FOLDER LONG_FOLDER LONG_FOLDER LONG_FOLDER LONG_FOLDER "end.c"

enum { THREADS = 4, ROUNDS = 200, TEXT_BYTES = 1 << 20 };

static const aw_site copy_sites[] = {
    {.flags = AW_SITE_TRACED, .line = 7, .func = "copy", .file = "copy.c"},
    {.flags = AW_SITE_TRACED, .line = 9, .state = 1, .func = "copy", .file = "copy.c"},
    {.flags = AW_SITE_TRACED, .line = 11, .state = 2, .func = "copy", .file = "copy.c"},
    {.flags = AW_SITE_TRACED, .line = 7, .state = AW_RESTART, .func = "copy", .file = "copy.c"},
};
static const aw_site odd_site = {.line = 1, .func = "odd", .file = "a\"b\\c\n.c"};
static const aw_site long_site = {.line = 1, .func = "deep", .file = LONG_FILE};

static char path[] = "/tmp/awaitc-trace-XXXXXX";
static char text[TEXT_BYTES];

/* What was written since the last call. */
static const char *written(void)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t len = fread(text, 1, sizeof text - 1, file);
    text[len] = '\0';
    fclose(file);
    assert_return_code(truncate(path, 0), errno);
    return text;
}

static size_t count(const char *in, const char *what)
{
    size_t n = 0;
    for (in = strstr(in, what); in != NULL; in = strstr(in + 1, what))
        n++;
    return n;
}

static aw_trace trace_of(aw_cx *c, aw_frame *f, unsigned state)
{
    return (aw_trace){.c = c, .frame = f, .function = copy_sites, .state = state};
}

static void a_call_that_never_suspends_goes_from_start_to_returned(void **state)
{
    (void)state;
    aw_cx c = {0};
    aw_frame f = {0};
    aw_trace t = trace_of(&c, &f, 0);
    aw_trace_enter(&t);
    aw_trace_ready(&t, 1);
    aw_trace_ready(&t, 2);
    aw_trace_leave(&t);
    const char *lines = written();
    assert_int_equal(count(lines, "\n"), 4);
    assert_int_equal(count(lines, "\"function\":\"copy\",\"file\":\"copy.c\",\"line\":7,"), 4);
    assert_non_null(strstr(lines, "{\"event\":\"started\""));
    assert_non_null(strstr(lines, "\"to\":\"start\""));
    assert_non_null(strstr(lines, "\"from\":\"start\",\"to\":\"s1\""));
    assert_non_null(strstr(lines, "\"from\":\"s1\",\"to\":\"s2\""));
    assert_non_null(strstr(lines, "\"from\":\"s2\",\"to\":\"returned\""));
}

static void a_suspended_call_is_pending_then_resumed(void **state)
{
    (void)state;
    aw_cx c = {0};
    aw_frame f = {.at = &copy_sites[2]};
    aw_trace t = trace_of(&c, &f, 0);
    aw_trace_enter(&t);
    c.pending = &f;
    aw_trace_leave(&t);
    const char *lines = written();
    assert_non_null(strstr(lines, "{\"event\":\"pending\""));
    assert_non_null(strstr(lines, "\"from\":\"start\",\"to\":\"s2\""));
    c.pending = NULL;
    t = trace_of(&c, &f, 2);
    aw_trace_enter(&t);
    aw_trace_leave(&t);
    lines = written();
    assert_non_null(strstr(lines, "{\"event\":\"resumed\""));
    assert_non_null(strstr(lines, "\"from\":\"s2\",\"at_ns\""));
    assert_non_null(strstr(lines, "\"from\":\"s2\",\"to\":\"returned\""));
}

static void a_cancel_with_clean_ups_unwinds(void **state)
{
    (void)state;
    aw_cx c = {0};
    aw_frame f = {.at = &copy_sites[1]};
    c.unwind = &f;
    aw_trace t = trace_of(&c, &f, 1 | AW_CANCEL);
    aw_trace_enter(&t);
    aw_trace_leave(&t);
    const char *lines = written();
    assert_int_equal(count(lines, "\n"), 2);
    assert_non_null(strstr(lines, "{\"event\":\"unwinding\""));
    assert_non_null(strstr(lines, "{\"event\":\"cancelled\""));
    assert_non_null(strstr(lines, "\"from\":\"s1\",\"to\":\"cancelled\""));
}

static void a_dropped_frame_is_cancelled_unless_it_never_started(void **state)
{
    (void)state;
    aw_cx c = {0};
    aw_frame f = {.at = &copy_sites[3]};
    awi_trace_dropped(&c, &f);
    assert_string_equal(written(), "");
    f.at = &copy_sites[2];
    awi_trace_dropped(&c, &f);
    const char *lines = written();
    assert_non_null(strstr(lines, "\"line\":7,"));
    assert_non_null(strstr(lines, "\"from\":\"s2\",\"to\":\"cancelled\""));
}

static void names_are_escaped_and_long_paths_keep_their_end(void **state)
{
    (void)state;
    aw_cx c = {0};
    aw_frame f = {0};
    aw_trace t = {.c = &c, .frame = &f, .function = &odd_site};
    aw_trace_enter(&t);
    assert_non_null(strstr(written(), "\"file\":\"a\\\"b\\\\c?.c\","));
    t.function = &long_site;
    aw_trace_enter(&t);
    const char *lines = written();
    assert_non_null(strstr(lines, "/end.c\","));
    assert_int_equal(count(lines, "\n"), 1);
}

static void errno_stays(void **state)
{
    (void)state;
    aw_cx c = {0};
    aw_frame f = {0};
    aw_trace t = trace_of(&c, &f, 0);
    errno = ENOTTY;
    aw_trace_enter(&t);
    aw_trace_ready(&t, 1);
    aw_trace_leave(&t);
    assert_int_equal(errno, ENOTTY);
    written();
}

static void *rounds(void *unused)
{
    (void)unused;
    aw_cx c = {0};
    aw_frame f = {0};
    for (int i = 0; i < ROUNDS; i++) {
        aw_trace t = trace_of(&c, &f, 0);
        aw_trace_enter(&t);
        aw_trace_leave(&t);
    }
    return NULL;
}

static void lines_of_threads_stay_whole(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, rounds, NULL), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    const char *lines = written();
    assert_int_equal(count(lines, "\n"), 2 * THREADS * ROUNDS);
    assert_int_equal(count(lines, "{\"event\":"), 2 * THREADS * ROUNDS);
    assert_int_equal(count(lines, "}\n"), 2 * THREADS * ROUNDS);
    assert_int_equal(count(lines, "\n{"), 2 * THREADS * ROUNDS - 1);
}

static int make_file(void **state)
{
    (void)state;
    int fd = mkstemp(path);
    if (fd < 0)
        return -1;
    close(fd);
    return setenv("AWAITC_TRACE", path, 1);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_that_never_suspends_goes_from_start_to_returned),
        cmocka_unit_test(a_suspended_call_is_pending_then_resumed),
        cmocka_unit_test(a_cancel_with_clean_ups_unwinds),
        cmocka_unit_test(a_dropped_frame_is_cancelled_unless_it_never_started),
        cmocka_unit_test(names_are_escaped_and_long_paths_keep_their_end),
        cmocka_unit_test(errno_stays),
        cmocka_unit_test(lines_of_threads_stay_whole),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
