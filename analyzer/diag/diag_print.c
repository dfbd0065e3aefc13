/* SPDX-License-Identifier: MIT */
/*
 * How does a report look? As gcc and clang print theirs, so that editors find the place:
 *
 *     echo.c:12:9: error: 'serve' is async: write 'await serve(fd)' [awaitc-missing-await]
 *        12 |         serve(fd);
 *           |         ^
 *     echo.c:3:12: note: declared here
 *
 * Source lines come from the file as it is on disk now; where it cannot be read, or has no such
 * line, they are left out.
 */
#include <stdlib.h>

#include "analyzer/diag/diag.h"
#include "analyzer/diag/diag_impl.h"
#include "analyzer/diag/snippet.h"
#include "analyzer/source/source_cache.h"

struct printer {
    arena *mem;
    FILE *to;
    bool colour;
    source_cache *sources;
};

enum style { STYLE_PLACE, STYLE_ERROR, STYLE_WARNING, STYLE_NOTE, STYLE_COUNT };

static const char *const style_codes[STYLE_COUNT] = {
    [STYLE_PLACE] = "\033[1m",
    [STYLE_ERROR] = "\033[1;31m",
    [STYLE_WARNING] = "\033[1;35m",
    [STYLE_NOTE] = "\033[1;36m",
};

static void print_styled(const struct printer *p, enum style style, const char *text)
{
    if (p->colour)
        fprintf(p->to, "%s%s\033[0m", style_codes[style], text);
    else
        fputs(text, p->to);
}

static void print_source(struct printer *p, const struct diag_place *at)
{
    struct snippet s = {.number = at->line, .column = at->column};
    if (at->file != NULL && source_cache_line(p->sources, at->file, at->line, &s.line))
        snippet_print(p->to, &s, p->colour);
}

static void print_place(const struct printer *p, const struct diag_place *at)
{
    char numbers[32] = "";
    if (at->file != NULL && at->line != 0 && at->column != 0)
        snprintf(numbers, sizeof numbers, ":%u:%u", at->line, at->column);
    else if (at->file != NULL && at->line != 0)
        snprintf(numbers, sizeof numbers, ":%u", at->line);
    const char *file = at->file == NULL ? "awaitc" : at->file;
    print_styled(p, STYLE_PLACE, arena_printf(p->mem, "%s%s:", file, numbers));
    fputc(' ', p->to);
}

static void print_severity(const struct printer *p, enum diag_severity severity)
{
    switch (severity) {
    case DIAG_NOTE:
        print_styled(p, STYLE_NOTE, "note: ");
        break;
    case DIAG_WARNING:
        print_styled(p, STYLE_WARNING, "warning: ");
        break;
    case DIAG_ERROR:
        print_styled(p, STYLE_ERROR, "error: ");
        break;
    }
}

static void print_entry(struct printer *p, const struct diag_entry *e)
{
    print_place(p, &e->place);
    print_severity(p, e->severity);
    fprintf(p->to, "%s [%s]\n", e->text, diag_id_text(e->id));
    print_source(p, &e->place);
    for (size_t i = 0; i < e->notes.count; i++) {
        print_place(p, &e->notes.at[i].place);
        print_severity(p, DIAG_NOTE);
        fprintf(p->to, "%s\n", e->notes.at[i].text);
        print_source(p, &e->notes.at[i].place);
    }
}

static int compare_numbers(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int compare_entries(const void *left, const void *right)
{
    const struct diag_entry *a = *(const struct diag_entry *const *)left;
    const struct diag_entry *b = *(const struct diag_entry *const *)right;
    int by = compare_numbers(a->file_rank, b->file_rank);
    if (by == 0)
        by = compare_numbers(a->place.line, b->place.line);
    if (by == 0)
        by = compare_numbers(a->place.column, b->place.column);
    return by != 0 ? by : compare_numbers(a->order, b->order);
}

void diag_print(const diag_sink *sink, FILE *to, bool colour)
{
    size_t count = sink->entries.count;
    if (count == 0)
        return;
    struct printer p = {.mem = arena_create(), .to = to, .colour = colour};
    p.sources = source_cache_new(p.mem);
    struct diag_entry **sorted = arena_copy(p.mem, sink->entries.at, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_entries);
    for (size_t i = 0; i < count; i++)
        print_entry(&p, sorted[i]);
    arena_destroy(&p.mem);
}
