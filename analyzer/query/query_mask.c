/* SPDX-License-Identifier: MIT */
/*
 * The masking of query_mask.h. A word is told from an ordinary name of the same spelling by its
 * neighbours:
 *
 *     async  a declaration goes on behind it: a word follows
 *     await  an operand follows, and no type stands before it (`int await(int);`)
 *     defer  a statement follows, and a statement may start here
 */
#include "analyzer/query/query_mask.h"

#include "analyzer/base/check.h"
#include "analyzer/parse/raw_lex.h"

enum mask_word { MASK_NONE, MASK_ASYNC, MASK_AWAIT, MASK_DEFER, MASK_BLANK };

static const struct {
    const char *spelling;
    enum mask_word word;
} known_words[] = {
    {"async", MASK_ASYNC},           {"aw_async", MASK_ASYNC},       {"await", MASK_AWAIT},
    {"aw_await", MASK_AWAIT},        {"defer", MASK_DEFER},          {"aw_defer", MASK_DEFER},
    {"AW_BLOCKS", MASK_BLANK},       {"AW_NONBLOCKING", MASK_BLANK}, {"AW_CPU_HEAVY", MASK_BLANK},
    {"AW_NOT_IN_ASYNC", MASK_BLANK}, {"AW_NOESCAPE", MASK_BLANK},
};

struct masker {
    arena *mem;
    struct raw_lexer lexer;
    const char *const *annotations;
    size_t annotation_count;
    char *out;
    struct masked_text result;
    struct raw_token before, now, next; /* without directives */
};

static strview token_text(const struct masker *m, const struct raw_token *t)
{
    return (strview){m->lexer.text + t->begin, t->end - t->begin};
}

static bool is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

static bool is_annotation(const struct masker *m, strview word)
{
    for (size_t i = 0; i < m->annotation_count; i++) {
        if (sv_is(word, m->annotations[i]))
            return true;
    }
    return false;
}

static enum mask_word classify(strview word)
{
    if (word.len < 5)
        return MASK_NONE;
    char first = word.at[0];
    if (first == 'a' || first == 'A' || first == 'd') {
        for (size_t i = 0; i < COUNTOF(known_words); i++) {
            if (sv_is(word, known_words[i].spelling))
                return known_words[i].word;
        }
    }
    return MASK_NONE;
}

/* Does the token before make this word a member: `.async`, `->async`? */
static bool is_member(const struct masker *m)
{
    const struct raw_token *b = &m->before;
    if (b->kind != RAW_PUNCT)
        return false;
    return b->punct == '.' ||
           (b->punct == '>' && b->begin > 0 && m->lexer.text[b->begin - 1] == '-');
}

/* Is the token before a word behind which an expression or a statement may start? */
static bool is_lead_in(strview word)
{
    static const char *const words[] = {"return", "case",  "else",     "do",           "sizeof",
                                        "goto",   "await", "aw_await", "__extension__"};
    for (size_t i = 0; i < COUNTOF(words); i++) {
        if (sv_is(word, words[i]))
            return true;
    }
    return false;
}

static bool is_tag(strview word)
{
    return sv_is(word, "struct") || sv_is(word, "union") || sv_is(word, "enum") ||
           sv_is(word, "goto");
}

static bool is_await(const struct masker *m)
{
    bool word_before = m->before.kind == RAW_WORD;
    if (m->next.kind == RAW_WORD)
        return !word_before || !is_tag(token_text(m, &m->before));
    if (m->next.kind != RAW_PUNCT || (m->next.punct != '(' && m->next.punct != '*'))
        return false;
    if (m->next.punct == '*')
        return word_before && sv_is(token_text(m, &m->before), "return");
    return !word_before || is_lead_in(token_text(m, &m->before));
}

static bool is_defer(const struct masker *m)
{
    if (m->next.kind != RAW_WORD && !(m->next.kind == RAW_PUNCT && m->next.punct == '{'))
        return false;
    if (m->before.kind == RAW_WORD)
        return is_lead_in(token_text(m, &m->before));
    return m->before.kind == RAW_PUNCT && is_one_of(m->before.punct, ";{}):");
}

static bool applies(const struct masker *m, enum mask_word word)
{
    if (is_member(m))
        return false;
    switch (word) {
    case MASK_ASYNC:
        return m->next.kind == RAW_WORD;
    case MASK_AWAIT:
        return is_await(m);
    case MASK_DEFER:
        return is_defer(m);
    case MASK_BLANK:
        return true;
    case MASK_NONE:
        break;
    }
    return false;
}

static void overwrite(struct masker *m, const char *with)
{
    char *at = m->out + m->now.begin;
    size_t len = m->now.end - m->now.begin;
    size_t with_len = strlen(with);
    AWC_ASSERT(with_len <= len);
    for (size_t i = 0; i < len; i++) {
        at[i] = i < with_len ? with[i] : ' ';
    }
}

static void mask_word(struct masker *m)
{
    strview text = token_text(m, &m->now);
    if (m->now.spliced)
        return;
    if (is_annotation(m, text) && !is_member(m)) {
        VEC_PUSH(m->mem, &m->result.asyncs, m->now.begin);
        if (text.len >= 5)
            overwrite(m, "const");
        return;
    }
    enum mask_word word = classify(text);
    if (!applies(m, word))
        return;
    if (word == MASK_ASYNC) {
        VEC_PUSH(m->mem, &m->result.asyncs, m->now.begin);
        overwrite(m, "const");
    } else if (word == MASK_AWAIT) {
        VEC_PUSH(m->mem, &m->result.awaits, m->now.begin);
        overwrite(m, "+");
    } else {
        overwrite(m, word == MASK_DEFER ? "if(1)" : "");
    }
}

static struct raw_token next_but_directives(struct raw_lexer *lexer)
{
    struct raw_token t = raw_next(lexer);
    while (t.kind == RAW_DIRECTIVE)
        t = raw_next(lexer);
    return t;
}

struct masked_text query_mask(arena *mem, strview source, const char *const *annotations,
                              size_t count)
{
    AWC_ASSERT(source.len <= UINT32_MAX);
    struct masker m = {.mem = mem, .annotations = annotations, .annotation_count = count};
    m.out = arena_strndup(mem, source.len > 0 ? source.at : "", source.len);
    m.lexer = raw_lexer_on((strview){source.len > 0 ? source.at : "", source.len}, false);
    m.now = next_but_directives(&m.lexer);
    while (m.now.kind != RAW_END) {
        m.next = next_but_directives(&m.lexer);
        if (m.now.kind == RAW_WORD)
            mask_word(&m);
        m.before = m.now;
        m.now = m.next;
    }
    m.result.text = (strview){m.out, source.len};
    return m.result;
}

bool offset_list_meets(const offset_list *list, uint32_t begin, uint32_t end)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list->at[middle] < begin)
            low = middle + 1;
        else
            high = middle;
    }
    return low < list->count && list->at[low] < end;
}
