/* SPDX-License-Identifier: MIT */
/*
 * How is a function found without a parser? External declarations end at a `;` outside braces or at
 * the `}` of a function body. A `{` outside braces opens a body if the declaration has a
 * parenthesised group and no `=`, and does not stand behind struct, union or enum:
 *
 *     async int f ( int a ) { ... }      struct s { ... } x ;      int v [ ] = { ... } ;
 *     ^begin                      ^end
 *
 * Conditional directives: at #else the state of the #if is restored, so that two headers of one
 * body are seen as alternatives; behind the #endif the state at the end of the first branch counts
 * (of the last one, for `#if 0`). A declaration that starts in a group and outlives it is widened
 * to the #if, one that ends in a group to the #endif: a range always holds whole groups, so it can
 * be fenced.
 *
 * K&R definitions (`int f(a) int a; {`) have `;` before the body: a `{` with nothing in front goes
 * back to the last declaration that looked like such a header.
 */
#include "analyzer/parse/regions.h"

#include <string.h>

#include "analyzer/base/check.h"
#include "analyzer/parse/raw_lex.h"

enum tag_state { TAG_NONE, TAG_KEYWORD, TAG_NAMED };
enum body_kind { BODY_NONE, BODY_FUNCTION, BODY_OTHER };

#define NO_OFFSET UINT32_MAX

/* What is known of the external declaration that is being read. */
struct decl_state {
    uint32_t begin;
    uint32_t begin_group; /* conditional groups open at its begin */
    uint32_t old_style;   /* begin of a possible K&R header before; NO_OFFSET */
    uint32_t braces, parens;
    enum tag_state tag;
    enum body_kind body;
    bool active, is_async, uses_form;
    bool by_macro;        /* a macro that may make functions stands at the top level */
    bool assigned;        /* `=` at the top level */
    bool has_group;       /* a parenthesised group that may be parameters */
    bool group_then_word; /* a word behind it */
    bool operand_next;    /* the next group belongs to __attribute__, typeof, ... */
    bool old_async, old_form;
    bool after_string;
};

struct group {
    struct decl_state at_if, first_end;
    bool have_first, first_is_zero;
    uint32_t begin;
};

struct scan {
    arena *mem;
    const struct region_options *options;
    struct raw_lexer lexer;
    struct decl_state d;
    VEC(struct group) groups;
    VEC(struct region_range) found;
    VEC(uint32_t) open_group; /* a range of `found` is open to the #endif of this group */
    word_set own_macros;
    word_set *macros;
    uint32_t last_end; /* of the last token that was no directive */
};

static const char *const plain_keywords[] = {"async", "await", "spawn", "defer"};
static const char *const prefixed[] = {"async",
                                       "await",
                                       "spawn",
                                       "spawn_on",
                                       "defer",
                                       "all",
                                       "try_all",
                                       "race",
                                       "timeout",
                                       "blocking",
                                       "compute",
                                       "block_on",
                                       "runtime_block_on",
                                       "scope_spawn"};

static bool in_list(strview word, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (sv_is(word, list[i]))
            return true;
    }
    return false;
}

bool region_is_keyword(strview word)
{
    if (word.len < 5 || (word.at[0] != 'a' && word.at[0] != 's' && word.at[0] != 'd'))
        return false;
    if (sv_starts(word, "aw_"))
        return in_list((strview){word.at + 3, word.len - 3}, prefixed, COUNTOF(prefixed));
    return in_list(word, plain_keywords, COUNTOF(plain_keywords));
}

static bool is_async_word(const struct scan *s, strview word)
{
    if (s->options->words == REGION_WORDS_MARKERS)
        return sv_is(word, "__awaitc_async__");
    return sv_is(word, "async") || sv_is(word, "aw_async") ||
           word_set_find(s->macros, word) != NULL;
}

/* Another keyword than async, or a form. */
static bool is_form_word(const struct scan *s, strview word)
{
    if (s->options->words == REGION_WORDS_MARKERS)
        return sv_starts(word, "__awaitc_") && sv_ends(word, "__") &&
               !sv_is(word, "__awaitc_async__");
    if (sv_is(word, "async") || sv_is(word, "aw_async"))
        return false;
    return region_is_keyword(word) || word_set_find(s->macros, word) != NULL;
}

/* Words whose parenthesised operand is not a parameter list. */
static bool takes_operand(strview word)
{
    static const char *const words[] = {
        "__attribute__", "__attribute", "__declspec", "asm",           "__asm__",       "__asm",
        "typeof",        "__typeof__",  "__typeof",   "_Alignas",      "alignas",       "_Atomic",
        "typeof_unqual", "_BitInt",     "_Pragma",    "__extension__", "_Static_assert"};
    return in_list(word, words, COUNTOF(words));
}

static void decl_reset(struct decl_state *d)
{
    *d = (struct decl_state){.old_style = NO_OFFSET};
}

static void decl_start(struct scan *s, uint32_t at)
{
    if (s->d.active)
        return;
    s->d.active = true;
    s->d.begin = at;
    s->d.begin_group = (uint32_t)s->groups.count;
}

static void emit_range(struct scan *s, uint32_t begin, uint32_t begin_group, uint32_t end)
{
    const struct decl_state *d = &s->d;
    bool function = d->body == BODY_FUNCTION;
    bool wanted = d->by_macro || (function && (d->is_async || d->uses_form));
    if (!s->options->every_declaration && !wanted)
        return;
    struct region_range r = {.begin = begin,
                             .end = end,
                             .is_function = function,
                             .is_async = d->is_async,
                             .uses_form = d->uses_form};
    VEC_PUSH(s->mem, &s->found, r);
    VEC_PUSH(s->mem, &s->open_group, begin_group < s->groups.count ? begin_group : NO_OFFSET);
}

static void word_outside(struct scan *s, strview word)
{
    struct decl_state *d = &s->d;
    bool tag_word = sv_is(word, "struct") || sv_is(word, "union") || sv_is(word, "enum");
    d->is_async |= is_async_word(s, word);
    d->uses_form |= is_form_word(s, word);
    d->by_macro |= word_set_find(s->macros, word) != NULL;
    bool operand = takes_operand(word);
    if (tag_word)
        d->tag = TAG_KEYWORD;
    else if (!operand)
        d->tag = d->tag == TAG_KEYWORD ? TAG_NAMED : TAG_NONE;
    d->operand_next = operand;
    if (d->has_group && !operand)
        d->group_then_word = true;
}

static void open_brace(struct scan *s, uint32_t at)
{
    struct decl_state *d = &s->d;
    bool tag = d->tag != TAG_NONE;
    if (d->after_string && !d->has_group && !d->assigned) {
        decl_reset(d); /* extern "C" { */
        return;
    }
    if (!tag && !d->has_group && !d->assigned && d->old_style != NO_OFFSET) {
        d->begin = d->old_style;
        d->is_async |= d->old_async;
        d->uses_form |= d->old_form;
        d->has_group = d->active = true;
    }
    decl_start(s, at);
    d->body = !tag && d->has_group && !d->assigned ? BODY_FUNCTION : BODY_OTHER;
    d->braces = 1;
}

static void end_declaration(struct scan *s, uint32_t end)
{
    struct decl_state *d = &s->d;
    bool old_style = d->has_group && d->group_then_word && !d->assigned;
    if (d->active)
        emit_range(s, d->begin, d->begin_group, end);
    uint32_t begin = old_style ? d->begin : d->has_group ? NO_OFFSET : d->old_style;
    bool was_async = old_style ? d->is_async : d->old_async;
    bool was_form = old_style ? d->uses_form : d->old_form;
    decl_reset(d);
    d->old_style = begin;
    d->old_async = was_async;
    d->old_form = was_form;
}

static void punct_outside(struct scan *s, const struct raw_token *t)
{
    struct decl_state *d = &s->d;
    switch (t->punct) {
    case ';':
        end_declaration(s, t->end);
        return;
    case '{':
        open_brace(s, t->begin);
        return;
    case '}':
        decl_reset(d);
        return;
    case '(':
        decl_start(s, t->begin);
        d->parens = 1;
        return;
    case '=':
        d->assigned = true;
        break;
    default:
        break;
    }
    decl_start(s, t->begin);
    if (d->tag == TAG_NAMED && t->punct != ':')
        d->tag = TAG_NONE;
}

/* A token outside braces and parentheses. */
static void token_outside(struct scan *s, const struct raw_token *t)
{
    if (t->kind == RAW_PUNCT) {
        punct_outside(s, t);
    } else {
        decl_start(s, t->begin);
        if (t->kind == RAW_WORD)
            word_outside(s, raw_spelling(s->mem, &s->lexer, t));
    }
    s->d.after_string = t->kind == RAW_STRING;
}

static void close_brace(struct scan *s, uint32_t end)
{
    struct decl_state *d = &s->d;
    if (--d->braces != 0)
        return;
    if (d->body == BODY_FUNCTION) {
        emit_range(s, d->begin, d->begin_group, end);
        decl_reset(d);
    } else {
        d->tag = TAG_NONE;
        d->body = BODY_NONE;
    }
}

static void token_inside(struct scan *s, const struct raw_token *t)
{
    struct decl_state *d = &s->d;
    if (t->kind == RAW_WORD) {
        d->uses_form |= is_form_word(s, raw_spelling(s->mem, &s->lexer, t));
    } else if (t->kind == RAW_PUNCT) {
        if (t->punct == '{')
            d->braces++;
        else if (t->punct == '}' && d->braces > 0)
            close_brace(s, t->end);
        else if (t->punct == '(' && d->braces == 0)
            d->parens++;
        else if (t->punct == ')' && d->braces == 0 && --d->parens == 0) {
            d->has_group |= !d->operand_next;
            d->operand_next = false;
        }
        if (d->braces == 1 && d->parens > 0 && d->body == BODY_NONE)
            d->body = BODY_OTHER;
    }
}

/* ---- directives --------------------------------------------------------------------------- */

static void merge_words(struct decl_state *into, const struct decl_state *from)
{
    if (into->active && from->active) {
        into->is_async |= from->is_async;
        into->uses_form |= from->uses_form;
    }
}

static void group_begin(struct scan *s, const struct raw_token *t, struct raw_lexer *line)
{
    struct raw_token operand = raw_next(line);
    struct group g = {.at_if = s->d, .begin = t->begin};
    g.first_is_zero = operand.kind == RAW_NUMBER && operand.end - operand.begin == 1 &&
                      line->text[operand.begin] == '0' && raw_next(line).kind == RAW_END;
    VEC_PUSH(s->mem, &s->groups, g);
}

static void group_branch(struct scan *s)
{
    if (s->groups.count == 0)
        return;
    struct group *g = &VEC_LAST(&s->groups);
    if (!g->have_first)
        g->first_end = s->d;
    else
        merge_words(&g->first_end, &s->d);
    g->have_first = true;
    s->d = g->at_if;
}

static void group_end(struct scan *s, uint32_t end)
{
    if (s->groups.count == 0)
        return;
    struct group g = VEC_LAST(&s->groups);
    s->groups.count--;
    if (!g.have_first && g.first_is_zero) {
        s->d = g.at_if;
    } else if (g.have_first && !g.first_is_zero) {
        merge_words(&g.first_end, &s->d);
        s->d = g.first_end;
    }
    uint32_t depth = (uint32_t)s->groups.count;
    if (s->d.active && s->d.begin_group > depth) {
        s->d.begin = g.begin;
        s->d.begin_group = depth;
    }
    if (s->d.old_style != NO_OFFSET && s->d.old_style > g.begin)
        s->d.old_style = g.begin;
    for (size_t i = s->found.count; i-- > 0;) {
        if (s->open_group.at[i] == depth) {
            s->found.at[i].end = end;
            s->open_group.at[i] = NO_OFFSET;
        }
        if (s->found.at[i].end < g.begin)
            break;
    }
}

/* A macro whose text holds one of the words is such a word from here on. */
static void note_define(struct scan *s, struct raw_lexer *line)
{
    struct raw_token name = raw_next(line);
    if (name.kind != RAW_WORD)
        return;
    for (struct raw_token t = raw_next(line); t.kind != RAW_END; t = raw_next(line)) {
        if (t.kind != RAW_WORD)
            continue;
        strview word = raw_spelling(s->mem, line, &t);
        if (region_is_keyword(word) || word_set_find(s->macros, word) != NULL) {
            word_set_add(s->macros, raw_spelling(s->mem, line, &name));
            return;
        }
    }
}

static void directive(struct scan *s, const struct raw_token *t)
{
    if (s->options->words == REGION_WORDS_MARKERS)
        return;
    struct raw_lexer line = raw_directive(&s->lexer, t);
    struct raw_token name = raw_next(&line);
    if (name.kind != RAW_WORD)
        return;
    strview word = raw_spelling(s->mem, &s->lexer, &name);
    if (sv_is(word, "if") || sv_is(word, "ifdef") || sv_is(word, "ifndef"))
        group_begin(s, t, &line);
    else if (sv_is(word, "else") || sv_starts(word, "elif"))
        group_branch(s);
    else if (sv_is(word, "endif"))
        group_end(s, t->end);
    else if (sv_is(word, "define"))
        note_define(s, &line);
}

/* ---- the whole ---------------------------------------------------------------------------- */

/* Ranges of one #if group may lie in each other: one of them then stands for all. */
static void merge_overlaps(struct scan *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->found.count; i++) {
        struct region_range r = s->found.at[i];
        while (kept > 0 && r.begin < s->found.at[kept - 1].end) {
            struct region_range before = s->found.at[--kept];
            r.begin = before.begin < r.begin ? before.begin : r.begin;
            r.end = before.end > r.end ? before.end : r.end;
            r.is_function |= before.is_function;
            r.is_async |= before.is_async;
            r.uses_form |= before.uses_form;
        }
        s->found.at[kept++] = r;
    }
    s->found.count = kept;
}

struct region_list regions_find(arena *mem, strview text, const struct region_options *options)
{
    struct scan s = {.mem = mem, .options = options};
    s.own_macros = word_set_in(mem);
    s.macros = options->macros != NULL ? options->macros : &s.own_macros;
    s.lexer = raw_lexer_on(text, options->trigraphs);
    decl_reset(&s.d);
    for (struct raw_token t = raw_next(&s.lexer); t.kind != RAW_END; t = raw_next(&s.lexer)) {
        if (t.kind == RAW_DIRECTIVE) {
            directive(&s, &t);
            continue;
        }
        s.last_end = t.end;
        if (s.d.braces == 0 && s.d.parens == 0)
            token_outside(&s, &t);
        else
            token_inside(&s, &t);
    }
    bool complete = s.d.braces == 0 && s.d.parens == 0;
    if (s.d.active)
        emit_range(&s, s.d.begin, s.d.begin_group, s.last_end);
    for (size_t i = 0; i < s.found.count; i++) {
        if (s.open_group.at[i] != NO_OFFSET)
            s.found.at[i].end = (uint32_t)text.len;
    }
    merge_overlaps(&s);
    return (struct region_list){
        .at = s.found.at, .count = (uint32_t)s.found.count, .complete = complete};
}

bool regions_mention(arena *mem, strview text, word_set *macros)
{
    struct region_options options = {.words = REGION_WORDS_SOURCE};
    struct scan s = {.mem = mem, .options = &options};
    s.own_macros = word_set_in(mem);
    s.macros = macros != NULL ? macros : &s.own_macros;
    s.lexer = raw_lexer_on(text, false);
    bool found = false;
    for (struct raw_token t = raw_next(&s.lexer); t.kind != RAW_END; t = raw_next(&s.lexer)) {
        if (t.kind == RAW_DIRECTIVE) {
            uint32_t before = s.macros->count;
            directive(&s, &t);
            found |= s.macros->count != before;
            s.groups.count = 0;
        } else if (t.kind == RAW_WORD) {
            strview word = raw_spelling(mem, &s.lexer, &t);
            found |= region_is_keyword(word) || word_set_find(s.macros, word) != NULL;
        }
    }
    return found;
}
