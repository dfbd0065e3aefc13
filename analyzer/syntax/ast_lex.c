/* SPDX-License-Identifier: MIT */
/*
 * The lexer of ast_lex.h. The text is walked twice with one scanner: first to count the tokens,
 * then to store them in an array of that size. `scan` finds where a token ends; line splices
 * (backslash, newline) may stand anywhere in a token, though preprocessed text has none.
 */
#include "analyzer/syntax/ast_lex.h"

#include <stdio.h>

#include "analyzer/base/check.h"

struct lexer {
    const char *text; /* the buffer */
    uint32_t at, end; /* offsets in it */
    bool is_line_start;
    struct ast_parse_error *error;
    bool failed;
};

/* ---- keywords ----------------------------------------------------------------------------- */

static const struct keyword {
    const char *spelling;
    uint16_t code;
} keywords[] = {
#define KEYWORD(spelling, code) {spelling, code},
#include "analyzer/syntax/ast_keywords.def"
#undef KEYWORD
};

static int compare_text(strview a, const char *b)
{
    size_t len = strlen(b);
    int order = memcmp(a.at, b, a.len < len ? a.len : len);
    if (order != 0)
        return order;
    return a.len < len ? -1 : a.len > len;
}

uint16_t ast_lex_keyword(strview text)
{
    size_t low = 0, high = COUNTOF(keywords);
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = compare_text(text, keywords[middle].spelling);
        if (order == 0)
            return keywords[middle].code;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}

bool ast_lex_may_be_name(uint16_t code, strview text)
{
    if (text.len == 0 || text.at[0] == '_')
        return false;
    switch (code) {
    case KW_BOOL:
    case KW_ALIGNAS:
    case KW_ALIGNOF:
    case KW_STATIC_ASSERT:
    case KW_THREAD_LOCAL:
    case KW_TYPEOF:
    case KW_CONSTEXPR:
    case KW_TRUE:
    case KW_FALSE:
    case KW_NULLPTR:
    case KW_VA_ARG:
    case KW_OFFSETOF:
        return true;
    default:
        return false;
    }
}

/* ---- characters --------------------------------------------------------------------------- */

static void lex_fail(struct lexer *l, uint32_t offset, const char *text)
{
    if (l->failed)
        return;
    l->failed = true;
    l->error->offset = offset;
    l->error->text = text;
}

/* Length of a line splice at `at`; 0: none. */
static uint32_t splice_length(const struct lexer *l, uint32_t at)
{
    if (at >= l->end || l->text[at] != '\\')
        return 0;
    if (l->end - at >= 2 && l->text[at + 1] == '\n')
        return 2;
    if (l->end - at >= 3 && l->text[at + 1] == '\r' && l->text[at + 2] == '\n')
        return 3;
    return 0;
}

/* The character at or after splices at *at, which moves there; -1 at the end. */
static int char_at(const struct lexer *l, uint32_t *at)
{
    uint32_t n;
    while ((n = splice_length(l, *at)) != 0)
        *at += n;
    return *at < l->end ? (unsigned char)l->text[*at] : -1;
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static bool is_name_start(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c >= 0x80;
}

static bool is_name_part(int c)
{
    return is_name_start(c) || is_digit(c);
}

static int hex_value(int c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Length of a universal character name (\uXXXX, \UXXXXXXXX) at `at`; 0: none. */
static uint32_t ucn_length(const char *text, uint32_t at, uint32_t end)
{
    if (end - at < 2 || text[at] != '\\' || (text[at + 1] != 'u' && text[at + 1] != 'U'))
        return 0;
    uint32_t len = text[at + 1] == 'u' ? 6 : 10;
    if (end - at < len)
        return 0;
    for (uint32_t i = 2; i < len; i++) {
        if (hex_value((unsigned char)text[at + i]) < 0)
            return 0;
    }
    return len;
}

/* ---- names -------------------------------------------------------------------------------- */

/* Moves *at over name characters. */
static void skip_name(const struct lexer *l, uint32_t *at)
{
    for (;;) {
        uint32_t here = *at;
        int c = char_at(l, &here);
        uint32_t len = 1;
        if (c == '\\')
            len = ucn_length(l->text, here, l->end);
        else if (c < 0 || !is_name_part(c))
            return;
        if (len == 0)
            return;
        *at = here + len;
    }
}

static size_t put_utf8(char *out, uint32_t c)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xC0 | c >> 6);
        out[1] = (char)(0x80 | (c & 0x3F));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (char)(0xE0 | c >> 12);
        out[1] = (char)(0x80 | (c >> 6 & 0x3F));
        out[2] = (char)(0x80 | (c & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | (c >> 18 & 7));
    out[1] = (char)(0x80 | (c >> 12 & 0x3F));
    out[2] = (char)(0x80 | (c >> 6 & 0x3F));
    out[3] = (char)(0x80 | (c & 0x3F));
    return 4;
}

strview ast_lex_name(arena *mem, strview text)
{
    if (text.len == 0 || memchr(text.at, '\\', text.len) == NULL)
        return text;
    const struct lexer l = {.text = text.at, .end = (uint32_t)text.len};
    char *out = arena_alloc(mem, text.len + 1);
    size_t len = 0;
    uint32_t at = 0;
    for (int c = char_at(&l, &at); c >= 0; c = char_at(&l, &at)) {
        uint32_t ucn = ucn_length(l.text, at, l.end);
        if (ucn == 0) {
            out[len++] = (char)c;
            at++;
            continue;
        }
        uint32_t value = 0;
        for (uint32_t i = 2; i < ucn; i++)
            value = value * 16 + (uint32_t)hex_value((unsigned char)l.text[at + i]);
        len += put_utf8(out + len, value);
        at += ucn;
    }
    return (strview){out, len};
}

/* ---- literals ----------------------------------------------------------------------------- */

/* Moves *at from a quote to past the closing one. */
static void skip_quoted(struct lexer *l, uint32_t *at)
{
    uint32_t start = *at;
    char quote = l->text[(*at)++];
    while (*at < l->end && l->text[*at] != quote && l->text[*at] != '\n') {
        uint32_t splice = splice_length(l, *at);
        if (splice != 0)
            *at += splice;
        else
            *at += l->text[*at] == '\\' && l->end - *at > 1 && l->text[*at + 1] != '\n' ? 2 : 1;
    }
    if (*at < l->end && l->text[*at] == quote)
        (*at)++;
    else
        lex_fail(l, start,
                 quote == '"' ? "unterminated string literal" : "unterminated character constant");
}

/* Moves *at from the quote of R"delimiter(...)delimiter" to past its end. */
static void skip_raw_string(struct lexer *l, uint32_t *at)
{
    uint32_t start = *at, open = *at + 1;
    while (open < l->end && open - start <= 17 && strchr("()\\ \t\v\f\n", l->text[open]) == NULL)
        open++;
    if (open >= l->end || l->text[open] != '(') {
        lex_fail(l, start, "bad delimiter of a raw string literal");
        return;
    }
    uint32_t len = open - start - 1;
    for (uint32_t i = open + 1; i < l->end && l->end - i >= len + 2; i++) {
        if (l->text[i] == ')' && memcmp(l->text + i + 1, l->text + start + 1, len) == 0 &&
            l->text[i + 1 + len] == '"') {
            *at = i + len + 2;
            return;
        }
    }
    lex_fail(l, start, "unterminated raw string literal");
}

/* Moves *at over a preprocessing number. */
static void skip_number(const struct lexer *l, uint32_t *at)
{
    int before = 0;
    for (;;) {
        uint32_t here = *at;
        int c = char_at(l, &here);
        bool is_sign = (c == '+' || c == '-') &&
                       (before == 'e' || before == 'E' || before == 'p' || before == 'P');
        if (c == '\'') { /* a digit separator, if a digit or letter follows */
            uint32_t next = here + 1;
            int after = char_at(l, &next);
            if (after < 0 || !is_name_part(after))
                return;
        } else if (c < 0 || !(is_name_part(c) || c == '.' || is_sign)) {
            return;
        }
        before = c;
        *at = here + 1;
    }
}

/* ---- pragmas, comments -------------------------------------------------------------------- */

/* Moves *at from a comment's start to past its end; false if none starts there. */
static bool skip_comment(struct lexer *l, uint32_t *at)
{
    uint32_t start = *at, next = *at + 1;
    if (l->text[start] != '/')
        return false;
    int c = char_at(l, &next);
    if (c == '/') {
        while (next < l->end && l->text[next] != '\n') {
            uint32_t splice = splice_length(l, next);
            next += splice != 0 ? splice : 1;
        }
        *at = next;
        return true;
    }
    if (c != '*')
        return false;
    for (next++; next < l->end; next++) {
        uint32_t slash = next + 1;
        if (l->text[next] == '*' && char_at(l, &slash) == '/') {
            *at = slash + 1;
            return true;
        }
    }
    lex_fail(l, start, "unterminated comment");
    *at = l->end;
    return true;
}

/* Moves l->at over white space and comments. */
static void skip_space(struct lexer *l)
{
    while (l->at < l->end && !l->failed) {
        uint32_t splice = splice_length(l, l->at);
        char c = l->text[l->at];
        if (c == '\n') {
            l->is_line_start = true;
            l->at++;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '\0') {
            l->at++;
        } else if (splice != 0) {
            l->at += splice;
        } else if (!skip_comment(l, &l->at)) {
            return;
        }
    }
}

static void skip_blanks(const struct lexer *l, uint32_t *at)
{
    int c = char_at(l, at);
    while (c == ' ' || c == '\t') {
        (*at)++;
        c = char_at(l, at);
    }
}

/* Moves *at from past the `#` of a line to the line's end, if it is a pragma. */
static void skip_pragma_line(struct lexer *l, uint32_t *at)
{
    uint32_t start = *at;
    skip_blanks(l, at);
    uint32_t word = *at;
    skip_name(l, at);
    if (!sv_is((strview){l->text + word, *at - word}, "pragma")) {
        lex_fail(l, start - 1, "a directive other than #pragma in preprocessed text");
        return;
    }
    while (*at < l->end && l->text[*at] != '\n' && !l->failed) {
        uint32_t splice = splice_length(l, *at);
        if (splice != 0)
            *at += splice;
        else if (l->text[*at] == '"')
            skip_quoted(l, at);
        else if (!skip_comment(l, at))
            (*at)++;
    }
    while (l->text[*at - 1] == '\r' || l->text[*at - 1] == ' ')
        (*at)--;
}

/* ---- tokens ------------------------------------------------------------------------------- */

static const struct punctuator {
    const char *text;
    uint16_t len;
    uint16_t code;
} punctuators[] = {
#define PUNCTUATOR(text, code) {text, sizeof(text) - 1, code},
#define DIGRAPH(text, code)    PUNCTUATOR(text, code)
#include "analyzer/syntax/ast_punctuators.def"
#undef DIGRAPH
#undef PUNCTUATOR
};

static void scan_punctuator(struct lexer *l, struct token *t)
{
    char next[3];
    uint32_t ends[3];
    uint32_t at = l->at;
    for (int i = 0; i < 3; i++) {
        int c = char_at(l, &at);
        next[i] = (char)(c < 0 ? '\0' : c);
        ends[i] = c < 0 ? at : ++at;
    }
    for (size_t i = 0; i < COUNTOF(punctuators); i++) {
        const struct punctuator *p = &punctuators[i];
        if (memcmp(p->text, next, p->len) == 0) {
            t->kind = TOKEN_PUNCT;
            t->code = p->code;
            t->end = ends[p->len - 1];
            return;
        }
    }
    lex_fail(l, t->begin, "a character that no C token starts with");
}

/* `_Pragma ( string... )` whose name ends at *at. */
static void scan_pragma_operator(struct lexer *l, struct token *t)
{
    struct lexer inner = *l;
    inner.at = t->end;
    skip_space(&inner);
    bool is_good = inner.at < l->end && l->text[inner.at] == '(';
    inner.at += is_good;
    skip_space(&inner);
    while (is_good && inner.at < l->end && l->text[inner.at] != ')') {
        if (l->text[inner.at] == '"')
            skip_quoted(&inner, &inner.at);
        else if (sv_starts((strview){l->text + inner.at, l->end - inner.at}, "L\""))
            inner.at++;
        else
            is_good = false;
        skip_space(&inner);
    }
    if (is_good && inner.at < l->end && !inner.failed) {
        t->kind = TOKEN_PRAGMA;
        t->end = inner.at + 1;
        return;
    }
    lex_fail(l, t->begin, "_Pragma needs one string literal in parentheses");
}

static bool is_string_prefix(strview text, bool *is_raw)
{
    *is_raw = text.len != 0 && text.at[text.len - 1] == 'R';
    if (*is_raw)
        text.len--;
    return text.len == 0 || sv_is(text, "L") || sv_is(text, "u") || sv_is(text, "U") ||
           sv_is(text, "u8");
}

/* An identifier, a keyword, a literal with a prefix, or _Pragma. */
static void scan_word(struct lexer *l, struct token *t)
{
    t->kind = TOKEN_IDENT;
    t->end = t->begin;
    skip_name(l, &t->end);
    strview text = {l->text + t->begin, t->end - t->begin};
    bool is_raw;
    char after = t->end < l->end ? l->text[t->end] : '\0';
    if ((after == '"' || after == '\'') && is_string_prefix(text, &is_raw) &&
        !(is_raw && after == '\'')) {
        t->kind = after == '"' ? TOKEN_STRING : TOKEN_CHAR;
        if (is_raw)
            skip_raw_string(l, &t->end);
        else
            skip_quoted(l, &t->end);
        return;
    }
    char joined[32]; /* longer than any keyword */
    if (memchr(text.at, '\\', text.len) != NULL) {
        size_t len = 0;
        uint32_t at = t->begin;
        for (int c = char_at(l, &at); at < t->end && len < sizeof joined; c = char_at(l, &at)) {
            joined[len++] = (char)c;
            at++;
        }
        text = (strview){joined, len};
    }
    t->code = ast_lex_keyword(text);
    if (sv_is(text, "_Pragma"))
        scan_pragma_operator(l, t);
}

/* The next token; TOKEN_END at the end or after a failure. */
static struct token scan(struct lexer *l)
{
    skip_space(l);
    struct token t = {.kind = TOKEN_END, .begin = l->at, .end = l->at};
    if (l->failed || l->at >= l->end)
        return t;
    uint32_t next = l->at + 1;
    int c = (unsigned char)l->text[l->at];
    int after = char_at(l, &next);
    if (is_digit(c) || (c == '.' && is_digit(after))) {
        t.kind = TOKEN_NUMBER;
        skip_number(l, &t.end);
    } else if (c == '"' || c == '\'') {
        t.kind = c == '"' ? TOKEN_STRING : TOKEN_CHAR;
        skip_quoted(l, &t.end);
    } else if (is_name_start(c) || ucn_length(l->text, l->at, l->end) != 0) {
        scan_word(l, &t);
    } else if (l->is_line_start && (c == '#' || (c == '%' && after == ':'))) {
        t.kind = TOKEN_PRAGMA;
        t.end = c == '#' ? l->at + 1 : next + 1;
        skip_pragma_line(l, &t.end);
    } else {
        scan_punctuator(l, &t);
    }
    l->is_line_start = false;
    l->at = t.end;
    if (l->failed)
        t.kind = TOKEN_END;
    return t;
}

struct token *ast_lex(arena *mem, strview buffer, uint32_t begin, uint32_t end, uint32_t *count,
                      struct ast_parse_error *error)
{
    const struct lexer start = {
        .text = buffer.at, .at = begin, .end = end, .is_line_start = true, .error = error};
    struct lexer l = start;
    uint32_t n = 0;
    while (scan(&l).kind != TOKEN_END)
        n++;
    if (l.failed)
        return NULL;
    struct token *tokens = ARENA_ARRAY(mem, struct token, (size_t)n + 1);
    l = start;
    for (uint32_t i = 0; i <= n; i++)
        tokens[i] = scan(&l);
    *count = n;
    return tokens;
}
