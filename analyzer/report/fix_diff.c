/* SPDX-License-Identifier: MIT */
/*
 *     before  | context | block: old lines | context | block | ...
 *     after   | context | block: new lines | context | block | ...
 *
 * A block is what one edit touches, widened to whole lines, joined with those on the same lines,
 * without the lines at its ends that stay the same. A hunk is a run of blocks with at most six
 * lines between them. Lines hold their ends, so CR LF and a missing last line end are kept.
 */
#include "analyzer/report/fix_diff.h"

#include "analyzer/base/check.h"

enum { CONTEXT_LINES = 3 };

typedef VEC(size_t) line_table; /* starts of lines, and the end of the text */

/* Lines of both texts, 0-based; the ends are behind the last line. */
struct block {
    size_t old_begin, old_end;
    size_t new_begin, new_end;
};

struct diff {
    arena *mem;
    const struct fixed_file *file;
    line_table old_lines, new_lines;
    VEC(struct block) blocks;
};

static line_table lines_of(arena *mem, strview text)
{
    line_table lines = {0};
    size_t at = 0;
    while (at < text.len) {
        VEC_PUSH(mem, &lines, at);
        const char *newline = memchr(text.at + at, '\n', text.len - at);
        at = newline == NULL ? text.len : (size_t)(newline - text.at) + 1;
    }
    VEC_PUSH(mem, &lines, text.len);
    return lines;
}

static size_t line_count(const line_table *lines)
{
    return lines->count - 1;
}

static strview line_text(strview text, const line_table *lines, size_t i)
{
    return (strview){text.at + lines->at[i], lines->at[i + 1] - lines->at[i]};
}

/* The line with the byte at `offset`; behind a last line end: the number of lines. */
static size_t line_at(const line_table *lines, strview text, size_t offset)
{
    size_t low = 0, high = lines->count;
    if (offset == text.len)
        return text.len > 0 && text.at[text.len - 1] != '\n' ? line_count(lines) - 1
                                                             : line_count(lines);
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (lines->at[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Number of whole lines in the first `len` bytes, which end at the end of a line. */
static size_t lines_before(const line_table *lines, size_t len)
{
    size_t low = 0, high = lines->count - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (lines->at[middle] < len)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool same_line(const struct diff *d, size_t old_line, size_t new_line)
{
    return sv_equal(line_text(d->file->before, &d->old_lines, old_line),
                    line_text(d->file->after, &d->new_lines, new_line));
}

static void add_block(struct diff *d, struct block b)
{
    while (b.old_begin < b.old_end && b.new_begin < b.new_end &&
           same_line(d, b.old_begin, b.new_begin)) {
        b.old_begin++;
        b.new_begin++;
    }
    while (b.old_begin < b.old_end && b.new_begin < b.new_end &&
           same_line(d, b.old_end - 1, b.new_end - 1)) {
        b.old_end--;
        b.new_end--;
    }
    if (b.old_begin < b.old_end || b.new_begin < b.new_end)
        VEC_PUSH(d->mem, &d->blocks, b);
}

/* The line behind the last one that an edit touches. */
static size_t touched_end(const struct diff *d, const struct finding_edit *edit)
{
    size_t line = line_at(&d->old_lines, d->file->before, edit->end) + 1;
    return line < line_count(&d->old_lines) ? line : line_count(&d->old_lines);
}

static void find_blocks(struct diff *d)
{
    const struct fixed_file *f = d->file;
    size_t added = 0, removed = 0; /* bytes, by the edits so far */
    for (size_t i = 0; i < f->edits.count;) {
        struct block b;
        b.old_begin = line_at(&d->old_lines, f->before, f->edits.at[i].begin);
        b.old_end = touched_end(d, &f->edits.at[i]);
        b.new_begin = lines_before(&d->new_lines, d->old_lines.at[b.old_begin] + added - removed);
        do { /* all that touch these lines */
            const struct finding_edit *edit = &f->edits.at[i++];
            size_t end = touched_end(d, edit);
            b.old_end = end > b.old_end ? end : b.old_end;
            added += strlen(edit->text);
            removed += edit->end - edit->begin;
        } while (i < f->edits.count &&
                 line_at(&d->old_lines, f->before, f->edits.at[i].begin) <= b.old_end);
        b.new_end = lines_before(&d->new_lines, d->old_lines.at[b.old_end] + added - removed);
        add_block(d, b);
    }
}

static void print_line(FILE *to, char sign, strview line)
{
    fputc(sign, to);
    fwrite(line.at, 1, line.len, to);
    if (!sv_ends(line, "\n"))
        fputs("\n\\ No newline at end of file\n", to);
}

static void print_context(const struct diff *d, FILE *to, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        print_line(to, ' ', line_text(d->file->before, &d->old_lines, i));
}

static void print_block(const struct diff *d, FILE *to, const struct block *b)
{
    for (size_t i = b->old_begin; i < b->old_end; i++)
        print_line(to, '-', line_text(d->file->before, &d->old_lines, i));
    for (size_t i = b->new_begin; i < b->new_end; i++)
        print_line(to, '+', line_text(d->file->after, &d->new_lines, i));
}

/* A range of no lines is named by the line before it. */
static void print_range(FILE *to, char sign, size_t begin, size_t count)
{
    fprintf(to, "%c%zu,%zu", sign, count == 0 ? begin : begin + 1, count);
}

static void print_hunk(const struct diff *d, FILE *to, size_t first, size_t last)
{
    const struct block *from = &d->blocks.at[first], *until = &d->blocks.at[last];
    size_t above = from->old_begin < CONTEXT_LINES ? from->old_begin : CONTEXT_LINES;
    size_t rest = line_count(&d->old_lines) - until->old_end;
    size_t below = rest < CONTEXT_LINES ? rest : CONTEXT_LINES;
    size_t begin = from->old_begin - above, end = until->old_end + below;
    fputs("@@ ", to);
    print_range(to, '-', begin, end - begin);
    fputc(' ', to);
    print_range(to, '+', from->new_begin - above, until->new_end + below - from->new_begin + above);
    fputs(" @@\n", to);
    for (size_t i = first; i <= last; i++) {
        print_context(d, to, begin, d->blocks.at[i].old_begin);
        print_block(d, to, &d->blocks.at[i]);
        begin = d->blocks.at[i].old_end;
    }
    print_context(d, to, begin, end);
}

static void print_name(FILE *to, const char *sign, const char *prefix, const char *shown)
{
    bool is_relative = shown[0] != '/';
    fprintf(to, "%s %s%s%s\n", sign, is_relative ? prefix : "", shown,
            strchr(shown, ' ') == NULL ? "" : "\t");
}

void fix_diff_print(arena *mem, const struct fixed_file *file, const char *shown, FILE *to)
{
    struct diff d = {.mem = mem, .file = file};
    d.old_lines = lines_of(mem, file->before);
    d.new_lines = lines_of(mem, file->after);
    find_blocks(&d);
    if (d.blocks.count == 0)
        return;
    print_name(to, "---", "a/", shown);
    print_name(to, "+++", "b/", shown);
    for (size_t i = 0, last; i < d.blocks.count; i = last + 1) {
        last = i;
        while (last + 1 < d.blocks.count &&
               d.blocks.at[last + 1].old_begin - d.blocks.at[last].old_end <= 2 * CONTEXT_LINES)
            last++;
        print_hunk(&d, to, i, last);
    }
}
