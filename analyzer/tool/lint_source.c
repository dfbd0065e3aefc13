/* SPDX-License-Identifier: MIT */
/*
 * The order of work for one source.
 */
#include "analyzer/tool/lint_source.h"

#include <stdio.h>
#include <stdlib.h>

#include "analyzer/program/collect.h"
#include "analyzer/report/suppress.h"
#include "analyzer/sema/sema.h"
#include "analyzer/tool/lint_expand.h"
#include "analyzer/tool/lint_files.h"
#include "rules/rule_engine.h"

static void note_dependencies(arena *mem, const struct cpp_output *cpp, struct unit_facts *facts)
{
    word_set seen = word_set_in(mem);
    for (size_t i = 0; i < cpp->marks.count; i++) {
        const char *file = cpp->marks.at[i].file;
        if (i != 0 && file == cpp->marks.at[i - 1].file)
            continue;
        uint32_t before = seen.count;
        word_set_add(&seen, sv_from(file));
        bool is_real = file[0] != '<' && file[0] != '\0' && strncmp(file, "/proc/", 6) != 0;
        if (seen.count != before && is_real)
            VEC_PUSH(mem, &facts->dependencies, file);
    }
}

/* Takes the NOLINT comments of the written text down as lines. */
static void note_suppressions(arena *mem, const struct lint_source *source,
                              struct unit_facts *facts)
{
    suppressions *s = suppress_new(mem);
    strbuf lines = strbuf_in(mem);
    suppress_collect(s, source->shown, source->text);
    suppress_write(s, source->shown, &lines);
    strview rest = strbuf_view(&lines);
    while (rest.len != 0) {
        const char *end = memchr(rest.at, '\n', rest.len);
        size_t len = end == NULL ? rest.len : (size_t)(end - rest.at);
        VEC_PUSH(mem, &facts->suppressions, arena_strndup(mem, rest.at, len));
        rest = (strview){rest.at + len + (end != NULL), rest.len - len - (end != NULL)};
    }
}

/* What the queries find in the written text. */
static void run_queries(arena *mem, const struct lint_source *source, enum query_when when,
                        struct unit_facts *facts)
{
    finding_list found = {.mem = mem};
    if (source->queries == NULL)
        return;
    enum query_run_status status =
        query_rules_run(source->queries, when, source->shown, source->text, &found);
    if (status != QUERY_RUN_OK)
        fprintf(stderr, "%s: note: %s\n", source->shown, query_run_status_text(status));
    for (size_t i = 0; i < found.all.count; i++) {
        struct candidate *c = ARENA_NEW(mem, struct candidate);
        c->finding = *found.all.at[i];
        VEC_PUSH(mem, &facts->candidates, c);
    }
}

struct reading {
    arena *mem;
    const struct lint_source *source;
    strview text;
    struct unit_facts *facts;
    const char *message;
    enum lint_status status;
};

/* Files get the names under which reports show them. */
static void show_paths(const struct reading *r, struct cpp_output *cpp)
{
    word_set seen = word_set_in(r->mem);
    VEC(const char *) shown = {0};
    const char *own = lint_source_name(r->source), *last = NULL;
    for (size_t i = 0; i < cpp->marks.count; i++) {
        struct cpp_mark *mark = &cpp->marks.at[i];
        const char *unshown = mark->file;
        if (i != 0 && unshown == last) {
            mark->file = cpp->marks.at[i - 1].file;
            continue;
        }
        last = unshown;
        struct word_entry *e = word_set_add(&seen, sv_from(mark->file));
        if (e->value == 0) {
            const char *name =
                strcmp(mark->file, own) == 0
                    ? r->source->shown
                    : lint_shown_path(r->mem, r->source->from, r->source->directory, mark->file);
            VEC_PUSH(r->mem, &shown, name);
            e->value = (uint32_t)shown.count;
        }
        mark->file = shown.at[e->value - 1];
    }
}

static const char *failure_text(arena *mem, const struct sema_failure *f)
{
    return arena_printf(mem, "%s:%u:%u: error: %s [awaitc-parse]\n", f->place.file, f->place.line,
                        f->place.column == 0 ? 1 : f->place.column, f->text);
}

static void read_unit(struct reading *r)
{
    struct cpp_output *cpp = cpp_output_read(r->mem, r->text, 0);
    show_paths(r, cpp);
    const lint_config *config = r->source->settings->config;
    strview *annotations = ARENA_ARRAY(r->mem, strview, config->async_annotations.count + 1);
    for (size_t i = 0; i < config->async_annotations.count; i++)
        annotations[i] = sv_from(config->async_annotations.at[i]);
    struct sema_request request = {.mem = r->mem,
                                   .cpp = cpp,
                                   .path = r->source->shown,
                                   .source = r->source->text,
                                   .async_annotations = annotations,
                                   .async_annotation_count =
                                       (uint32_t)config->async_annotations.count};
    struct sema_failure failure = {0};
    sema_unit *sema = sema_unit_read(&request, &failure);
    if (sema == NULL) {
        r->status = LINT_UNPARSED;
        r->message = failure_text(r->mem, &failure);
        return;
    }
    r->facts = collect_facts(r->mem, sema, r->source->settings);
    note_dependencies(r->mem, cpp, r->facts);
    note_suppressions(r->mem, r->source, r->facts);
    run_queries(r->mem, r->source, QUERY_ALWAYS, r->facts);
    rules_run_unit(r->mem, sema, r->source->settings, r->source->enabled, r->facts);
    uint32_t count;
    const struct sema_failure *failures = sema_unit_failures(sema, &count);
    const char *message = "";
    for (uint32_t i = 0; i < count; i++)
        message = arena_printf(r->mem, "%s%s", message, failure_text(r->mem, &failures[i]));
    r->message = count != 0 ? message : NULL;
}

/* The little that can be said of a source that does not parse. */
static struct unit_facts *unparsed_facts(arena *mem, const struct lint_source *source)
{
    struct unit_facts *facts = ARENA_NEW(mem, struct unit_facts);
    facts->mem = mem;
    facts->path = source->shown;
    note_suppressions(mem, source, facts);
    run_queries(mem, source, QUERY_FALLBACK, facts);
    return facts;
}

enum lint_status lint_source_read(arena *mem, const struct lint_source *source,
                                  struct unit_facts **out, const char **message)
{
    struct reading r = {.mem = mem, .source = source, .status = LINT_DONE};
    struct lint_expanded expanded;
    if (lint_expand_source(source->expand, mem, source, &expanded)) {
        r.text = expanded.text;
        read_unit(&r);
    } else {
        r.status = expanded.failed;
        r.message = expanded.message;
    }
    if (r.status == LINT_UNPARSED)
        r.facts = unparsed_facts(mem, source);
    *out = r.facts;
    *message = r.message;
    return r.status;
}
