/* SPDX-License-Identifier: MIT */
/* What do the built-in tables say, what does a user's facts file change, and what is refused? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analyzer/base/check.h"
#include "analyzer/program/known_blocking.h"
#include "analyzer/program/known_callbacks.h"
#include "analyzer/program/known_constants.h"
#include "analyzer/program/known_descriptors.h"
#include "analyzer/program/known_facts.h"
#include "analyzer/program/known_locks.h"
#include "analyzer/program/known_loops.h"
#include "analyzer/program/known_owners.h"
#include "analyzer/program/known_threadstate.h"
#include "analyzer/program/known_twins.h"

static arena *mem;
static known_facts *facts;
static diag_sink *sink;

static int set_up(void **state)
{
    (void)state;
    mem = arena_create();
    facts = known_facts_new(mem);
    sink = diag_sink_new(mem);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_destroy(&mem);
    return 0;
}

/* What was reported, as text. */
static const char *reports(void)
{
    static char text[4096];
    FILE *to = fmemopen(text, sizeof text, "w");
    assert_non_null(to);
    diag_print(sink, to, false);
    fclose(to);
    return text;
}

static bool add(const char *text)
{
    return known_facts_add_text(facts, "lib.tsv", sv_from(text), sink);
}

static void the_table_of_blocking_functions_is_there(void **state)
{
    (void)state;
    size_t count;
    const struct known_blocking *all = known_blocking_all(facts, &count);
    assert_true(count > 1400);
    for (size_t i = 0; i < count; i++)
        assert_ptr_equal(known_blocking_find(facts, all[i].key.name), &all[i]);
    const struct known_blocking *b = known_blocking_find(facts, SV("recv"));
    assert_int_equal(b->tier, TIER_MAYBE);
    assert_int_equal(b->reasons, REASON_IO_NETWORK);
    assert_int_equal(b->guard.count, 2);
    assert_true(sv_is(b->library, "libc"));
    assert_string_equal(known_blocking_phrase(b), "waits for the network");
    assert_null(known_blocking_find(facts, SV("rec")));
    assert_null(known_blocking_find(facts, SV("recvv")));
    assert_null(known_blocking_find(facts, SV("")));
}

/* May a value of a built-in guard be a name without a number? Enumerators may, and functions, since
 * they are still names when macros have been expanded. */
static bool may_stay_a_name(strview name)
{
    return sv_starts(name, "MEMCACHED_BEHAVIOR_") || sv_is(name, "BIO_s_mem") ||
           sv_is(name, "stdout") || sv_is(name, "stderr"); /* variables */
}

static void guards_name_constants_whose_numbers_are_known(void **state)
{
    (void)state;
    size_t count, terms = 0;
    const struct known_blocking *all = known_blocking_all(facts, &count);
    for (size_t i = 0; i < count; i++) {
        for (uint32_t a = 0; a < all[i].guard.count; a++) {
            const struct guard_alternative *one = &all[i].guard.alternatives[a];
            for (uint32_t t = 0; t < one->count; t++, terms++) {
                const struct guard_value *value = &one->terms[t].values[0];
                if (one->terms[t].value_count > 0 && value->kind == GUARD_VALUE_NAME &&
                    !may_stay_a_name(value->text))
                    fail_msg("%.*s: no number for %.*s", SV_ARG(all[i].key.name),
                             SV_ARG(value->text));
            }
        }
    }
    assert_true(terms > 400);
}

static void reasons_print_as_the_table_writes_them(void **state)
{
    (void)state;
    const struct known_blocking *b = known_blocking_find(facts, SV("curl_easy_perform"));
    assert_non_null(b);
    assert_true(b->reasons & REASON_DNS);
    assert_non_null(strstr(known_blocking_reasons(mem, b), "dns"));
    assert_string_equal(known_blocking_phrase(b), "asks name servers");
}

static void callbacks_by_function(void **state)
{
    (void)state;
    size_t count;
    const struct known_callback *c =
        known_callbacks_of_function(facts, SV("uv_queue_work"), &count);
    assert_int_equal(count, 2);
    assert_int_equal(c[0].argument, 2);
    assert_int_equal(c[0].kind, CALLBACK_WORK);
    assert_int_equal(c[1].argument, 3);
    assert_int_equal(c[1].kind, CALLBACK_LOOP);
    c = known_callbacks_of_function(facts, SV("sd_event_add_io"), &count);
    assert_int_equal(count, 1);
    assert_int_equal(c->watched.kind, PLACE_ARG);
    assert_int_equal(c->watched.arg, 2);
    assert_int_equal(c->received.arg, 1);
    assert_int_equal(c->data_in.arg, 5);
    assert_int_equal(c->data_out.arg, 3);
    assert_null(known_callbacks_of_function(facts, SV("printf"), &count));
    assert_int_equal(count, 0);
}

static void callbacks_by_field(void **state)
{
    (void)state;
    const struct known_callback *c = known_callback_of_field(facts, SV("ev_io"), SV("cb"));
    assert_non_null(c);
    assert_int_equal(c->kind, CALLBACK_LOOP);
    assert_int_equal(c->watched.kind, PLACE_SIBLING);
    assert_true(sv_is(c->watched.field, "fd"));
    assert_int_equal(c->received.kind, PLACE_FIELD);
    assert_null(known_callback_of_field(facts, SV("ev_io"), SV("fd")));
    assert_null(known_callback_of_field(facts, SV("other"), SV("cb")));
    c = known_callback_of_field(facts, SV(""), SV("sa_handler"));
    assert_int_equal(c->kind, CALLBACK_SIGNAL);
}

static void a_configuration_adds_callbacks(void **state)
{
    (void)state;
    size_t count;
    known_callbacks_add(facts, SV("on_data"), 1, CALLBACK_LOOP);
    known_callbacks_add(facts, SV("conn.handler"), 0, CALLBACK_LOOP);
    known_callbacks_add(facts, SV("uv_queue_work"), 0, CALLBACK_WORK);
    const struct known_callback *c = known_callbacks_of_function(facts, SV("on_data"), &count);
    assert_int_equal(count, 1);
    assert_int_equal(c->argument, 1);
    assert_non_null(known_callback_of_field(facts, SV("conn"), SV("handler")));
    known_callbacks_of_function(facts, SV("uv_queue_work"), &count);
    assert_int_equal(count, 3);
}

static void the_small_tables(void **state)
{
    (void)state;
    size_t count;
    int64_t number;
    assert_true(known_constant_find(facts, SV("O_NONBLOCK"), &number));
    assert_int_equal(number, 04000);
    assert_true(sv_is(known_twins_of(facts, SV("read"), &count)->call, "aw_read($0, $1, $2)"));
    const struct known_descriptor *d = known_descriptors_of(facts, SV("dup2"), &count);
    assert_int_equal(count, 2);
    assert_int_equal(d->role, DESCRIPTOR_COPY);
    d = known_descriptors_of(facts, SV("evutil_make_socket_nonblocking"), &count);
    assert_true(d->always_nonblocking);
    assert_int_equal(known_lock_find(facts, SV("pthread_cond_wait"))->lock.arg, 1);
    assert_int_equal(known_lock_find(facts, SV("aw_mutex_lock"))->kind, LOCK_ASYNC);
    assert_true(known_lock_find(facts, SV("pthread_rwlock_rdlock"))->shared);
    assert_int_equal(known_loop_find(facts, SV("uv_run"))->quick.count, 1);
    assert_int_equal(known_loop_find(facts, SV("aw_block_on"))->kind, LOOP_DRIVE);
    assert_true(sv_is(known_owners_of(facts, SV("strdup"), &count)->release, "free"));
    assert_true(known_owner_releases(facts, SV("closedir")));
    assert_false(known_owner_releases(facts, SV("opendir")));
    assert_int_equal(known_threadstate_find(facts, SV("strtok"))->kind, THREADSTATE_POSITION);
    assert_int_equal(known_threadstate_find(facts, SV("__errno_location"))->kind,
                     THREADSTATE_ADDRESS);
}

static void a_users_rows_add_and_replace(void **state)
{
    (void)state;
    assert_true(add("# ours\n\nfunction\ttier\twhy\tguard\n"
                    "db_query\tA\tio-network\targ:1==0\r\n"
                    "read\tN\t-\t-"));
    const struct known_blocking *b = known_blocking_find(facts, SV("db_query"));
    assert_int_equal(b->guard.count, 1);
    assert_string_equal(b->key.file, "lib.tsv");
    assert_int_equal(b->key.line, 4);
    assert_true(sv_is(b->quick, "-"));
    assert_int_equal(known_blocking_find(facts, SV("read"))->tier, TIER_NEVER);
    assert_int_equal(known_blocking_find(facts, SV("write"))->tier, TIER_MAYBE);
    assert_string_equal(reports(), "");
}

static void a_later_file_wins(void **state)
{
    (void)state;
    assert_true(add("function\ttier\twhy\nf\tA\tsleep\n"));
    assert_true(add("function\ttier\twhy\nf\tC\tlock\n"));
    assert_int_equal(known_blocking_find(facts, SV("f"))->tier, TIER_SHORT);
}

static void a_file_without_header_has_all_columns(void **state)
{
    (void)state;
    assert_true(add("f\tours.h\tours\tio-disk\tnever\taw_blocking\tA\tdocs\t-\n"));
    assert_true(sv_is(known_blocking_find(facts, SV("f"))->header, "ours.h"));
}

static void a_header_says_which_table(void **state)
{
    (void)state;
    size_t count;
    assert_true(add("callback\targument\tkind\non_line\t2\tloop\nserver.on_end\t-\tloop\n"));
    assert_int_equal(known_callbacks_of_function(facts, SV("on_line"), &count)->argument, 2);
    assert_non_null(known_callback_of_field(facts, SV("server"), SV("on_end")));
    assert_true(add("function\taction\tkind\tlock\nlatch\tlock\tthread\t0\n"));
    assert_int_equal(known_lock_find(facts, SV("latch"))->action, LOCK_TAKE);
}

static void mistakes_are_named_by_line_and_column(void **state)
{
    (void)state;
    static const struct {
        const char *text, *report;
    } cases[] = {
        {"function\ttier\twhy\nf\tX\tsleep\n",
         "lib.tsv:2:3: error: column 'tier' of blocking facts: 'X' is none of A, B, C, P, N"},
        {"function\ttier\twhy\nf\tA\tsnooze\n", "lib.tsv:2:5: error: column 'why'"},
        {"function\ttier\twhy\nf\tA\n", "column 'why' of blocking facts: it is empty"},
        {"function\ttier\twhy\n\tA\tlock\n", "lib.tsv:2:1: error: column 'function'"},
        {"function\ttier\twhy\nf\tA\tlock\tmore\n", "lib.tsv:2:1: error: 4 columns where"},
        {"function\ttier\twhy\tguard\nf\tA\tlock\targ:x\n", "lib.tsv:2:10: error: column 'guard'"},
        {"function\ttier\twhi\nf\tA\tlock\n", "lib.tsv:1:1: error: this header fits no table"},
        {"callback\targument\tkind\nf\t-1\tloop\n", "lib.tsv:2:3: error: column 'argument'"},
        {"callback\targument\tkind\tuserdata\nf\t1\tloop\t2\n", "is not of the form 5=>3"},
        {"acquire\twhere\tkind\trelease\tfails\nf\tresult\theap\tfree\tnull\n",
         "'free' is no call, such as free($0)"},
        {"f\n", "column 'tier' of blocking facts: it is empty"},
    };
    for (size_t i = 0; i < COUNTOF(cases); i++) {
        sink = diag_sink_new(mem);
        assert_false(add(cases[i].text));
        if (strstr(reports(), cases[i].report) == NULL)
            fail_msg("case %zu: %s", i, reports());
    }
}

static void sound_rows_beside_a_mistake_count(void **state)
{
    (void)state;
    assert_false(add("function\ttier\twhy\nf\tX\tsleep\ng\tA\tsleep\n"));
    assert_null(known_blocking_find(facts, SV("f")));
    assert_non_null(known_blocking_find(facts, SV("g")));
}

static void odd_bytes_do_no_harm(void **state)
{
    (void)state;
    assert_true(add(""));
    assert_true(add("\n\n#\n"));
    static const char bytes[] = "function\ttier\twhy\nf\0g\tA\tsleep\n\xff\t\xfe\tA\n\t\t\t\t\n";
    assert_false(known_facts_add_text(facts, "x", (strview){bytes, sizeof bytes - 1}, sink));
    assert_false(known_facts_add_file(facts, "no-such-file.tsv", sink));
    assert_non_null(strstr(reports(), "no-such-file.tsv: error: cannot read the facts file"));
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest cases[] = {
        CASE(the_table_of_blocking_functions_is_there),
        CASE(guards_name_constants_whose_numbers_are_known),
        CASE(reasons_print_as_the_table_writes_them),
        CASE(callbacks_by_function),
        CASE(callbacks_by_field),
        CASE(a_configuration_adds_callbacks),
        CASE(the_small_tables),
        CASE(a_users_rows_add_and_replace),
        CASE(a_later_file_wins),
        CASE(a_file_without_header_has_all_columns),
        CASE(a_header_says_which_table),
        CASE(mistakes_are_named_by_line_and_column),
        CASE(sound_rows_beside_a_mistake_count),
        CASE(odd_bytes_do_no_harm),
    };
    return cmocka_run_group_tests_name("known_facts", cases, NULL, NULL);
}
