/* SPDX-License-Identifier: MIT */
/*
 * The lexer of ast_lex.h: one pass, which a table of character classes drives, since the headers of
 * a source are hundreds of kilobytes. `scan` finds where a token ends; line splices (backslash,
 * newline) may stand anywhere in a token, though preprocessed text has none: names are read up to
 * the first backslash, and only then by the way that knows splices.
 *
 * Keywords are found by a hash of length and three characters, punctuators in a chain of those with
 * the same first character; both tables are made when lexing starts, of the .def files.
 */
#include "analyzer/syntax/ast_lex.h"

#include <stdio.h>

#include "analyzer/base/check.h"

/* ---- tables --------------------------------------------------------------------------------- */

static const struct keyword {
    const char *spelling;
    uint16_t len, code;
} keywords[] = {
#define KEYWORD(spelling, code) {spelling, sizeof(spelling) - 1, code},
#include "analyzer/syntax/ast_keywords.def"
#undef KEYWORD
};

static const struct punctuator {
    const char *text;
    uint16_t len, code;
} punctuators[] = {
#define PUNCTUATOR(text, code) {text, sizeof(text) - 1, code},
#define DIGRAPH(text, code)    PUNCTUATOR(text, code)
#include "analyzer/syntax/ast_punctuators.def"
#undef DIGRAPH
#undef PUNCTUATOR
};

enum { KEYWORD_SLOTS = 512, NO_ENTRY = 255 };

struct lex_tables {
    uint8_t keyword[KEYWORD_SLOTS];     /* index in `keywords`, or NO_ENTRY */
    uint8_t first[128];                 /* [character]: its first punctuator, or NO_ENTRY */
    uint8_t next[COUNTOF(punctuators)]; /* the next one with the same first character */
};

static uint32_t keyword_slot(const char *text, size_t len)
{
    uint32_t first = (unsigned char)text[0], middle = (unsigned char)text[len / 2],
             last = (unsigned char)text[len - 1];
    return (uint32_t)(len * 37 + first * 5 + middle * 29 + last * 11) % KEYWORD_SLOTS;
}

static void make_tables(struct lex_tables *tables)
{
    memset(tables, NO_ENTRY, sizeof *tables);
    for (size_t i = 0; i < COUNTOF(keywords); i++) {
        uint32_t slot = keyword_slot(keywords[i].spelling, keywords[i].len);
        while (tables->keyword[slot] != NO_ENTRY)
            slot = (slot + 1) % KEYWORD_SLOTS;
        tables->keyword[slot] = (uint8_t)i;
    }
    for (size_t i = COUNTOF(punctuators); i-- > 0;) {
        uint8_t *first = &tables->first[(unsigned char)punctuators[i].text[0]];
        tables->next[i] = *first;
        *first = (uint8_t)i;
    }
}

/* The KW_... of an identifier's text, or 0. */
static uint16_t keyword_code(const struct lex_tables *tables, strview text)
{
    uint32_t slot = keyword_slot(text.at, text.len);
    for (; tables->keyword[slot] != NO_ENTRY; slot = (slot + 1) % KEYWORD_SLOTS) {
        const struct keyword *k = &keywords[tables->keyword[slot]];
        if (k->len == text.len && memcmp(k->spelling, text.at, text.len) == 0)
            return k->code;
    }
    return 0;
}

/* What a character may be: bits. */
enum { CHAR_SPACE = 1, CHAR_NAME = 2, CHAR_DIGIT = 4 };

#define N CHAR_NAME
#define D CHAR_DIGIT
#define S CHAR_SPACE
static const uint8_t classes[256] = {
    S, 0, 0, 0, 0, 0, 0, 0, 0, S, S, S, S, S, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    S, 0, 0, 0, N, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, D, D, D, D, D, D, D, D, D, D, 0, 0, 0, 0, 0, 0,
    0, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, 0, 0, 0, 0, N,
    0, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, 0, 0, 0, 0, 0,
    N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N,
    N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N,
    N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N,
    N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N};
#undef N
#undef D
#undef S

struct lexer {
    const struct lex_tables *tables;
    const char *text; /* the buffer */
    uint32_t at, end; /* offsets in it */
    bool is_line_start;
    struct ast_parse_error *error;
    bool failed;
    const struct blank_run *runs; /* not yet passed; one behind the end of the text is the last */
};

/* ---- names or keywords ---------------------------------------------------------------------- */

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
    return c >= 0 && (classes[c] & CHAR_DIGIT) != 0;
}

static bool is_name_part(int c)
{
    return c >= 0 && (classes[c] & (CHAR_NAME | CHAR_DIGIT)) != 0;
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

static inline uint32_t behind_name_part(const struct lexer *l, uint32_t at)
{
    const char *p = l->text + at, *end = l->text + l->end;
    while (p < end && (classes[(unsigned char)*p] & (CHAR_NAME | CHAR_DIGIT)) != 0)
        p++;
    return (uint32_t)(p - l->text);
}

/* Moves *at on from a backslash at the end of a name; did a splice or UCN stand there? */
static bool skip_special_name(const struct lexer *l, uint32_t *at)
{
    bool is_special = false;
    while (*at < l->end && l->text[*at] == '\\') {
        uint32_t here = *at, len = 1;
        int c = char_at(l, &here);
        if (c == '\\')
            len = ucn_length(l->text, here, l->end);
        else if (!is_name_part(c))
            break;
        if (len == 0)
            break;
        is_special = true;
        *at = behind_name_part(l, here + len);
    }
    return is_special;
}

/* Moves *at over name characters; are there splices or UCNs among them? */
static inline bool skip_name(const struct lexer *l, uint32_t *at)
{
    *at = behind_name_part(l, *at);
    return *at < l->end && l->text[*at] == '\\' && skip_special_name(l, at);
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
            if (!is_name_part(after))
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
    const char *text = l->text;
    uint32_t at = l->at, end = l->end, splice;
    while (at < end) {
        unsigned char c = (unsigned char)text[at];
        if ((classes[c] & CHAR_SPACE) != 0) {
            at++;
            if (c != '\n')
                continue;
            l->is_line_start = true;
            for (; l->runs->begin <= at; l->runs++)
                at = at < l->runs->end ? l->runs->end : at;
        } else if (c == '\\' && (splice = splice_length(l, at)) != 0) {
            at += splice;
        } else if (c != '/' || !skip_comment(l, &at) || l->failed) {
            break;
        }
    }
    l->at = at;
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

static void scan_punctuator(struct lexer *l, struct token *t)
{
    unsigned char start = (unsigned char)l->text[l->at];
    uint8_t i = start < 128 ? l->tables->first[start] : NO_ENTRY;
    if (i != NO_ENTRY && punctuators[i].len == 1) { /* the longest ones stand first */
        t->kind = TOKEN_PUNCT;
        t->code = punctuators[i].code;
        t->end = l->at + 1;
        return;
    }
    char next[3];
    uint32_t ends[3];
    uint32_t at = l->at;
    for (int k = 0; k < 3; k++) {
        int c = char_at(l, &at);
        next[k] = (char)(c < 0 ? '\0' : c);
        ends[k] = c < 0 ? at : ++at;
    }
    for (; i != NO_ENTRY; i = l->tables->next[i]) {
        const struct punctuator *p = &punctuators[i];
        bool is_it = (p->len < 2 || p->text[1] == next[1]) && (p->len < 3 || p->text[2] == next[2]);
        if (!is_it)
            continue;
        t->kind = TOKEN_PUNCT;
        t->code = p->code;
        t->end = ends[p->len - 1];
        return;
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
    bool is_special = skip_name(l, &t->end), is_raw;
    strview text = {l->text + t->begin, t->end - t->begin};
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
    if (is_special) {
        size_t len = 0;
        uint32_t at = t->begin;
        for (int c = char_at(l, &at); at < t->end && len < sizeof joined; c = char_at(l, &at)) {
            joined[len++] = (char)c;
            at++;
        }
        text = (strview){joined, len};
    }
    t->code = keyword_code(l->tables, text);
    if (text.at[0] == '_' && sv_is(text, "_Pragma"))
        scan_pragma_operator(l, t);
}

/* Reads the next token; TOKEN_END at the end or after a failure. */
static void scan(struct lexer *l, struct token *t)
{
    skip_space(l);
    *t = (struct token){.kind = TOKEN_END, .begin = l->at, .end = l->at};
    if (l->failed || l->at >= l->end)
        return;
    int c = (unsigned char)l->text[l->at];
    uint32_t next = l->at + 1;
    if ((classes[c] & CHAR_NAME) != 0) {
        scan_word(l, t);
    } else if ((classes[c] & CHAR_DIGIT) != 0 || (c == '.' && is_digit(char_at(l, &next)))) {
        t->kind = TOKEN_NUMBER;
        skip_number(l, &t->end);
    } else if (c == '"' || c == '\'') {
        t->kind = c == '"' ? TOKEN_STRING : TOKEN_CHAR;
        skip_quoted(l, &t->end);
    } else if (l->is_line_start && (c == '#' || (c == '%' && char_at(l, &next) == ':'))) {
        t->kind = TOKEN_PRAGMA;
        t->end = next + (c == '%');
        skip_pragma_line(l, &t->end);
    } else if (c == '\\' && ucn_length(l->text, l->at, l->end) != 0) {
        scan_word(l, t);
    } else {
        scan_punctuator(l, t);
    }
    l->is_line_start = false;
    l->at = t->end;
    if (l->failed)
        t->kind = TOKEN_END;
}

/* All tokens from l->at on; about as many as the text is expected to have find room at first. */
static struct token *scan_all(arena *mem, struct lexer *l, size_t expected, uint32_t *count)
{
    struct lex_tables tables;
    size_t n = 0, capacity = expected + 16;
    struct token *tokens = ARENA_ARRAY(mem, struct token, capacity);
    make_tables(&tables);
    l->tables = &tables;
    for (;; n++) {
        if (n == capacity) {
            struct token *larger = ARENA_ARRAY(mem, struct token, capacity * 2);
            memcpy(larger, tokens, capacity * sizeof *tokens);
            tokens = larger;
            capacity *= 2;
        }
        scan(l, &tokens[n]);
        if (tokens[n].kind == TOKEN_END)
            break;
    }
    l->tables = NULL;
    arena_trim(mem, tokens, capacity * sizeof *tokens, (n + 1) * sizeof *tokens);
    if (l->failed)
        return NULL;
    *count = (uint32_t)n;
    return tokens;
}

static const struct blank_run no_more_runs = {UINT32_MAX, UINT32_MAX};

struct token *ast_lex(arena *mem, strview buffer, uint32_t begin, uint32_t end, uint32_t *count,
                      struct ast_parse_error *error)
{
    struct lexer l = {.text = buffer.at,
                      .at = begin,
                      .end = end,
                      .is_line_start = true,
                      .error = error,
                      .runs = &no_more_runs};
    return scan_all(mem, &l, (end - begin) / 4, count);
}

struct token *ast_lex_around(arena *mem, strview buffer, const struct blank_run *runs,
                             size_t run_count, uint32_t *count, struct ast_parse_error *error)
{
    size_t blank = 0;
    for (size_t i = 0; i < run_count; i++)
        blank += runs[i].end - runs[i].begin;
    struct blank_run *ended = ARENA_ARRAY(mem, struct blank_run, run_count + 1);
    if (run_count != 0)
        memcpy(ended, runs, run_count * sizeof *runs);
    ended[run_count] = no_more_runs;
    struct lexer l = {.text = buffer.at,
                      .end = (uint32_t)buffer.len,
                      .is_line_start = true,
                      .error = error,
                      .runs = ended};
    if (ended->begin == 0)
        l.at = (ended++)->end;
    l.runs = ended;
    return scan_all(mem, &l, (buffer.len - blank) / 4, count);
}
