/* SPDX-License-Identifier: MIT */
/*
 * Does an await stand where there is no function? Behind the regions nothing is left of the
 * keyword: the compiler would see an unknown name, and say so in words that help nobody. So the
 * text between the functions is searched here, in the preprocessor's output, where macros hide
 * nothing.
 *
 *     int n = await f(1);           an operator: a word follows
 *     int v[1 + await (f)(1)];      an operator: a parenthesis follows, a punctuator is in front
 *     struct s { int await; };      somebody's own name, which the header's macro renames
 * everywhere
 */
#include <string.h>

#include "analyzer/parse/expand_private.h"

enum stray { STRAY_NONE, STRAY_AWAIT, STRAY_FORM };

/* The tokens around a marker. */
struct around {
    struct raw_token before, at, after;
    bool has_before;
};

/* A marker with the text around it: a macro of a system header stands on lines of its own in the
 * output, between line markers. */
struct context {
    strview text;
    uint32_t offset; /* of the marker */
};

static bool is_blank(strview line)
{
    for (size_t i = 0; i < line.len; i++) {
        if (strchr(" \t\r", line.at[i]) == NULL)
            return false;
    }
    return true;
}

/* The text of a line; nothing of one that is a directive or line marker. */
static void add_line(strbuf *out, strview line)
{
    if (cpp_line_kind(line) == CPP_TEXT)
        strbuf_sv(out, line);
    strbuf_char(out, ' ');
}

static bool says_something(strview line)
{
    return cpp_line_kind(line) == CPP_TEXT && !is_blank(line);
}

static uint32_t line_begin(strview text, uint32_t at)
{
    while (at > 0 && text.at[at - 1] != '\n')
        at--;
    return at;
}

static struct context context_of(arena *mem, strview text, uint32_t offset)
{
    strbuf out = strbuf_in(mem);
    uint32_t own = line_begin(text, offset);
    uint32_t first = own;
    for (bool is_found = false; first > 0 && !is_found;) {
        first = line_begin(text, first - 1);
        uint32_t at = first;
        is_found = says_something(cpp_next_line(text, &at));
    }
    uint32_t at = first;
    while (at < own)
        add_line(&out, cpp_next_line(text, &at));
    struct context c = {.offset = (uint32_t)out.len + offset - own};
    add_line(&out, cpp_next_line(text, &at));
    for (bool is_found = false; at < text.len && !is_found;) {
        strview line = cpp_next_line(text, &at);
        is_found = says_something(line);
        add_line(&out, line);
    }
    c.text = strbuf_view(&out);
    return c;
}

static bool find_token(const struct context *c, struct around *found)
{
    struct raw_lexer x = raw_lexer_on(c->text, false);
    x.line_start = false;
    *found = (struct around){.has_before = false};
    for (struct raw_token t = raw_next(&x); t.kind != RAW_END; t = raw_next(&x)) {
        if (t.begin == c->offset && t.kind == RAW_WORD) {
            found->at = t;
            found->after = raw_next(&x);
            return true;
        }
        if (t.begin > c->offset)
            return false;
        found->before = t;
        found->has_before = true;
    }
    return false;
}

static bool is_punct(const struct raw_token *t, const char *which)
{
    return t->kind == RAW_PUNCT && strchr(which, t->punct) != NULL;
}

/* Is the marker there a use of the keyword, and not a name that only looks like it? */
static enum stray judge_marker(arena *mem, strview text, uint32_t offset)
{
    struct around near;
    struct context c = context_of(mem, text, offset);
    if (!find_token(&c, &near))
        return STRAY_NONE;
    strview word = {c.text.at + near.at.begin, near.at.end - near.at.begin};
    bool is_value = near.has_before && is_punct(&near.before, "=([?:+-!~{&|<>");
    if (sv_is(word, "__awaitc_await__")) {
        bool is_operator = near.after.kind == RAW_WORD || (is_value && is_punct(&near.after, "("));
        return is_operator ? STRAY_AWAIT : STRAY_NONE;
    }
    if (sv_is(word, "__awaitc_async__") || !sv_ends(word, "__"))
        return STRAY_NONE;
    bool is_call = near.has_before && is_punct(&near.before, "=") && is_punct(&near.after, "(");
    return is_call ? STRAY_FORM : STRAY_NONE;
}

/* The column of the keyword, if its line of the source has it once. */
static uint32_t column_of(const struct expand_impl *impl, struct diag_place place, strview keyword)
{
    uint32_t at = 0;
    if (strcmp(place.file, impl->request.path) != 0)
        return 0;
    for (uint32_t i = 1; i < place.line && at < impl->request.source.len; i++)
        cpp_next_line(impl->request.source, &at);
    if (at >= impl->request.source.len)
        return 0;
    strview line = cpp_next_line(impl->request.source, &at);
    struct raw_lexer x = raw_lexer_on(line, false);
    uint32_t column = 0, count = 0;
    for (struct raw_token t = raw_next(&x); t.kind != RAW_END; t = raw_next(&x)) {
        strview word = {line.at + t.begin, t.end - t.begin};
        if (sv_starts(word, "aw_"))
            word = (strview){word.at + 3, word.len - 3};
        if (t.kind == RAW_WORD && sv_equal(word, keyword)) {
            column = t.begin + 1;
            count++;
        }
    }
    return count == 1 ? column : 0;
}

static void report(const struct expand_impl *impl, diag_sink *sink, enum stray stray,
                   struct diag_place place, strview marker)
{
    strview keyword = {marker.at + 9, marker.len - 11}; /* without __awaitc_ and __ */
    place.column = column_of(impl, place, keyword);
    if (stray == STRAY_AWAIT)
        diag_report(sink, DIAG_ASYNC_FROM_SYNC, place,
                    "await stands at file scope, where nothing can suspend; await in an async "
                    "function, and assign there");
    else
        diag_report(sink, DIAG_ASYNC_FROM_SYNC, place,
                    "`%.*s` stands at file scope, where nothing runs; use it in a function",
                    SV_ARG(keyword));
}

static strview marker_at(strview text, uint32_t offset)
{
    uint32_t end = offset;
    while (end < text.len && raw_is_word((unsigned char)text.at[end]))
        end++;
    return (strview){text.at + offset, end - offset};
}

/* Searches text of the preprocessor's output that belongs to no function to lower. */
static void search_output(const struct expand_impl *impl, diag_sink *sink, uint32_t begin,
                          uint32_t end)
{
    const struct cpp_output *cpp = impl->cpp;
    for (uint32_t at = begin; at < end;) {
        const char *hit = memmem(cpp->text.at + at, end - at, "__awaitc_", 9);
        if (hit == NULL)
            return;
        at = (uint32_t)(hit - cpp->text.at);
        uint32_t mark = cpp_output_mark(cpp, at);
        uint32_t begin_of_line = line_begin(cpp->text, at);
        strview line = cpp_next_line(cpp->text, &begin_of_line);
        strview marker = marker_at(cpp->text, at);
        bool is_source = mark != CPP_NO_MARK && cpp->marks.at[mark].includer == CPP_NO_MARK;
        if (is_source && cpp_line_kind(line) == CPP_TEXT) {
            enum stray stray = judge_marker(impl->mem, cpp->text, at);
            if (stray != STRAY_NONE)
                report(impl, sink, stray, cpp_output_place(cpp, at), marker);
        }
        at += (uint32_t)marker.len;
    }
}

/* Searches what stands between the functions of a fence. */
static void search_fence(const struct expand_impl *impl, diag_sink *sink, const struct fence *f)
{
    strview text = f->clean.text;
    uint32_t next = 0; /* function */
    for (uint32_t at = 0; at < text.len;) {
        const char *hit = memmem(text.at + at, text.len - at, "__awaitc_", 9);
        if (hit == NULL)
            return;
        at = (uint32_t)(hit - text.at);
        while (next < f->functions.count && f->functions.at[next].end <= at)
            next++;
        if (next < f->functions.count && f->functions.at[next].begin <= at) {
            at = f->functions.at[next].end;
            continue;
        }
        strview marker = marker_at(text, at);
        enum stray stray = judge_marker(impl->mem, text, at);
        if (stray != STRAY_NONE)
            report(impl, sink, stray, expand_anchor_place(&f->clean.anchors, text.at, at), marker);
        at += (uint32_t)marker.len;
    }
}

void expand_find_strays(const struct expand_impl *impl, diag_sink *sink)
{
    uint32_t outside = 0;
    for (size_t k = 0; k < impl->fences.count; k++) {
        const struct cpp_fence *c = &impl->cpp->fences[k];
        if (!impl->fences.at[k].kept)
            continue;
        search_output(impl, sink, outside, c->begin_line);
        search_fence(impl, sink, &impl->fences.at[k]);
        outside = c->after;
    }
    search_output(impl, sink, outside, (uint32_t)impl->cpp->text.len);
}
