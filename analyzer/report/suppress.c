/* SPDX-License-Identifier: MIT */
/*
 * Each NOLINT word of a comment is a mark. BEGIN and END marks are paired by a stack, as clang-tidy
 * pairs them: an END belongs to the innermost open BEGIN if both have the same list, otherwise it
 * has none. Marks of a file are few, so a finding is compared with all of them.
 */
#include "analyzer/report/suppress.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/check.h"
#include "analyzer/base/nearest_name.h"
#include "analyzer/base/text_map.h"
#include "analyzer/report/comment_scan.h"
#include "analyzer/report/glob_list.h"

enum kind { KIND_LINE, KIND_NEXT_LINE, KIND_BEGIN, KIND_END, KIND_COUNT };

static const struct word {
    const char *word; /* in sources */
    const char *name; /* in facts */
} words[KIND_COUNT] = {
    [KIND_LINE] = {"NOLINT", "line"},
    [KIND_NEXT_LINE] = {"NOLINTNEXTLINE", "next"},
    [KIND_BEGIN] = {"NOLINTBEGIN", "begin"},
    [KIND_END] = {"NOLINTEND", "end"},
};

static const char own_prefix[] = "awaitc-";
static const char unused_rule[] = "awaitc-unused-suppression";

struct item {
    const char *pattern;
    bool negative;
    bool used;
};

struct mark {
    uint32_t line, column;
    enum kind kind;
    bool bare; /* without a list */
    bool used;
    bool paired;
    uint32_t last_line; /* of a BEGIN: that of its END */
    VEC(struct item) items;
};

struct marked_file {
    const char *path;
    VEC(struct mark *) marks;
    bool in_order; /* sorted, and BEGIN and END are paired */
};

struct suppressions {
    arena *mem;
    VEC(struct marked_file *) files;
    text_map by_path;
};

suppressions *suppress_new(arena *mem)
{
    suppressions *s = ARENA_NEW(mem, suppressions);
    s->mem = mem;
    s->by_path = text_map_in(mem);
    return s;
}

static struct marked_file *file_of(suppressions *s, const char *path)
{
    void **known = text_map_at(&s->by_path, path);
    if (*known == NULL) {
        struct marked_file *file = ARENA_NEW(s->mem, struct marked_file);
        file->path = arena_strndup(s->mem, path, strlen(path));
        VEC_PUSH(s->mem, &s->files, file);
        *known = file;
    }
    return *known;
}

static bool is_known(const struct marked_file *file, const struct mark *mark)
{
    for (size_t i = file->marks.count; i-- > 0;) {
        const struct mark *m = file->marks.at[i];
        if (m->line == mark->line && m->column == mark->column && m->kind == mark->kind)
            return true;
    }
    return false;
}

/* Tabs and the like become blanks: written lines have tabs between their fields. */
static strview without_controls(arena *mem, strview list)
{
    char *copy = arena_strndup(mem, list.at, list.len);
    for (size_t i = 0; i < list.len; i++) {
        if ((unsigned char)copy[i] < 0x20)
            copy[i] = ' ';
    }
    return (strview){copy, list.len};
}

/* Adds a mark with its list, `list.at` NULL for none. */
static void add_mark(suppressions *s, struct marked_file *file, const struct mark *found,
                     strview list)
{
    if (is_known(file, found))
        return;
    struct mark *mark = arena_copy(s->mem, found, sizeof *found);
    mark->bare = list.at == NULL;
    list = without_controls(s->mem, list);
    struct glob_item glob;
    while (glob_next(&list, &glob)) {
        struct item item = {arena_strndup(s->mem, glob.pattern.at, glob.pattern.len), glob.negative,
                            false};
        VEC_PUSH(s->mem, &mark->items, item);
    }
    VEC_PUSH(s->mem, &file->marks, mark);
    file->in_order = false;
}

static size_t word_length(strview text)
{
    size_t len = 0;
    while (len < text.len && isalpha((unsigned char)text.at[len]))
        len++;
    return len;
}

/* The list in parentheses at the start of `rest`, on one line; at NULL if there is none. */
static strview list_at(strview rest)
{
    if (!sv_starts(rest, "("))
        return (strview){NULL, 0};
    for (size_t i = 1; i < rest.len && rest.at[i] != '\n'; i++) {
        if (rest.at[i] == ')')
            return (strview){rest.at + 1, i - 1};
    }
    return (strview){NULL, 0};
}

static enum kind kind_of_word(strview word)
{
    enum kind kind = KIND_LINE;
    while (kind < KIND_COUNT && !sv_is(word, words[kind].word))
        kind++;
    return kind;
}

/* Where a walk through a text is: lines are counted as it goes. */
struct cursor {
    const char *line_start;
    const char *counted; /* line ends before this are counted */
    uint32_t line;
};

static void move_to(struct cursor *c, const char *at)
{
    const char *newline;
    while ((newline = memchr(c->counted, '\n', (size_t)(at - c->counted))) != NULL) {
        c->line++;
        c->line_start = c->counted = newline + 1;
    }
    c->counted = at;
}

static void collect_comment(suppressions *s, struct marked_file *file, struct cursor *c,
                            strview comment)
{
    const char *end = comment.at + comment.len, *at = comment.at;
    while ((at = memmem(at, (size_t)(end - at), "NOLINT", 6)) != NULL) {
        strview word = {at, word_length((strview){at, (size_t)(end - at)})};
        enum kind kind = kind_of_word(word);
        move_to(c, at);
        at += word.len;
        if (kind == KIND_COUNT)
            continue;
        struct mark mark = {
            .line = c->line, .column = (uint32_t)(word.at - c->line_start) + 1, .kind = kind};
        add_mark(s, file, &mark, list_at((strview){at, (size_t)(end - at)}));
    }
}

void suppress_collect(suppressions *s, const char *file, strview text)
{
    if (text.len == 0 || memmem(text.at, text.len, "NOLINT", 6) == NULL)
        return;
    struct comment_scan scan = {.text = text};
    struct cursor cursor = {text.at, text.at, 1};
    struct marked_file *to = file_of(s, file);
    strview comment;
    while (comment_scan_next(&scan, &comment))
        collect_comment(s, to, &cursor, comment);
}

void suppress_write(const suppressions *s, const char *file, strbuf *out)
{
    const struct marked_file *from = text_map_get(&s->by_path, file);
    for (size_t i = 0; from != NULL && i < from->marks.count; i++) {
        const struct mark *mark = from->marks.at[i];
        strbuf_fmt(out, "nolint\t%u\t%u\t%s", mark->line, mark->column, words[mark->kind].name);
        for (size_t k = 0; k < mark->items.count; k++) {
            const struct item *item = &mark->items.at[k];
            strbuf_fmt(out, "%c%s%s", k == 0 ? '\t' : ',', item->negative ? "-" : "",
                       item->pattern);
        }
        if (!mark->bare && mark->items.count == 0)
            strbuf_char(out, '\t');
        strbuf_char(out, '\n');
    }
}

/* Takes the text before the next tab off the line; false if nothing is left of the line. */
static bool next_field(strview *line, strview *field)
{
    if (line->at == NULL)
        return false;
    const char *tab = memchr(line->at, '\t', line->len);
    *field = (strview){line->at, tab == NULL ? line->len : (size_t)(tab - line->at)};
    if (tab == NULL)
        *line = (strview){NULL, 0};
    else
        *line = (strview){tab + 1, line->len - field->len - 1};
    return true;
}

static bool read_number(strview text, uint32_t *number)
{
    uint64_t value = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (!isdigit((unsigned char)text.at[i]) || value > UINT32_MAX)
            return false;
        value = value * 10 + (uint64_t)(text.at[i] - '0');
    }
    *number = (uint32_t)value;
    return text.len > 0 && value > 0 && value <= UINT32_MAX;
}

bool suppress_read_line(suppressions *s, const char *file, strview line)
{
    struct mark mark = {0};
    strview tag, number, column, name, list = {NULL, 0};
    if (!next_field(&line, &tag) || !sv_is(tag, "nolint") || !next_field(&line, &number) ||
        !read_number(number, &mark.line) || !next_field(&line, &column) ||
        !read_number(column, &mark.column) || !next_field(&line, &name))
        return false;
    while (mark.kind < KIND_COUNT && !sv_is(name, words[mark.kind].name))
        mark.kind++;
    if (mark.kind == KIND_COUNT)
        return false;
    if (line.at != NULL && (!next_field(&line, &list) || line.at != NULL))
        return false;
    add_mark(s, file_of(s, file), &mark, list);
    return true;
}

static int compare_marks(const void *left, const void *right)
{
    const struct mark *a = *(const struct mark *const *)left;
    const struct mark *b = *(const struct mark *const *)right;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return (a->column > b->column) - (a->column < b->column);
}

static bool same_list(const struct mark *a, const struct mark *b)
{
    if (a->bare != b->bare || a->items.count != b->items.count)
        return false;
    for (size_t i = 0; i < a->items.count; i++) {
        if (a->items.at[i].negative != b->items.at[i].negative ||
            strcmp(a->items.at[i].pattern, b->items.at[i].pattern) != 0)
            return false;
    }
    return true;
}

static void put_in_order(suppressions *s, struct marked_file *file)
{
    VEC(struct mark *) open = {0};
    if (file->in_order || file->marks.count == 0)
        return;
    qsort(file->marks.at, file->marks.count, sizeof *file->marks.at, compare_marks);
    for (size_t i = 0; i < file->marks.count; i++) {
        struct mark *mark = file->marks.at[i];
        mark->paired = false;
        if (mark->kind == KIND_BEGIN)
            VEC_PUSH(s->mem, &open, mark);
        if (mark->kind != KIND_END || open.count == 0 || !same_list(VEC_LAST(&open), mark))
            continue;
        struct mark *begin = open.at[--open.count];
        begin->paired = mark->paired = true;
        begin->last_line = mark->line;
    }
    file->in_order = true;
}

static bool covers(const struct mark *mark, uint32_t line)
{
    switch (mark->kind) {
    case KIND_LINE:
        return mark->line == line;
    case KIND_NEXT_LINE:
        return mark->line + 1 == line;
    case KIND_BEGIN:
        return mark->paired && mark->line <= line && line <= mark->last_line;
    case KIND_END:
    case KIND_COUNT:
        return false;
    }
    return false;
}

/* Does the mark's list say so? What decides is then used. */
static bool use_mark(struct mark *mark, const char *rule)
{
    struct item *decides = NULL;
    for (size_t i = 0; i < mark->items.count; i++) {
        if (glob_matches(sv_from(mark->items.at[i].pattern), sv_from(rule)))
            decides = &mark->items.at[i];
    }
    if (!mark->bare && (decides == NULL || decides->negative))
        return false;
    if (decides != NULL)
        decides->used = true;
    mark->used = true;
    return true;
}

bool suppress_matches(suppressions *s, const char *file, uint32_t line, const char *rule)
{
    struct marked_file *in = text_map_get(&s->by_path, file);
    bool silenced = false;
    if (in == NULL)
        return false;
    put_in_order(s, in);
    for (size_t i = 0; i < in->marks.count; i++) {
        if (covers(in->marks.at[i], line) && use_mark(in->marks.at[i], rule))
            silenced = true;
    }
    return silenced;
}

size_t suppress_apply(suppressions *s, finding_list *findings)
{
    size_t kept = 0, count = findings->all.count;
    for (size_t i = 0; i < count; i++) {
        struct finding *f = findings->all.at[i];
        if (f->place.file == NULL || !suppress_matches(s, f->place.file, f->place.line, f->rule))
            findings->all.at[kept++] = f;
    }
    findings->all.count = kept;
    return count - kept;
}

/* --- what nothing needs --- */

struct unused_search {
    suppressions *all;
    const struct suppress_checks *checks;
    finding_list *findings;
    const struct marked_file *file;
};

static bool is_own(const struct item *item)
{
    return !item->negative && sv_starts(sv_from(item->pattern), own_prefix);
}

/* Only by its full name, or `awaitc-*` would hide that itself is not needed. */
static bool is_silenced_itself(const struct marked_file *file, uint32_t line)
{
    for (size_t i = 0; i < file->marks.count; i++) {
        const struct mark *mark = file->marks.at[i];
        for (size_t k = 0; covers(mark, line) && k < mark->items.count; k++) {
            if (!mark->items.at[k].negative && strcmp(mark->items.at[k].pattern, unused_rule) == 0)
                return true;
        }
    }
    return false;
}

static void report(const struct unused_search *u, const struct mark *mark, const char *message,
                   const char *leaf)
{
    if (is_silenced_itself(u->file, mark->line))
        return;
    struct diag_place place = {u->file->path, mark->line, mark->column};
    struct finding *f = finding_add(u->findings, unused_rule, DIAG_WARNING, place, message);
    f->end_column = mark->column + (uint32_t)strlen(words[mark->kind].word);
    f->leaf = leaf;
}

/* How many checks does the pattern name, and how many of them ran? */
static size_t count_checks(const struct unused_search *u, const char *pattern, size_t *ran)
{
    const struct suppress_checks *checks = u->checks;
    const bool *here =
        checks->ran_over == NULL ? checks->ran : checks->ran_over(checks->context, u->file->path);
    size_t named = 0;
    *ran = 0;
    for (size_t i = 0; i < checks->count; i++) {
        if (glob_matches(sv_from(pattern), sv_from(checks->known[i]))) {
            named++;
            *ran += here[i];
        }
    }
    return named;
}

static const char *unknown_check(const struct unused_search *u, const char *pattern)
{
    struct nearest_name nearest = nearest_name_start(pattern);
    for (size_t i = 0; i < u->checks->count; i++)
        nearest_name_offer(&nearest, u->checks->known[i], u->checks->known[i]);
    if (nearest.best == NULL)
        return arena_printf(u->all->mem, "'%s' names no check; `awaitc rules` lists them", pattern);
    return arena_printf(u->all->mem, "'%s' names no check; did you mean '%s'?", pattern,
                        nearest.best);
}

static void check_item(const struct unused_search *u, const struct mark *mark,
                       const struct item *item)
{
    size_t ran;
    if (!is_own(item) || item->used || strcmp(item->pattern, unused_rule) == 0)
        return;
    if (count_checks(u, item->pattern, &ran) == 0)
        report(u, mark, unknown_check(u, item->pattern), item->pattern);
    else if (ran > 0)
        report(u, mark,
               arena_printf(u->all->mem, "%s of '%s' silences nothing: remove it",
                            words[mark->kind].word, item->pattern),
               item->pattern);
}

static bool concerns_us(const struct mark *mark)
{
    for (size_t i = 0; i < mark->items.count; i++) {
        if (is_own(&mark->items.at[i]))
            return true;
    }
    return mark->bare;
}

static void check_mark(const struct unused_search *u, const struct mark *mark)
{
    bool is_block = mark->kind == KIND_BEGIN || mark->kind == KIND_END;
    if (is_block && !mark->paired) {
        if (concerns_us(mark))
            report(u, mark,
                   mark->kind == KIND_BEGIN
                       ? "no NOLINTEND with the same list follows, so this silences nothing"
                       : "no NOLINTBEGIN with the same list is open here",
                   words[mark->kind].word);
        return;
    }
    if (mark->kind == KIND_END)
        return;
    if (mark->bare && !mark->used && u->checks->bare)
        report(u, mark,
               arena_printf(u->all->mem, "%s silences nothing: remove it", words[mark->kind].word),
               words[mark->kind].word);
    for (size_t i = 0; i < mark->items.count; i++)
        check_item(u, mark, &mark->items.at[i]);
}

void suppress_report_unused(suppressions *s, const struct suppress_checks *checks,
                            finding_list *findings)
{
    for (size_t i = 0; i < s->files.count; i++) {
        struct unused_search u = {s, checks, findings, s->files.at[i]};
        put_in_order(s, s->files.at[i]);
        for (size_t k = 0; k < u.file->marks.count; k++)
            check_mark(&u, u.file->marks.at[k]);
    }
}
