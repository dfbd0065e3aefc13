/* SPDX-License-Identifier: MIT */
/*
 * What do tests of reports need? A folder of their own with sources in it, findings made in one
 * line, and what a function printed as text.
 */
#ifndef AWAITC_TESTS_UNIT_REPORT_FIXTURE_H
#define AWAITC_TESTS_UNIT_REPORT_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "analyzer/base/strview.h"
#include "analyzer/report/finding.h"
#include "analyzer/source/source_cache.h"

struct report_fixture {
    arena *mem;
    source_cache *sources;
    diag_sink *sink;
    finding_list list;
    char old_folder[4096];
    char folder[64]; /* of the test, also the current one */
};

static inline int report_set_up(void **state)
{
    struct report_fixture *f = calloc(1, sizeof *f);
    if (f == NULL || getcwd(f->old_folder, sizeof f->old_folder) == NULL)
        return -1;
    strcpy(f->folder, "report_test_XXXXXX");
    if (mkdtemp(f->folder) == NULL || chdir(f->folder) != 0)
        return -1;
    f->mem = arena_create();
    f->sources = source_cache_new(f->mem);
    f->sink = diag_sink_new(f->mem);
    f->list.mem = f->mem;
    *state = f;
    return 0;
}

static inline int report_tear_down(void **state)
{
    struct report_fixture *f = *state;
    arena_destroy(&f->mem);
    int status = chdir(f->old_folder);
    char command[128];
    snprintf(command, sizeof command, "rm -rf -- '%s'", f->folder);
    if (status == 0)
        status = system(command);
    free(f);
    return status;
}

#define REPORT_CASE(name) cmocka_unit_test_setup_teardown(name, report_set_up, report_tear_down)

/* Writes a file, in folders that exist. */
static inline void write_bytes(const char *path, const char *bytes, size_t len)
{
    FILE *to = fopen(path, "wb");
    assert_non_null(to);
    assert_int_equal(fwrite(bytes, 1, len, to), len);
    fclose(to);
}

static inline void write_text(const char *path, const char *text)
{
    write_bytes(path, text, strlen(text));
}

static inline struct finding *add(struct report_fixture *f, const char *file, uint32_t line,
                                  uint32_t column, const char *message)
{
    return finding_add(&f->list, "awaitc-blocking-call", DIAG_WARNING,
                       (struct diag_place){file, line, column}, message);
}

static inline void add_step(struct report_fixture *f, struct finding *to, struct diag_place place,
                            const char *function, const char *text)
{
    VEC_PUSH(f->mem, &to->steps, (struct finding_step){place, function, text});
}

/* A fix of one edit. */
static inline void add_fix(struct report_fixture *f, struct finding *to, struct finding_edit edit,
                           const char *title)
{
    struct finding_fix fix = {.title = title};
    VEC_PUSH(f->mem, &fix.edits, edit);
    VEC_PUSH(f->mem, &to->fixes, fix);
}

/* A stream into memory, and what was printed to it. */
struct printed {
    FILE *to;
    char *text;
    size_t len;
};

static inline void print_start(struct printed *p)
{
    *p = (struct printed){0};
    p->to = open_memstream(&p->text, &p->len);
    assert_non_null(p->to);
}

static inline const char *print_end(struct printed *p, arena *mem)
{
    fclose(p->to);
    const char *copy = arena_strndup(mem, p->text, p->len);
    free(p->text);
    return copy;
}

/* What the sink reports, without colour. */
static inline const char *errors_of(struct report_fixture *f)
{
    struct printed p;
    print_start(&p);
    diag_print(f->sink, p.to, false);
    return print_end(&p, f->mem);
}

static inline void assert_contains(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("not in the text: %s\n--- text:\n%s", part, text);
}

#endif
