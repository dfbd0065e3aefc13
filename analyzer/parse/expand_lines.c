/* SPDX-License-Identifier: MIT */
/*
 * How does preprocessor output become text that a person can read, with a place for every line?
 * The output is laid out again so that its lines follow the original's: line markers vanish, what
 * belongs to one original line is joined into one line, blank lines come back, and the comments of
 * the original are put where they stood. Where lines do not follow each other (an #include in a
 * body, #line), an anchor says where they come from.
 */
#include <stddef.h>
#include <string.h>

#include "analyzer/parse/expand_private.h"

void expand_line_directive(strbuf *out, struct diag_place place)
{
    strbuf_fmt(out, "#line %u \"", place.line > 0 ? place.line : 1);
    for (const char *p = place.file; *p != '\0'; p++) {
        if (*p == '"' || *p == '\\')
            strbuf_char(out, '\\');
        strbuf_char(out, *p);
    }
    strbuf_str(out, "\"\n");
}

struct diag_place expand_anchor_place(const line_anchors *anchors, const char *text,
                                      uint32_t offset)
{
    size_t low = vec_find_last(anchors->at, sizeof *anchors->at,
                               offsetof(struct line_anchor, offset), 0, anchors->count, offset);
    const struct line_anchor *a = &anchors->at[low];
    struct diag_place place = {.file = a->file, .line = a->line};
    for (uint32_t p = a->offset; p < offset; p++)
        place.line += text[p] == '\n';
    return place;
}

void expand_note_lines(arena *mem, line_anchors *anchors, strview text, uint32_t base,
                       const char *file)
{
    if (memmem(text.at, text.len, "#", 1) == NULL)
        return;
    struct raw_lexer x = raw_lexer_on(text, false);
    for (struct raw_token t = raw_next(&x); t.kind != RAW_END; t = raw_next(&x)) {
        if (t.kind != RAW_DIRECTIVE)
            continue;
        struct raw_lexer line = raw_directive(&x, &t);
        struct raw_token word = raw_next(&line);
        if (word.kind == RAW_WORD && word.end - word.begin == 4 &&
            memcmp(text.at + word.begin, "line", 4) == 0)
            word = raw_next(&line);
        if (word.kind != RAW_NUMBER)
            continue;
        struct line_anchor a = {.offset = base + t.end + 1, .file = file, .line = 0};
        for (uint32_t p = word.begin; p < word.end && text.at[p] >= '0' && text.at[p] <= '9'; p++)
            a.line = a.line * 10 + (uint32_t)(text.at[p] - '0');
        struct raw_token name = raw_next(&line);
        if (name.kind == RAW_STRING && name.end - name.begin >= 2)
            a.file = arena_strndup(mem, text.at + name.begin + 1, name.end - name.begin - 2);
        file = a.file;
        VEC_PUSH(mem, anchors, a);
    }
}

/* ---- cleaning ----------------------------------------------------------------------------- */

struct cleaner {
    arena *mem;
    strbuf out, restated;
    line_anchors anchors;
    const char *file; /* where the next line of the input comes from */
    uint32_t line;
    const char *out_file; /* where the next line of the output would be taken to come from */
    uint32_t out_line;
    bool last_is_text; /* the last line of the output can be continued */
};

/* Gets the output to a place where the current input line may be written; true if it is to be
 * joined to the line before. */
static bool sync_line(struct cleaner *c)
{
    bool same_file = c->file == c->out_file;
    if (same_file && c->line + 1 == c->out_line && c->last_is_text) {
        c->out.at[--c->out.len] = '\0';
        c->out_line--;
        return true;
    }
    if (same_file && c->line >= c->out_line && c->line - c->out_line < 1000) {
        for (; c->out_line < c->line; c->out_line++)
            strbuf_char(&c->out, '\n');
        return false;
    }
    VEC_PUSH(c->mem, &c->anchors, (struct line_anchor){(uint32_t)c->out.len, c->file, c->line});
    c->out_file = c->file;
    c->out_line = c->line;
    return false;
}

static bool is_space_only(strview line)
{
    for (size_t i = 0; i < line.len; i++) {
        if (line.at[i] != ' ' && line.at[i] != '\t' && line.at[i] != '\f' && line.at[i] != '\v')
            return false;
    }
    return true;
}

static void add_line(struct cleaner *c, strview line, bool text)
{
    bool joined;
    if (!text)
        c->last_is_text = false;
    joined = sync_line(c);
    if (joined) {
        while (line.len > 0 && (line.at[0] == ' ' || line.at[0] == '\t'))
            line = (strview){line.at + 1, line.len - 1};
        while (c->out.len > 0 && c->out.at[c->out.len - 1] == ' ')
            c->out.at[--c->out.len] = '\0';
        char before = c->out.len > 0 ? c->out.at[c->out.len - 1] : '\n';
        if (line.len > 0 && strchr(";,)", line.at[0]) == NULL && strchr("(\n", before) == NULL)
            strbuf_char(&c->out, ' ');
    }
    while (line.len > 0 && line.at[line.len - 1] == ' ')
        line.len--;
    strbuf_sv(&c->out, line);
    strbuf_char(&c->out, '\n');
    c->out_line = c->line + 1;
    c->last_is_text = text;
}

static void clean_line(struct cleaner *c, const struct cpp_output *cpp, strview line)
{
    uint32_t number;
    const char *file;
    bool enters, leaves;
    switch (cpp_line_kind(line)) {
    case CPP_MARKER:
        if (cpp_read_marker(c->mem, line, &number, &file, &enters, &leaves)) {
            c->line = number;
            if (file != NULL)
                c->file = word_set_find(&cpp->files, sv_from(file))->word.at;
        }
        return;
    case CPP_DEFINE:
    case CPP_UNDEF:
        strbuf_sv(&c->restated, line);
        strbuf_char(&c->restated, '\n');
        break;
    case CPP_PRAGMA:
    case CPP_DIRECTIVE:
    case CPP_FENCE:
        add_line(c, line, false);
        break;
    case CPP_TEXT:
        if (!is_space_only(line))
            add_line(c, line, true);
        break;
    }
    c->line++;
}

struct clean_text expand_clean(arena *mem, const struct cpp_output *cpp,
                               const struct cpp_fence *fence)
{
    struct cleaner c = {.mem = mem, .out = strbuf_in(mem), .restated = strbuf_in(mem)};
    c.file = c.out_file = fence->begin_at.file;
    c.line = c.out_line = fence->begin_at.line;
    VEC_PUSH(mem, &c.anchors, (struct line_anchor){0, c.file, c.line});
    strview text = {cpp->text.at, fence->end};
    for (uint32_t at = fence->begin; at < fence->end;) {
        strview line = cpp_next_line(text, &at);
        while (c.out.len == 0 && line.len > 0 && line.at[0] == ' ')
            line = (strview){line.at + 1, line.len - 1}; /* the width of the fence */
        clean_line(&c, cpp, line);
    }
    struct clean_text clean = {
        .text = strbuf_view(&c.out), .anchors = c.anchors, .restated = strbuf_view(&c.restated)};
    return clean;
}

/* ---- comments ----------------------------------------------------------------------------- */

#define NO_LINE UINT32_MAX

/* Where each line of the clean text lies, by its original line. */
struct line_index {
    uint32_t first, count;
    uint32_t *offset; /* NO_LINE: the line is not there, or twice */
};

struct insertion {
    uint32_t offset;
    uint32_t remove; /* bytes (blank lines) that it replaces */
    strview indent, text;
    bool behind; /* at the end of a line with tokens */
};

static struct line_index index_lines(arena *mem, const struct fence *fence)
{
    const char *file = fence->begin_at.file;
    struct line_index index = {.first = fence->begin_at.line};
    if (fence->end_at.line < index.first)
        return index;
    index.count = fence->end_at.line - index.first + 1;
    index.offset = ARENA_ARRAY(mem, uint32_t, index.count);
    memset(index.offset, 0xff, index.count * sizeof *index.offset);
    strview text = fence->clean.text;
    size_t next_anchor = 0;
    const char *now_file = file;
    uint32_t line = index.first;
    for (uint32_t at = 0; at < text.len;) {
        while (next_anchor < fence->clean.anchors.count &&
               fence->clean.anchors.at[next_anchor].offset <= at) {
            now_file = fence->clean.anchors.at[next_anchor].file;
            line = fence->clean.anchors.at[next_anchor++].line;
        }
        if (now_file == file && line >= index.first && line - index.first < index.count)
            index.offset[line - index.first] =
                index.offset[line - index.first] == NO_LINE ? at : NO_LINE - 1;
        cpp_next_line(text, &at);
        line++;
    }
    for (uint32_t i = 0; i < index.count; i++) {
        if (index.offset[i] == NO_LINE - 1)
            index.offset[i] = NO_LINE;
    }
    return index;
}

static strview line_at(strview text, uint32_t offset)
{
    return cpp_next_line(text, &offset);
}

/* Decides where a comment goes that starts `line` lines into the fence; false if it has no place.
 */
static bool place_comment(strview original, const struct fence *fence,
                          const struct line_index *index, struct raw_range comment, uint32_t line,
                          struct insertion *out)
{
    strview clean = fence->clean.text;
    uint32_t begin = comment.begin, lines = 0;
    while (begin > fence->begin && strchr(" \t", original.at[begin - 1]) != NULL)
        begin--;
    for (uint32_t p = comment.begin; p < comment.end; p++)
        lines += original.at[p] == '\n';
    bool starts = begin == fence->begin || original.at[begin - 1] == '\n';
    strview rest = line_at(original, comment.end);
    bool ends = is_space_only(rest);
    if (line + lines >= index->count || (!starts && !ends))
        return false;
    for (uint32_t i = line + (starts && ends ? 0 : 1); i <= line + lines; i++) {
        uint32_t at = index->offset[i];
        bool follows = i == line ||
                       (index->offset[i - 1] != NO_LINE &&
                        at == index->offset[i - 1] + line_at(clean, index->offset[i - 1]).len + 1);
        if (at == NO_LINE || !follows || !is_space_only(line_at(clean, at)))
            return false;
    }
    uint32_t at = index->offset[line];
    if (at == NO_LINE)
        return false;
    strview there = line_at(clean, at);
    bool blank = is_space_only(there);
    if (!(starts && ends) && (blank || there.at[0] == '#'))
        return false;
    *out = (struct insertion){.offset = at,
                              .text = {original.at + comment.begin, comment.end - comment.begin}};
    if (starts)
        out->indent = (strview){original.at + begin, comment.begin - begin};
    if (starts && ends)
        out->remove = (uint32_t)(index->offset[line + lines] - at +
                                 line_at(clean, index->offset[line + lines]).len);
    out->behind = !starts;
    if (starts && !ends) {
        while (out->remove < there.len && strchr(" \t", there.at[out->remove]) != NULL)
            out->remove++; /* the expansion's own indentation */
    }
    if (!starts) {
        uint32_t last = index->offset[line + lines];
        while (there.len > 0 && strchr(" \t", there.at[there.len - 1]) != NULL)
            there.len--;
        out->offset = at + (uint32_t)there.len;
        out->remove = last + (uint32_t)line_at(clean, last).len - out->offset;
    }
    return lines == 0 || ends;
}

static void add_without_cr(strbuf *out, strview text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] != '\r')
            strbuf_char(out, text.at[i]);
    }
}

/* A line may have several comments; only the first insertion at a place is taken. */
static void apply_insertions(arena *mem, struct fence *fence, const struct insertion *list,
                             size_t count)
{
    strview text = fence->clean.text;
    strbuf out = strbuf_in(mem);
    uint32_t copied = 0;
    size_t anchor = 0;
    line_anchors *anchors = &fence->clean.anchors;
    for (size_t i = 0; i <= count; i++) {
        uint32_t upto = i < count ? list[i].offset : (uint32_t)text.len;
        if (upto < copied)
            continue;
        long moved = (long)out.len - (long)copied;
        for (; anchor < anchors->count && anchors->at[anchor].offset <= upto; anchor++)
            anchors->at[anchor].offset = (uint32_t)(anchors->at[anchor].offset + moved);
        strbuf_add(&out, text.at + copied, upto - copied);
        copied = upto;
        if (i == count)
            break;
        if (list[i].behind)
            strbuf_char(&out, ' ');
        strbuf_sv(&out, list[i].indent);
        add_without_cr(&out, list[i].text);
        copied += list[i].remove;
        if (!list[i].behind && !is_space_only(line_at(text, copied)))
            strbuf_char(&out, ' ');
    }
    fence->clean.text = strbuf_view(&out);
}

void expand_restore_comments(arena *mem, strview original, struct fence *fence, bool trigraphs)
{
    raw_ranges comments = {0};
    struct raw_lexer x = raw_lexer_on((strview){original.at, fence->end}, trigraphs);
    x.at = fence->begin;
    x.line_start = false;
    x.mem = mem;
    x.comments = &comments;
    for (struct raw_token t = raw_next(&x); t.kind != RAW_END; t = raw_next(&x)) {
        struct raw_lexer line = raw_directive(&x, &t);
        if (t.kind != RAW_DIRECTIVE)
            continue;
        struct raw_token word = raw_next(&line);
        if (word.kind == RAW_NUMBER || (word.kind == RAW_WORD && word.end - word.begin == 4 &&
                                        memcmp(original.at + word.begin, "line", 4) == 0))
            return; /* lines no longer follow each other */
    }
    if (comments.count == 0)
        return;
    struct line_index index = index_lines(mem, fence);
    VEC(struct insertion) list = {0};
    uint32_t line_no = 0, counted = fence->begin;
    for (size_t i = 0; i < comments.count; i++) {
        struct insertion one;
        for (; counted < comments.at[i].begin; counted++)
            line_no += original.at[counted] == '\n';
        if (place_comment(original, fence, &index, comments.at[i], line_no, &one) &&
            (list.count == 0 || one.offset > VEC_LAST(&list).offset))
            VEC_PUSH(mem, &list, one);
    }
    apply_insertions(mem, fence, list.at, list.count);
}
