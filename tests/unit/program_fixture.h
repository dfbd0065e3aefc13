/* SPDX-License-Identifier: MIT */
/*
 * What do the tests of the whole program share? Programs joined from the texts of sources, which
 * need no headers, and what is known of a value, a call or a function, as words.
 */
#ifndef AWAITC_TESTS_PROGRAM_FIXTURE_H
#define AWAITC_TESTS_PROGRAM_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyzer/base/check.h"
#include "analyzer/base/strbuf.h"
#include "analyzer/program/block_effects.h"
#include "analyzer/program/collect.h"
#include "analyzer/program/program.h"

/* Declared in front of each source: what the tests call. `ask` stands at values that they look at.
 */
#define PRELUDE                                                                                    \
    "typedef long ssize_t; typedef unsigned long size_t;\n"                                        \
    "struct pollfd { int fd; short events, revents; };\n"                                          \
    "int ask(); int accept(int, void *, void *); int accept4(int, void *, void *, int);\n"         \
    "int socket(int, int, int); int open(const char *, int, ...); int fcntl(int, int, ...);\n"     \
    "int pipe2(int *, int); int poll(struct pollfd *, unsigned long, int); int close(int);\n"      \
    "ssize_t read(int, void *, size_t); ssize_t recv(int, void *, size_t, int);\n"                 \
    "unsigned sleep(unsigned); int fsync(int); int getaddrinfo(const char *, const char *, "       \
    "const void *, void *);\n"

struct joined {
    arena *mem;
    struct lint_settings settings;
    VEC(struct unit_facts *) units;
    program *p;
};

static inline int with_program(void **state)
{
    arena *mem = arena_create();
    struct joined *j = ARENA_NEW(mem, struct joined);
    j->mem = mem;
    j->settings =
        (struct lint_settings){.known = known_facts_new(mem), .config = lint_config_default(mem)};
    *state = j;
    return 0;
}

static inline int without_program(void **state)
{
    struct joined *j = *state;
    arena *mem = j->mem;
    arena_destroy(&mem);
    return 0;
}

#define PROGRAM_TEST(function)                                                                     \
    cmocka_unit_test_setup_teardown(function, with_program, without_program)

static inline void add_source(struct joined *j, const char *name, const char *text)
{
    const char *whole = arena_printf(j->mem, "# 1 \"%s\"\n%s%s", name, PRELUDE, text);
    struct sema_request r = {.mem = j->mem,
                             .cpp = cpp_output_read(j->mem, sv_from(whole), 0),
                             .path = name,
                             .source = sv_from(whole + strlen(name) + 7)};
    struct sema_failure failure;
    sema_unit *sema = sema_unit_read(&r, &failure);
    assert_non_null(sema);
    uint32_t failed;
    sema_unit_failures(sema, &failed);
    assert_int_equal(failed, 0);
    struct unit_facts *facts = collect_facts(j->mem, sema, &j->settings);
    facts->path = name;
    VEC_PUSH(j->mem, &j->units, facts);
}

/* Joins all that was added; for one source, adds it first. */
static inline program *join(struct joined *j, const char *text)
{
    if (text != NULL)
        add_source(j, "a.c", text);
    j->p = program_join(j->mem, j->units.at, (uint32_t)j->units.count, &j->settings);
    return j->p;
}

static inline program_function *function_of(struct joined *j, const char *name)
{
    program_function *f = program_find(j->p, j->units.at[0], name);
    AWC_ASSERT(f != NULL);
    return f;
}

/* The number-th call of that name in any function, in the order of the sources. */
static inline const struct program_call *call_of(struct joined *j, const char *callee,
                                                 unsigned number)
{
    uint32_t count;
    program_function **functions = program_functions(j->p, &count);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < functions[i]->call_count; k++) {
            const struct program_call *call = &functions[i]->calls[k];
            bool is_named = call->fact->callee_kind == CALLEE_NAME;
            if (is_named && strcmp(call->fact->callee, callee) == 0 && number-- == 0)
                return call;
        }
    }
    AWC_UNREACHABLE();
}

/* The first argument of the number-th `ask`. */
static inline struct bound_value asked(struct joined *j, unsigned number)
{
    const struct program_call *call = call_of(j, "ask", number);
    assert_true(call->fact->args.count > 0);
    return (struct bound_value){call->caller, call->fact->args.at[0]};
}

#endif
