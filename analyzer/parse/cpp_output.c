/* SPDX-License-Identifier: MIT */
/*
 * How is preprocessed text read? Line by line: all that matters starts a line. Identical file
 * names are stored once, so that "same file" is a comparison of pointers.
 */
#include "analyzer/parse/cpp_output.h"

#include <stddef.h>
#include <string.h>

#include "analyzer/base/strbuf.h"

strview cpp_next_line(strview text, uint32_t *at)
{
    const char *begin = text.at + *at;
    const char *end = memchr(begin, '\n', text.len - *at);
    size_t len = end != NULL ? (size_t)(end - begin) : text.len - *at;
    *at += (uint32_t)len + (end != NULL ? 1 : 0);
    if (len > 0 && begin[len - 1] == '\r')
        len--;
    return (strview){begin, len};
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

enum cpp_line cpp_line_kind(strview line)
{
    if (line.len < 2 || line.at[0] != '#')
        return CPP_TEXT;
    if (sv_starts(line, "#define "))
        return CPP_DEFINE;
    if (sv_starts(line, "#undef "))
        return CPP_UNDEF;
    if (sv_starts(line, "#pragma awaitc begin ") || sv_starts(line, "#pragma awaitc end "))
        return CPP_FENCE;
    if (sv_starts(line, "#pragma"))
        return CPP_PRAGMA;
    if ((line.at[1] == ' ' && line.len > 2 && is_digit(line.at[2])) || sv_starts(line, "#line "))
        return CPP_MARKER;
    return CPP_DIRECTIVE;
}

static uint32_t read_number(strview line, size_t *at)
{
    uint32_t n = 0;
    while (*at < line.len && is_digit(line.at[*at]))
        n = n * 10 + (uint32_t)(line.at[(*at)++] - '0');
    return n;
}

/* A quoted file name whose opening quote is at *at; a part of the line if nothing is escaped. */
static strview read_name(arena *mem, strview line, size_t *at)
{
    const char *begin = line.at + *at + 1;
    const char *end = memchr(begin, '"', line.len - *at - 1);
    size_t len = end == NULL ? 0 : (size_t)(end - begin);
    if (end != NULL && memchr(begin, '\\', len) == NULL) {
        *at += len + 2;
        return (strview){begin, len};
    }
    strbuf name = strbuf_in(mem);
    for ((*at)++; *at < line.len && line.at[*at] != '"'; (*at)++) {
        char c = line.at[*at];
        if (c != '\\' || *at + 1 >= line.len) {
            strbuf_char(&name, c);
            continue;
        }
        c = line.at[++*at];
        if (c < '0' || c > '7') {
            strbuf_char(&name, c);
            continue;
        }
        unsigned value = 0;
        for (int i = 0; i < 3 && *at < line.len && line.at[*at] >= '0' && line.at[*at] <= '7'; i++)
            value = value * 8 + (unsigned)(line.at[(*at)++] - '0');
        (*at)--;
        strbuf_char(&name, (char)value);
    }
    (*at)++;
    return strbuf_view(&name);
}

/* file->at is NULL if none is named. */
static bool read_marker(arena *mem, strview line, uint32_t *number, strview *file, bool *enters,
                        bool *leaves)
{
    size_t at = sv_starts(line, "#line ") ? 6 : 2;
    *file = (strview){NULL, 0};
    *enters = *leaves = false;
    if (at >= line.len || !is_digit(line.at[at]))
        return false;
    *number = read_number(line, &at);
    while (at < line.len && line.at[at] == ' ')
        at++;
    if (at < line.len && line.at[at] == '"')
        *file = read_name(mem, line, &at);
    for (; at < line.len; at++) {
        *enters |= line.at[at] == '1';
        *leaves |= line.at[at] == '2';
    }
    return true;
}

bool cpp_read_marker(arena *mem, strview line, uint32_t *number, const char **file, bool *enters,
                     bool *leaves)
{
    strview name;
    bool is_marker = read_marker(mem, line, number, &name, enters, leaves);
    *file = name.at == NULL ? NULL : arena_strndup(mem, name.at, name.len);
    return is_marker;
}

/* The one pointer for this name. */
static const char *unique_name(struct cpp_output *out, strview file)
{
    uint32_t before = out->files.count;
    struct word_entry *e = word_set_add(&out->files, file);
    if (out->files.count != before)
        e->word.at = arena_strndup(out->mem, file.at, file.len);
    return e->word.at;
}

static void add_mark(struct cpp_output *out, strview line, uint32_t offset, struct cpp_mark *now)
{
    uint32_t number;
    strview file;
    bool enters, leaves;
    if (!read_marker(out->mem, line, &number, &file, &enters, &leaves))
        return;
    struct cpp_mark mark = *now;
    mark.offset = offset;
    mark.line = number;
    if (file.at != NULL)
        mark.file = unique_name(out, file);
    if (enters && out->marks.count > 0) {
        mark.includer = (uint32_t)out->marks.count - 1;
    } else if (leaves && now->includer != CPP_NO_MARK) {
        mark.includer = out->marks.at[now->includer].includer;
    }
    VEC_PUSH(out->mem, &out->marks, mark);
    *now = mark;
}

static void add_macro(struct cpp_output *out, strview line, uint32_t offset,
                      const struct cpp_mark *now)
{
    size_t begin = strlen("#define "), end = begin;
    while (end < line.len && line.at[end] != ' ' && line.at[end] != '(')
        end++;
    strview name = {line.at + begin, end - begin};
    uint32_t before = out->macro_index.count;
    struct word_entry *entry = word_set_add(&out->macro_index, name);
    struct cpp_macro macro = {
        .name = name, .text = {line.at + end, line.len - end}, .file = now->file, .offset = offset};
    if (out->macro_index.count == before) {
        macro.offset = out->macros.at[entry->value].offset;
        out->macros.at[entry->value] = macro;
        return;
    }
    entry->value = (uint32_t)out->macros.count;
    VEC_PUSH(out->mem, &out->macros, macro);
}

static void add_fence(struct cpp_output *out, strview line, uint32_t begin, uint32_t next,
                      const struct cpp_mark *now)
{
    bool starts = sv_starts(line, "#pragma awaitc begin ");
    size_t at = strlen(starts ? "#pragma awaitc begin " : "#pragma awaitc end ");
    uint32_t k = read_number(line, &at);
    if (k >= out->fence_count)
        return;
    struct cpp_fence *fence = &out->fences[k];
    struct diag_place place = {.file = now->file, .line = now->line};
    if (starts && !fence->begun) {
        fence->begun = true;
        fence->begin_line = begin;
        fence->begin = next;
        fence->begin_at = place;
        fence->begin_mark = (uint32_t)out->marks.count - 1;
    } else if (!starts && fence->begun && !fence->ended) {
        fence->ended = true;
        fence->end = begin;
        fence->after = next;
        fence->end_at = place;
    }
}

static void add_directive(struct cpp_output *out, uint32_t begin, uint32_t end)
{
    if (out->directives.count != 0 && VEC_LAST(&out->directives).end == begin)
        VEC_LAST(&out->directives).end = end;
    else
        VEC_PUSH(out->mem, &out->directives, (struct cpp_run){begin, end});
}

struct cpp_output *cpp_output_read(arena *mem, strview text, uint32_t fence_count)
{
    struct cpp_output *out = ARENA_NEW(mem, struct cpp_output);
    out->mem = mem;
    out->text = text;
    out->macro_index = word_set_in(mem);
    out->files = word_set_in(mem);
    out->fence_count = fence_count;
    out->fences = ARENA_ARRAY(mem, struct cpp_fence, fence_count + 1);
    struct cpp_mark now = {.file = "", .line = 1, .includer = CPP_NO_MARK};
    VEC_PUSH(mem, &out->marks, now);
    for (uint32_t at = 0; at < text.len;) {
        uint32_t begin = at;
        strview line = cpp_next_line(text, &at);
        enum cpp_line kind = cpp_line_kind(line);
        if (kind != CPP_TEXT && kind != CPP_PRAGMA)
            add_directive(out, begin, at);
        switch (kind) {
        case CPP_MARKER:
            add_mark(out, line, at, &now);
            continue;
        case CPP_DEFINE:
            add_macro(out, line, begin, &now);
            break;
        case CPP_FENCE:
            add_fence(out, line, begin, at, &now);
            break;
        case CPP_TEXT:
        case CPP_UNDEF:
        case CPP_PRAGMA:
        case CPP_DIRECTIVE:
            break;
        }
        now.line++;
    }
    return out;
}

uint32_t cpp_output_mark(const struct cpp_output *out, uint32_t offset)
{
    size_t low = vec_find_last(out->marks.at, sizeof *out->marks.at,
                               offsetof(struct cpp_mark, offset), 0, out->marks.count, offset);
    return (uint32_t)low;
}

struct diag_place cpp_output_place(const struct cpp_output *out, uint32_t offset)
{
    const struct cpp_mark *mark = &out->marks.at[cpp_output_mark(out, offset)];
    struct diag_place place = {.file = mark->file, .line = mark->line};
    for (uint32_t p = mark->offset; p < offset; p++)
        place.line += out->text.at[p] == '\n';
    return place;
}

const struct cpp_macro *cpp_output_macro(const struct cpp_output *out, strview name,
                                         uint32_t offset)
{
    const struct word_entry *entry = word_set_find(&out->macro_index, name);
    if (entry == NULL || out->macros.at[entry->value].offset >= offset)
        return NULL;
    return &out->macros.at[entry->value];
}
