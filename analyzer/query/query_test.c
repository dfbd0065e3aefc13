/* SPDX-License-Identifier: MIT */
/*
 * Tests of rules, as their authors write them:
 *
 *     strcpy(to, from); // EXPECT: ourlib-no-strcpy
 *
 * Each test file is run with all rules of the folder, those for unreadable files included. What is
 * found and what is expected are compared line by line; a rule that no test expects is a problem,
 * too, since nobody knows whether it works.
 */
#include "analyzer/query/query_rules.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/strbuf.h"

struct expectation {
    const char *id;
    uint32_t line;
    bool met;
};

struct rule_tests {
    arena *mem;
    query_rules *rules;
    FILE *out;
    bool *expected; /* by rule */
    unsigned problems, files, expectations;
};

typedef VEC(struct expectation) expectation_list;

static bool is_id_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
}

/* The ids behind one "EXPECT:". */
static void read_ids(arena *mem, const char *at, const char *end, uint32_t line,
                     expectation_list *out)
{
    while (at < end) {
        while (at < end && (*at == ' ' || *at == ','))
            at++;
        const char *begin = at;
        while (at < end && is_id_byte(*at))
            at++;
        if (at == begin)
            return;
        struct expectation e = {.id = arena_strndup(mem, begin, (size_t)(at - begin)),
                                .line = line};
        VEC_PUSH(mem, out, e);
        if (at == end || *at != ',')
            return;
    }
}

static expectation_list read_expectations(arena *mem, strview text)
{
    static const char mark[] = "EXPECT:";
    expectation_list list = {0};
    uint32_t line = 1;
    while (text.len > 0) {
        const char *end = memchr(text.at, '\n', text.len);
        size_t len = end == NULL ? text.len : (size_t)(end - text.at);
        const char *found = memmem(text.at, len, mark, sizeof mark - 1);
        if (found != NULL)
            read_ids(mem, found + sizeof mark - 1, text.at + len, line, &list);
        line++;
        len += end != NULL;
        text = (strview){text.at + len, text.len - len};
    }
    return list;
}

static void note_expected(struct rule_tests *t, const char *id)
{
    for (size_t i = 0; i < query_rules_count(t->rules); i++) {
        if (strcmp(query_rules_at(t->rules, i)->id, id) == 0)
            t->expected[i] = true;
    }
}

/* Marks an open expectation of this finding; false if there is none. */
static bool meet(expectation_list *expectations, const struct finding *f)
{
    for (size_t i = 0; i < expectations->count; i++) {
        struct expectation *e = &expectations->at[i];
        if (!e->met && e->line == f->place.line && strcmp(e->id, f->rule) == 0) {
            e->met = true;
            return true;
        }
    }
    return false;
}

static void test_text(struct rule_tests *t, const char *path, strview text)
{
    expectation_list expectations = read_expectations(t->mem, text);
    finding_list found = {.mem = t->mem};
    enum query_run_status status = query_rules_run(t->rules, QUERY_FALLBACK, path, text, &found);
    if (status != QUERY_RUN_OK) {
        fprintf(t->out, "%s: %s\n", path, query_run_status_text(status));
        t->problems++;
    }
    for (size_t i = 0; i < found.all.count; i++) {
        const struct finding *f = found.all.at[i];
        if (meet(&expectations, f))
            continue;
        fprintf(t->out, "%s:%u:%u: not expected: %s [%s]\n", path, f->place.line, f->place.column,
                f->message, f->rule);
        t->problems++;
    }
    for (size_t i = 0; i < expectations.count; i++) {
        const struct expectation *e = &expectations.at[i];
        note_expected(t, e->id);
        t->expectations++;
        if (e->met)
            continue;
        fprintf(t->out, "%s:%u: expected, but not found: %s\n", path, e->line, e->id);
        t->problems++;
    }
}

static void test_file(struct rule_tests *t, const char *path)
{
    FILE *f = fopen(path, "rb");
    if (f == NULL) {
        fprintf(t->out, "%s: cannot be read: %s\n", path, strerror(errno));
        t->problems++;
        return;
    }
    strbuf text = strbuf_in(t->mem);
    char piece[4096];
    size_t n;
    while ((n = fread(piece, 1, sizeof piece, f)) > 0)
        strbuf_add(&text, piece, n);
    fclose(f);
    t->files++;
    test_text(t, path, strbuf_view(&text));
}

static int is_test_file(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && sv_ends(sv_from(entry->d_name), ".test.c");
}

static void test_folder(struct rule_tests *t, const char *folder)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_test_file, alphasort);
    if (count < 0) {
        fprintf(t->out, "%s: cannot be read: %s\n", folder, strerror(errno));
        t->problems++;
        return;
    }
    const char *slash = sv_ends(sv_from(folder), "/") ? "" : "/";
    for (int i = 0; i < count; i++) {
        test_file(t, arena_printf(t->mem, "%s%s%s", folder, slash, entries[i]->d_name));
        free(entries[i]);
    }
    free(entries);
}

static void report_untested(struct rule_tests *t)
{
    for (size_t i = 0; i < query_rules_count(t->rules); i++) {
        const struct query_rule *rule = query_rules_at(t->rules, i);
        if (t->expected[i])
            continue;
        fprintf(t->out,
                "%s: no test expects '%s': add a line with '// EXPECT: %s' to a file "
                "NAME.test.c\n",
                rule->file, rule->id, rule->id);
        t->problems++;
    }
}

unsigned query_rules_test(const char *folder, const char *tests, FILE *out)
{
    arena *mem = arena_create();
    diag_sink *sink = diag_sink_new(mem);
    struct query_options options = {.built_in = folder == NULL, .folders = &folder};
    options.folder_count = folder != NULL;
    struct rule_tests t = {.mem = mem, .rules = query_rules_load(&options, sink), .out = out};
    t.expected = ARENA_ARRAY(mem, bool, query_rules_count(t.rules));
    diag_print(sink, out, false);
    t.problems = diag_error_count(sink);
    if (tests != NULL || folder != NULL)
        test_folder(&t, tests != NULL ? tests : folder);
    report_untested(&t);
    fprintf(out, "%zu rules, %u test files, %u expectations: %u problems\n",
            query_rules_count(t.rules), t.files, t.expectations, t.problems);
    query_rules_free(&t.rules);
    arena_destroy(&mem);
    return t.problems;
}
