/* SPDX-License-Identifier: MIT */
/*
 * How is "nothing async here" told in less than a millisecond? First the #include lines are
 * followed, by memchr for '#': as long as none names awaitc's header, no text needs to be looked
 * at. Only then are texts searched for the words (memmem), and only those with a hit are lexed.
 *
 * A computed #include is followed through every definition of its macro that was seen; if there is
 * none, anything may be included.
 */
#include "analyzer/parse/prescan.h"

#include <string.h>

#include "analyzer/base/check.h"
#include "analyzer/parse/raw_lex.h"
#include "analyzer/parse/regions.h"

struct walk {
    include_search *search;
    struct prescan *out;
    arena *mem;
    word_set visited;
    word_set named; /* macros whose text is a header's name; value: index into `names` */
    VEC(struct include_line) names;
    VEC(strview) computed;
    VEC(const char *) todo;
    VEC(strview) own_headers; /* "awaitc/x.h", as they were named */
    const char *source_path;
};

static void visit(struct walk *w, const char *path)
{
    uint32_t before = w->visited.count;
    word_set_add(&w->visited, sv_from(path));
    if (w->visited.count != before) {
        VEC_PUSH(w->mem, &w->todo, path);
        VEC_PUSH(w->mem, &w->out->headers, path);
    }
}

/* Headers that only the compiler itself has; they include nothing of ours. */
static bool is_compiler_header(strview name)
{
    static const char *const names[] = {"stddef.h", "stdarg.h",      "stdbool.h",  "float.h",
                                        "limits.h", "stdatomic.h",   "iso646.h",   "stdalign.h",
                                        "stdint.h", "stdnoreturn.h", "cpuid.h",    "mm_malloc.h",
                                        "unwind.h", "omp.h",         "quadmath.h", "arm_neon.h",
                                        "tgmath.h", "stdckdint.h",   "syslimits.h"};
    for (size_t i = 0; i < COUNTOF(names); i++) {
        if (sv_is(name, names[i]))
            return true;
    }
    return sv_ends(name, "intrin.h");
}

static void note_clash(struct walk *w, strview name, const char *from, const char *found)
{
    strview dir = include_dir_of(from), own = include_dir_of(w->source_path);
    if (found != NULL && strncmp(found, dir.at, dir.len) == 0 &&
        strlen(found) == dir.len + name.len)
        return;
    const char *beside = arena_printf(w->mem, "%.*s%.*s", SV_ARG(own), SV_ARG(name));
    w->out->quotes_clash |= include_text(w->search, beside).at != NULL &&
                            (found == NULL || strcmp(include_plain_path(w->mem, found),
                                                     include_plain_path(w->mem, beside)) != 0);
}

static void follow(struct walk *w, const struct include_line *line, const char *from)
{
    if (sv_starts(line->operand, "awaitc/"))
        VEC_PUSH(w->mem, &w->own_headers, line->operand);
    if (include_is_keywords(line->operand)) {
        w->out->reaches_keywords = true;
        return;
    }
    if (sv_starts(line->operand, "awaitc/"))
        return;
    const char *found = include_find(w->search, line->operand, line->quoted, from, -1);
    if (line->quoted && from != w->source_path)
        note_clash(w, line->operand, from, found);
    if (found == NULL) {
        w->out->unresolved |= !is_compiler_header(line->operand);
        return;
    }
    visit(w, found);
    for (size_t i = 0; line->next && i < w->search->bracket.count; i++) {
        const char *other = include_find(w->search, line->operand, false, from, (int)i);
        if (other != NULL)
            visit(w, other);
    }
}

/* Notes `#define NAME <x.h>` and `#define NAME "x.h"`. */
static void note_named(struct walk *w, strview text)
{
    size_t at = 0;
    const char *define;
    while (at < text.len && (define = memmem(text.at + at, text.len - at, "define", 6)) != NULL) {
        size_t p = (size_t)(define - text.at) + 6;
        at = p;
        while (p < text.len && (text.at[p] == ' ' || text.at[p] == '\t'))
            p++;
        size_t name = p;
        while (p < text.len && strchr(" \t\n(", text.at[p]) == NULL)
            p++;
        strview word = {text.at + name, p - name};
        while (p < text.len && (text.at[p] == ' ' || text.at[p] == '\t'))
            p++;
        if (p >= text.len || (text.at[p] != '<' && text.at[p] != '"') || word.len == 0)
            continue;
        char close = text.at[p] == '<' ? '>' : '"';
        const char *end = memchr(text.at + p + 1, close, text.len - p - 1);
        if (end == NULL)
            continue;
        struct include_line line = {.quoted = close == '"'};
        line.operand = (strview){text.at + p + 1, (size_t)(end - text.at) - p - 1};
        word_set_add(&w->named, word)->value = (uint32_t)w->names.count;
        VEC_PUSH(w->mem, &w->names, line);
    }
}

static void scan_includes(struct walk *w, const char *path, strview text)
{
    struct include_line line;
    for (size_t at = 0; include_next_line(text, &at, &line);) {
        if (line.computed)
            VEC_PUSH(w->mem, &w->computed, line.operand);
        else
            follow(w, &line, path);
    }
}

static void scan_todo(struct walk *w)
{
    while (w->todo.count > 0) {
        const char *path = VEC_LAST(&w->todo);
        w->todo.count--;
        scan_includes(w, path, include_text(w->search, path));
    }
}

static void name_from_flag(struct walk *w, const char *define)
{
    const char *equal = strchr(define, '=');
    if (equal == NULL || (equal[1] != '"' && equal[1] != '<'))
        return;
    note_named(w, sv_from(arena_printf(w->mem, "define %.*s %s\n", (int)(equal - define), define,
                                       equal + 1)));
}

/* Follows computed includes; true if new files were found. */
static bool scan_computed(struct walk *w, const char *path, strview source)
{
    if (w->computed.count == 0)
        return false;
    note_named(w, source);
    for (size_t i = 0; i < w->out->headers.count; i++)
        note_named(w, include_text(w->search, w->out->headers.at[i]));
    for (size_t i = 0; i < w->search->defines.count; i++)
        name_from_flag(w, w->search->defines.at[i]);
    for (size_t i = 0; i < w->computed.count; i++) {
        bool known = word_set_find(&w->named, w->computed.at[i]) != NULL;
        if (!known) {
            w->out->unresolved = true;
            w->out->reaches_keywords = true;
        }
    }
    for (size_t i = 0; i < w->names.count; i++)
        follow(w, &w->names.at[i], path);
    w->computed.count = 0;
    return w->todo.count > 0;
}

/* ---- the words ---------------------------------------------------------------------------- */

static bool may_mention(strview text)
{
    static const char *const parts[] = {"async", "await", "spawn", "defer", "aw_"};
    for (size_t i = 0; i < COUNTOF(parts); i++) {
        if (memmem(text.at, text.len, parts[i], strlen(parts[i])) != NULL)
            return true;
    }
    return false;
}

/* Looks for the words in one text; macros found in one header matter for all. */
static bool scan_words(struct prescan *out, arena *mem, strview text)
{
    bool by_macro = false;
    for (uint32_t i = 0; i < out->macros.slot_count && !by_macro; i++) {
        strview name = out->macros.slots[i].word;
        by_macro = name.at != NULL && memmem(text.at, text.len, name.at, name.len) != NULL;
    }
    return (by_macro || may_mention(text)) && regions_mention(mem, text, &out->macros);
}

static bool defines_async(arena *mem, strview text, struct prescan *out)
{
    struct region_options options = {.words = REGION_WORDS_SOURCE, .macros = &out->macros};
    struct region_list list = regions_find(mem, text, &options);
    for (uint32_t i = 0; i < list.count; i++) {
        if (list.at[i].is_function && (list.at[i].is_async || list.at[i].uses_form))
            return true;
    }
    return false;
}

static void scan_all_words(struct walk *w, strview source)
{
    struct prescan *out = w->out;
    uint32_t macros;
    do {
        macros = out->macros.count;
        for (size_t i = 0; i < out->headers.count; i++)
            out->names_async |=
                scan_words(out, w->mem, include_text(w->search, out->headers.at[i]));
        out->names_async |= scan_words(out, w->mem, source);
    } while (out->macros.count != macros);
    for (size_t i = 0; i < w->search->defines.count && !out->names_async; i++)
        out->names_async = may_mention(sv_from(w->search->defines.at[i]));
    for (size_t i = 0; i < out->headers.count && out->names_async; i++) {
        strview text = include_text(w->search, out->headers.at[i]);
        if (may_mention(text) && defines_async(w->mem, text, out))
            VEC_PUSH(w->mem, &out->async_headers, out->headers.at[i]);
    }
}

/* ---- the leaves --------------------------------------------------------------------------- */

/* Adds the names that a header of awaitc's declares async: `aw_async type name(`. */
static void collect_leaves(word_set *leaves, strview text)
{
    if (text.at == NULL)
        return;
    struct raw_lexer x = raw_lexer_on(text, false);
    bool is_declared = false;
    strview last = {NULL, 0};
    for (struct raw_token t = raw_next(&x); t.kind != RAW_END; t = raw_next(&x)) {
        strview word = {text.at + t.begin, t.end - t.begin};
        if (t.kind == RAW_WORD && (sv_is(word, "aw_async") || sv_is(word, "async"))) {
            is_declared = true;
        } else if (t.kind == RAW_WORD) {
            last = word;
        } else if (t.kind == RAW_PUNCT && (t.punct == '(' || t.punct == ';') && is_declared) {
            word_set_add(leaves, last);
            is_declared = false;
        }
    }
}

static bool has_word_of(struct raw_lexer x, const word_set *words)
{
    for (struct raw_token t = raw_next(&x); t.kind != RAW_END; t = raw_next(&x)) {
        strview word = {x.text + t.begin, t.end - t.begin};
        if (t.kind == RAW_WORD && word_set_find(words, word) != NULL)
            return true;
        if (t.kind == RAW_DIRECTIVE && has_word_of(raw_directive(&x, &t), words))
            return true; /* a macro's text counts as the text does */
    }
    return false;
}

static bool names_word_of(strview text, const word_set *words)
{
    return text.at != NULL && memmem(text.at, text.len, "aw_", 3) != NULL &&
           has_word_of(raw_lexer_on(text, false), words);
}

static void scan_leaves(struct walk *w, strview source)
{
    word_set leaves = word_set_in(w->mem);
    const char *own = w->search->own_dir;
    if (own == NULL)
        return;
    collect_leaves(&leaves, include_text(w->search, arena_printf(w->mem, "%s/awaitc.h", own)));
    for (size_t i = 0; i < w->own_headers.count; i++) {
        const char *path = arena_printf(w->mem, "%s/%.*s", own, SV_ARG(w->own_headers.at[i]));
        collect_leaves(&leaves, include_text(w->search, path));
    }
    bool names = names_word_of(source, &leaves);
    for (size_t i = 0; i < w->out->headers.count && !names; i++)
        names = names_word_of(include_text(w->search, w->out->headers.at[i]), &leaves);
    w->out->names_leaf = names;
    w->out->names_async = names;
}

struct prescan prescan_unit(include_search *search, const char *path, strview source)
{
    struct prescan out = {.macros = word_set_in(search->mem)};
    struct walk w = {.search = search, .out = &out, .mem = search->mem, .source_path = path};
    w.visited = word_set_in(search->mem);
    w.named = word_set_in(search->mem);
    for (size_t i = 0; i < search->forced.count; i++) {
        struct include_line line = {.operand = sv_from(search->forced.at[i]), .quoted = true};
        follow(&w, &line, "");
    }
    scan_includes(&w, path, source);
    do
        scan_todo(&w);
    while (scan_computed(&w, path, source));
    if (out.reaches_keywords || out.unresolved)
        scan_all_words(&w, source);
    if (out.reaches_keywords && !out.names_async)
        scan_leaves(&w, source);
    out.reaches_keywords |= out.unresolved && out.names_async;
    out.names_base_file = memmem(source.at, source.len, "__BASE_FILE__", 13) != NULL;
    return out;
}
