/* SPDX-License-Identifier: MIT */
/*
 * How is unpreprocessed text cut into tokens? One forward pass without look-back. Splices are
 * skipped wherever a character is fetched; the test for them is one comparison, as nearly no
 * character is a backslash. Literals that are not closed end at their line's end, as in the
 * compilers (text in `#if 0` is often prose with apostrophes).
 */
#include "analyzer/parse/raw_lex.h"

#include <string.h>

#include "analyzer/base/strbuf.h"

bool raw_is_word_start(unsigned char c)
{
    unsigned char lower = c | 0x20;
    return (lower >= 'a' && lower <= 'z') || c == '_' || c == '$' || c >= 0x80;
}

bool raw_is_word(unsigned char c)
{
    return raw_is_word_start(c) || (c >= '0' && c <= '9');
}

struct raw_lexer raw_lexer_on(strview text, bool trigraphs)
{
    struct raw_lexer x = {
        .text = text.at, .len = (uint32_t)text.len, .line_start = true, .trigraphs = trigraphs};
    return x;
}

/* The end of a splice at p (backslash, blanks, line end), or p if there is none. */
static uint32_t splice_end(const struct raw_lexer *x, uint32_t p)
{
    uint32_t q = p;
    if (q < x->len && x->text[q] == '\\')
        q++;
    else if (x->trigraphs && q + 2 < x->len && memcmp(x->text + q, "?\?/", 3) == 0)
        q += 3;
    else
        return p;
    while (q < x->len && (x->text[q] == ' ' || x->text[q] == '\t' || x->text[q] == '\r'))
        q++;
    return q < x->len && x->text[q] == '\n' ? q + 1 : p;
}

static uint32_t over_splices(const struct raw_lexer *x, uint32_t p)
{
    while (p < x->len && (x->text[p] == '\\' || x->text[p] == '?')) {
        uint32_t q = splice_end(x, p);
        if (q == p)
            break;
        p = q;
    }
    return p;
}

static char char_at(const struct raw_lexer *x, uint32_t p)
{
    return p < x->len ? x->text[p] : '\0';
}

/* The character after the one at p, splices skipped; *next gets its place. */
static char char_after(const struct raw_lexer *x, uint32_t p, uint32_t *next)
{
    *next = over_splices(x, p + 1);
    return char_at(x, *next);
}

static uint32_t block_comment_end(const struct raw_lexer *x, uint32_t p)
{
    while (p < x->len) {
        const char *star = memchr(x->text + p, '*', x->len - p);
        if (star == NULL)
            return x->len;
        p = (uint32_t)(star - x->text);
        uint32_t next;
        if (char_after(x, p, &next) == '/')
            return next + 1;
        p++;
    }
    return x->len;
}

static uint32_t line_comment_end(const struct raw_lexer *x, uint32_t p)
{
    while (p < x->len && x->text[p] != '\n') {
        uint32_t q = splice_end(x, p);
        p = q == p ? p + 1 : q;
    }
    return p;
}

/* The end of the comment that starts at p, or p. */
static uint32_t comment_end(const struct raw_lexer *x, uint32_t p)
{
    uint32_t next;
    if (char_at(x, p) != '/')
        return p;
    char c = char_after(x, p, &next);
    if (c == '*')
        return block_comment_end(x, next + 1);
    return c == '/' ? line_comment_end(x, next + 1) : p;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* Skips blanks, line ends and comments. */
static void skip_blanks(struct raw_lexer *x)
{
    for (;;) {
        while (x->at < x->len && is_blank(x->text[x->at]))
            x->at++;
        x->at = over_splices(x, x->at);
        if (x->at >= x->len)
            return;
        char c = x->text[x->at];
        if (c == '\n') {
            x->line_start = true;
            x->at++;
        } else if (is_blank(c)) {
            x->at++;
        } else if (c == '/') {
            uint32_t end = comment_end(x, x->at);
            if (end == x->at)
                return;
            if (x->comments != NULL)
                VEC_PUSH(x->mem, x->comments, (struct raw_range){x->at, end});
            x->at = end;
        } else {
            return;
        }
    }
}

/* The end of a literal whose opening quote is at p. */
static uint32_t literal_end(const struct raw_lexer *x, uint32_t p)
{
    char quote = x->text[p++];
    while (p < x->len && x->text[p] != '\n') {
        uint32_t q = splice_end(x, p);
        if (q != p) {
            p = q;
        } else if (x->text[p] == '\\') {
            p = over_splices(x, p + 1);
            p = p < x->len && x->text[p] != '\n' ? p + 1 : p;
        } else if (x->text[p++] == quote) {
            break;
        }
    }
    return p;
}

/* The end of a raw string whose quote is at p, or p if this is none. */
static uint32_t raw_string_end(const struct raw_lexer *x, uint32_t p)
{
    uint32_t open = p + 1;
    while (open < x->len && open - p <= 17 && strchr("( )\\\t\v\f\n\"", x->text[open]) == NULL)
        open++;
    if (open >= x->len || x->text[open] != '(')
        return p;
    size_t mark_len = open - p - 1;
    for (uint32_t q = open + 1; q + mark_len + 1 < x->len; q++) {
        if (x->text[q] == ')' && memcmp(x->text + q + 1, x->text + p + 1, mark_len) == 0 &&
            x->text[q + 1 + mark_len] == '"')
            return q + (uint32_t)mark_len + 2;
    }
    return p;
}

static uint32_t word_end(const struct raw_lexer *x, uint32_t p, bool *spliced)
{
    uint32_t end = p;
    for (;;) {
        while (p < x->len && raw_is_word((unsigned char)x->text[p]))
            end = ++p;
        uint32_t q = over_splices(x, p);
        if (q < x->len && raw_is_word((unsigned char)x->text[q])) {
            *spliced |= q != p;
            p = end = q + 1;
        } else if (q + 1 < x->len && x->text[q] == '\\' &&
                   (x->text[q + 1] == 'u' || x->text[q + 1] == 'U')) {
            p = end = q + 2;
        } else {
            return end;
        }
    }
}

static uint32_t number_end(const struct raw_lexer *x, uint32_t p)
{
    uint32_t end = p;
    for (;;) {
        uint32_t q = over_splices(x, p);
        char c = char_at(x, q);
        char before = q > 0 ? x->text[q - 1] : '\0';
        bool sign = (c == '+' || c == '-') && q > 0 && strchr("eEpP", before) != NULL;
        bool separator = c == '\'' && q + 1 < x->len && x->text[q + 1] >= '0' &&
                         x->text[q + 1] <= '9' && before != '\0';
        if (q >= x->len || !(raw_is_word((unsigned char)c) || c == '.' || sign || separator))
            return end;
        p = end = q + 1;
    }
}

/* The end of the logical line that p is in, comments and strings respected. */
static uint32_t directive_end(const struct raw_lexer *x, uint32_t p)
{
    while (p < x->len && x->text[p] != '\n') {
        uint32_t q = splice_end(x, p);
        if (q == p)
            q = comment_end(x, p);
        if (q == p && (x->text[p] == '"' || x->text[p] == '\''))
            q = literal_end(x, p);
        p = q == p ? p + 1 : q;
    }
    return p;
}

/* How long the '#' at p is in bytes; 0 if there is none. */
static uint32_t hash_len(const struct raw_lexer *x, uint32_t p)
{
    if (char_at(x, p) == '#')
        return 1;
    if (char_at(x, p) == '%' && char_at(x, p + 1) == ':')
        return 2;
    return x->trigraphs && p + 2 < x->len && memcmp(x->text + p, "?\?=", 3) == 0 ? 3 : 0;
}

static struct raw_token punctuation(struct raw_lexer *x)
{
    static const struct {
        char text[4];
        char means;
    } alternatives[] = {{"<%", '{'}, {"%>", '}'}, {"<:", '['}, {":>", ']'}, {"%:", '#'}};
    static const char trigraphs[] = "=#(['^)]!|<{>}-~";
    struct raw_token t = {.kind = RAW_PUNCT, .begin = x->at, .end = x->at + 1};
    t.punct = x->text[x->at];
    bool may_be_two = t.punct == '<' || t.punct == '%' || t.punct == ':';
    for (size_t i = 0; may_be_two && i < 5; i++) {
        if (x->at + 1 < x->len && memcmp(x->text + x->at, alternatives[i].text, 2) == 0) {
            t.punct = alternatives[i].means;
            t.end = x->at + 2;
        }
    }
    if (x->trigraphs && x->at + 2 < x->len && memcmp(x->text + x->at, "?\?", 2) == 0) {
        for (const char *p = trigraphs; *p != '\0'; p += 2) {
            if (*p == x->text[x->at + 2]) {
                t.punct = p[1];
                t.end = x->at + 3;
            }
        }
    }
    return t;
}

/* A word, or the literal that it is the prefix of. */
static struct raw_token word_or_prefixed(struct raw_lexer *x)
{
    struct raw_token t = {.kind = RAW_WORD, .begin = x->at};
    t.end = word_end(x, x->at, &t.spliced);
    char c = char_at(x, t.end);
    uint32_t len = t.end - t.begin;
    const char *word = x->text + t.begin;
    if ((c != '"' && c != '\'') || len > 3)
        return t;
    if (c == '"' && word[len - 1] == 'R') {
        uint32_t end = raw_string_end(x, t.end);
        if (end != t.end)
            return (struct raw_token){.kind = RAW_STRING, .begin = t.begin, .end = end};
    }
    bool prefix =
        (len == 1 && strchr("LuU", word[0]) != NULL) || (len == 2 && memcmp(word, "u8", 2) == 0);
    if (!prefix)
        return t;
    t.kind = c == '"' ? RAW_STRING : RAW_CHAR;
    t.end = literal_end(x, t.end);
    return t;
}

struct raw_token raw_next(struct raw_lexer *x)
{
    skip_blanks(x);
    bool line_start = x->line_start;
    struct raw_token t = {.kind = RAW_END, .begin = x->at, .end = x->at};
    if (x->at >= x->len)
        return t;
    x->line_start = false;
    char c = x->text[x->at];
    if (line_start && hash_len(x, x->at) != 0) {
        t.kind = RAW_DIRECTIVE;
        t.end = directive_end(x, x->at);
    } else if (raw_is_word_start((unsigned char)c) ||
               (c == '\\' && (char_at(x, x->at + 1) == 'u' || char_at(x, x->at + 1) == 'U'))) {
        t = word_or_prefixed(x);
    } else if ((c >= '0' && c <= '9') ||
               (c == '.' && char_at(x, x->at + 1) >= '0' && char_at(x, x->at + 1) <= '9')) {
        t.kind = RAW_NUMBER;
        t.end = number_end(x, x->at);
    } else if (c == '"' || c == '\'') {
        t.kind = c == '"' ? RAW_STRING : RAW_CHAR;
        t.end = literal_end(x, x->at);
    } else {
        t = punctuation(x);
    }
    x->at = t.end;
    return t;
}

strview raw_spelling(arena *mem, const struct raw_lexer *x, const struct raw_token *token)
{
    strview whole = {x->text + token->begin, token->end - token->begin};
    if (!token->spliced)
        return whole;
    strbuf clean = strbuf_in(mem);
    for (uint32_t p = token->begin; p < token->end;) {
        uint32_t q = over_splices(x, p);
        if (q == p)
            strbuf_char(&clean, x->text[p++]);
        else
            p = q;
    }
    return strbuf_view(&clean);
}

struct raw_lexer raw_directive(const struct raw_lexer *x, const struct raw_token *directive)
{
    struct raw_lexer d = *x;
    d.comments = NULL;
    d.len = directive->end;
    d.at = directive->begin + hash_len(x, directive->begin);
    d.line_start = false;
    return d;
}
