/* SPDX-License-Identifier: MIT */
/*
 * Where does a byte of the buffer come from? Files and lines follow from the anchors and an index
 * of the line ends, so that a question costs the same anywhere in a file. Columns are found anew:
 * the token is looked for on the source's line, which macros can make impossible.
 */
#include <stddef.h>
#include <string.h>

#include "analyzer/parse/expand_private.h"

/* A longer line is the work of macros: its columns mean nothing, and looking would take long. */
#define LONGEST_WRITTEN_LINE 8192

strview expand_source_word(strview word)
{
    if (sv_starts(word, "__awaitc_") && sv_ends(word, "__"))
        return (strview){word.at + 9, word.len - 11};
    return word;
}

static void note_ends(arena *mem, line_ends *ends, strview text)
{
    ends->count = 0;
    for (uint32_t at = 0; at < text.len; at++) {
        const char *end = memchr(text.at + at, '\n', text.len - at);
        if (end == NULL)
            break;
        at = (uint32_t)(end - text.at);
        VEC_PUSH(mem, ends, at);
    }
}

void expand_index_lines(struct expand_impl *impl, strview buffer)
{
    note_ends(impl->mem, &impl->buffer_ends, buffer);
    note_ends(impl->mem, &impl->text_ends, impl->text);
}

/* How many lines end before this offset. */
static uint32_t ends_before(const line_ends *ends, uint32_t offset)
{
    size_t low = 0, high = ends->count;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (ends->at[mid] < offset)
            low = mid + 1;
        else
            high = mid;
    }
    return (uint32_t)low;
}

/* The text of a line, counted from 1, and where it begins; empty if there is no such line. */
static strview line_of(strview text, const line_ends *ends, uint32_t number, uint32_t *begin)
{
    *begin = (uint32_t)text.len;
    if (number == 0 || number > ends->count + 1)
        return (strview){text.at + text.len, 0};
    *begin = number == 1 ? 0 : ends->at[number - 2] + 1;
    uint32_t at = *begin;
    return cpp_next_line(text, &at);
}

static bool same_word(strview word, strview source)
{
    return sv_equal(word, source) ||
           (sv_starts(source, "aw_") && sv_equal(word, (strview){source.at + 3, source.len - 3}));
}

/* How often the token `word` stands in `line` before `upto`; *column gets the n-th one's. */
static uint32_t occurrences(strview line, strview word, uint32_t upto, uint32_t n, uint32_t *column)
{
    struct raw_lexer x = raw_lexer_on(line, false);
    x.line_start = false;
    uint32_t count = 0;
    for (struct raw_token t = raw_next(&x); t.kind != RAW_END && t.begin < upto; t = raw_next(&x)) {
        strview there = {line.at + t.begin, t.end - t.begin};
        if (!same_word(word, expand_source_word(there)))
            continue;
        if (count++ == n)
            *column = t.begin + 1;
    }
    return count;
}

/* The column of a token in the source: the n-th of its spelling on the line, if as many stand
 * there. 0 where macros make that wrong. */
static uint32_t source_column(const expanded *unit, uint32_t offset, struct diag_place place)
{
    const struct expand_impl *impl = unit->impl;
    uint32_t begin, at;
    uint32_t number = ends_before(&impl->buffer_ends, offset) + 1;
    strview line = line_of(unit->buffer, &impl->buffer_ends, number, &begin);
    if (line.len > LONGEST_WRITTEN_LINE || strcmp(place.file, impl->request.path) != 0)
        return 0;
    strview source = line_of(impl->text, &impl->text_ends, place.line, &at);
    if (at >= impl->text.len)
        return 0;
    struct raw_lexer x = raw_lexer_on(line, false);
    x.line_start = false;
    struct raw_token t = raw_next(&x);
    while (t.kind != RAW_END && t.end <= offset - begin)
        t = raw_next(&x);
    if (t.kind == RAW_END)
        return 0;
    strview word = expand_source_word((strview){line.at + t.begin, t.end - t.begin});
    uint32_t column = 0, unused = 0;
    uint32_t n = occurrences(line, word, t.begin, UINT32_MAX, &unused);
    uint32_t all = occurrences(line, word, UINT32_MAX, UINT32_MAX, &unused);
    uint32_t written = occurrences(source, word, UINT32_MAX, n, &column);
    if (written == 1 && all > 1)
        occurrences(source, word, UINT32_MAX, 0, &column); /* a macro repeats its argument */
    return written == all || written == 1 ? column : 0;
}

struct diag_place expand_line(const expanded *unit, uint32_t buffer_offset)
{
    const struct expand_impl *impl = unit->impl;
    uint32_t offset = buffer_offset < unit->buffer.len ? buffer_offset : (uint32_t)unit->buffer.len;
    size_t low =
        vec_find_last(impl->anchors.at, sizeof *impl->anchors.at,
                      offsetof(struct line_anchor, offset), 0, impl->anchors.count, offset);
    const struct line_anchor *a = &impl->anchors.at[low];
    uint32_t behind =
        ends_before(&impl->buffer_ends, offset) - ends_before(&impl->buffer_ends, a->offset);
    return (struct diag_place){.file = a->file, .line = a->line + behind};
}

struct diag_place expand_place(const expanded *unit, uint32_t buffer_offset)
{
    struct diag_place place = expand_line(unit, buffer_offset);
    uint32_t offset = buffer_offset < unit->buffer.len ? buffer_offset : (uint32_t)unit->buffer.len;
    if (unit->buffer.len > 0)
        place.column = source_column(unit, offset, place);
    return place;
}

bool expand_covers(const expanded *unit, strview file, uint32_t line)
{
    const struct expand_impl *impl = unit->impl;
    for (size_t k = 0; k < impl->fences.count; k++) {
        const struct fence *f = &impl->fences.at[k];
        if (sv_is(file, f->begin_at.file) && line >= f->begin_at.line && line <= f->end_at.line)
            return true;
    }
    return false;
}
