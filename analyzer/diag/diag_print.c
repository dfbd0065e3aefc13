/* SPDX-License-Identifier: MIT */
/*
 * How does a report look? As gcc and clang print theirs, so that editors find the place:
 *
 *     echo.c:12:9: error: 'serve' is async: write 'await serve(fd)' [awaitc-missing-await]
 *        12 |         serve(fd);
 *           |         ^
 *     echo.c:3:12: note: declared here
 *
 * The line with the caret repeats the tabs of the source line, so that both are expanded alike;
 * columns count bytes, the caret counts characters. Source lines come from the file as it is on
 * disk now; where it cannot be read, or has no such line, they are left out.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analyzer/base/strview.h"
#include "analyzer/diag/diag.h"
#include "analyzer/diag/diag_impl.h"

enum { LONGEST_LINE_BYTES = 1000 };

/* A file's text, read once for all reports. */
struct source {
    const char *path;
    strview text; /* empty if it cannot be read */
};

struct printer {
    arena *mem;
    FILE *to;
    bool colour;
    VEC(struct source) sources;
};

enum style { STYLE_PLACE, STYLE_ERROR, STYLE_WARNING, STYLE_NOTE, STYLE_CARET, STYLE_COUNT };

static const char *const style_codes[STYLE_COUNT] = {
    [STYLE_PLACE] = "\033[1m",   [STYLE_ERROR] = "\033[1;31m", [STYLE_WARNING] = "\033[1;35m",
    [STYLE_NOTE] = "\033[1;36m", [STYLE_CARET] = "\033[1;32m",
};

static void print_styled(const struct printer *p, enum style style, const char *text)
{
    if (p->colour)
        fprintf(p->to, "%s%s\033[0m", style_codes[style], text);
    else
        fputs(text, p->to);
}

static strview read_regular_file(arena *mem, const char *path)
{
    struct stat st;
    strview text = {"", 0};
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size == 0)
        return text;
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return text;
    char *bytes = arena_alloc(mem, (size_t)st.st_size);
    text = (strview){bytes, fread(bytes, 1, (size_t)st.st_size, f)};
    fclose(f);
    return text;
}

static strview source_text(struct printer *p, const char *path)
{
    for (size_t i = 0; i < p->sources.count; i++) {
        if (strcmp(p->sources.at[i].path, path) == 0)
            return p->sources.at[i].text;
    }
    struct source s = {path, read_regular_file(p->mem, path)};
    VEC_PUSH(p->mem, &p->sources, s);
    return s.text;
}

/* The line of this number without its end, or false. */
static bool find_line(strview text, uint32_t number, strview *line)
{
    const char *at = text.at, *end = text.at + text.len;
    for (uint32_t i = 1; i < number; i++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (newline == NULL)
            return false;
        at = newline + 1;
    }
    if (at == end)
        return false;
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    *line = (strview){at, (size_t)((newline == NULL ? end : newline) - at)};
    if (sv_ends(*line, "\r"))
        line->len--;
    return true;
}

/* The source line as it is, but without what would steer a terminal. */
static void print_source_line(const struct printer *p, uint32_t number, strview line)
{
    fprintf(p->to, "%5u | ", number);
    for (size_t i = 0; i < line.len; i++) {
        unsigned char c = (unsigned char)line.at[i];
        fputc((c < 0x20 && c != '\t') || c == 0x7f ? ' ' : c, p->to);
    }
    fputc('\n', p->to);
}

static void print_caret(const struct printer *p, uint32_t number, strview line, uint32_t column)
{
    int margin_cols = snprintf(NULL, 0, "%5u", number);
    fprintf(p->to, "%*s | ", margin_cols, "");
    for (size_t i = 0; i + 1 < column && i < line.len; i++) {
        unsigned char c = (unsigned char)line.at[i];
        if (c == '\t')
            fputc('\t', p->to);
        else if ((c & 0xc0) != 0x80) /* not inside a UTF-8 character */
            fputc(' ', p->to);
    }
    print_styled(p, STYLE_CARET, "^");
    fputc('\n', p->to);
}

static void print_source(struct printer *p, const struct diag_place *at)
{
    strview line;
    if (at->file == NULL || at->line == 0 || !find_line(source_text(p, at->file), at->line, &line))
        return;
    if (line.len > LONGEST_LINE_BYTES)
        return;
    print_source_line(p, at->line, line);
    if (at->column != 0 && at->column <= line.len + 1)
        print_caret(p, at->line, line, at->column);
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
    struct diag_entry **sorted = arena_copy(p.mem, sink->entries.at, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_entries);
    for (size_t i = 0; i < count; i++)
        print_entry(&p, sorted[i]);
    arena_destroy(&p.mem);
}
