/* SPDX-License-Identifier: MIT */
/*
 * How is a file cut into preprocessing tokens (C11 6.4)? Once, with a table of its directives in
 * which each #if knows the next #elif, #else or #endif of its group: so a group that is skipped
 * costs nothing, however often the file is included.
 *
 * Line splices are taken out of the text before; where they stood is kept for the line numbers.
 * Characters of the classes below are the common case of each loop.
 */
#include "analyzer/preprocess/pp_private.h"

enum { LETTER = 1, DIGIT = 2, BLANK = 4 };

#define FIVE(c, class)                                                                             \
    [(c)] = class, [(c) + 1] = class, [(c) + 2] = class, [(c) + 3] = class, [(c) + 4] = class
#define TEN(c, class) FIVE(c, class), FIVE((c) + 5, class)
#define ALPHABET(c, class)                                                                         \
    TEN(c, class), TEN((c) + 10, class), FIVE((c) + 20, class), [(c) + 25] = class
#define FORTY(c, class)                                                                            \
    TEN(c, class), TEN((c) + 10, class), TEN((c) + 20, class), TEN((c) + 30, class)

static const uint8_t classes[256] = {
    ALPHABET('a', LETTER),    ALPHABET('A', LETTER),
    FORTY(0x80, LETTER), /* bytes of UTF-8 */
    FORTY(0x80 + 40, LETTER), FORTY(0x80 + 80, LETTER),
    FIVE(0x80 + 120, LETTER), [0x80 + 125] = LETTER,
    [0x80 + 126] = LETTER,    [0x80 + 127] = LETTER,
    ['_'] = LETTER,           ['$'] = LETTER,
    TEN('0', DIGIT),          [' '] = BLANK,
    ['\t'] = BLANK,           ['\r'] = BLANK,
    ['\f'] = BLANK,           ['\v'] = BLANK,
    ['\0'] = BLANK,
};

struct lexer {
    struct pp_names *names;
    arena *mem;
    struct pp_file *file;
    const char *at, *end;
    const uint32_t *splices; /* offsets in the clean text; the last is UINT32_MAX */
    uint32_t line;
    uint8_t flags; /* of the next token */
};

/* ---- splices --------------------------------------------------------------------------------- */

/* The line end that the backslash at p splices, or NULL. */
static const char *splice_end(const char *p, const char *end)
{
    p++;
    while (p < end && *p != '\n' && (classes[(unsigned char)*p] & BLANK) != 0)
        p++;
    return p < end && *p == '\n' ? p + 1 : NULL;
}

/* The text without splices, and where they were. */
static strview without_splices(arena *mem, strview text, const uint32_t **splices)
{
    static const uint32_t none[] = {UINT32_MAX};
    VEC(uint32_t) at = {0};
    const char *end = text.at + text.len, *from = text.at;
    char *copy = NULL, *to = NULL;
    for (const char *p = text.at; (p = memchr(p, '\\', (size_t)(end - p))) != NULL;) {
        const char *behind = splice_end(p, end);
        if (behind == NULL) {
            p++;
            continue;
        }
        if (copy == NULL)
            to = copy = arena_alloc(mem, text.len + 1);
        memcpy(to, from, (size_t)(p - from));
        to += p - from;
        from = p = behind;
        VEC_PUSH(mem, &at, (uint32_t)(to - copy));
    }
    *splices = none;
    if (copy == NULL)
        return text;
    memcpy(to, from, (size_t)(end - from));
    to += end - from;
    VEC_PUSH(mem, &at, UINT32_MAX);
    *splices = at.at;
    return (strview){copy, (size_t)(to - copy)};
}

static bool has_trigraph(strview text)
{
    const char *end = text.at + text.len;
    for (const char *p = text.at; (p = memchr(p, '?', (size_t)(end - p))) != NULL; p++) {
        if (end - p > 2 && p[1] == '?' && strchr("=/'()!<>-", p[2]) != NULL && p[2] != '\0')
            return true;
    }
    return false;
}

/* ---- what lies between tokens ---------------------------------------------------------------- */

static void count_splices(struct lexer *x)
{
    while (*x->splices <= (size_t)(x->at - x->file->text.at)) {
        x->splices++;
        x->line++;
    }
}

static void fail(struct lexer *x, const char *why)
{
    if (x->file->broken == NULL)
        x->file->broken = why;
}

static void skip_block_comment(struct lexer *x)
{
    const char *p = x->at + 2;
    for (;; p++) {
        if (p >= x->end) {
            fail(x, "an open comment");
            break;
        }
        x->line += *p == '\n';
        if (*p == '*' && p[1] == '/') {
            p += 2;
            break;
        }
    }
    x->at = p;
}

/* Skips blanks, comments and line ends; x->flags says which. */
static void skip_blanks(struct lexer *x)
{
    while (x->at < x->end) {
        unsigned char c = (unsigned char)*x->at;
        if ((classes[c] & BLANK) != 0) {
            x->flags |= PP_SPACE;
            x->at++;
        } else if (c == '\n') {
            count_splices(x);
            x->flags |= PP_SPACE | PP_FIRST;
            x->line++;
            x->at++;
        } else if (c == '/' && x->at[1] == '*') {
            x->flags |= PP_SPACE;
            skip_block_comment(x);
        } else if (c == '/' && x->at[1] == '/') {
            x->flags |= PP_SPACE;
            const char *end = memchr(x->at, '\n', (size_t)(x->end - x->at));
            x->at = end != NULL ? end : x->end;
        } else {
            break;
        }
    }
}

/* ---- tokens ---------------------------------------------------------------------------------- */

/* The end of the literal whose quote is at p, or NULL if it is open. */
static const char *literal_end(const char *p, const char *end)
{
    char quote = *p++;
    for (; p < end && *p != '\n'; p++) {
        if (*p == quote)
            return p + 1;
        if (*p == '\\' && p + 1 < end && p[1] != '\n')
            p++;
    }
    return NULL;
}

static void literal(struct lexer *x, struct pp_token *t, const char *quote)
{
    const char *behind = literal_end(quote, x->end);
    t->kind = *quote == '"' ? PP_STRING : PP_CHAR;
    if (behind == NULL) {
        t->kind = PP_BAD;
        behind = memchr(quote, '\n', (size_t)(x->end - quote));
        behind = behind != NULL ? behind : x->end;
    }
    x->at = behind;
}

static bool is_raw_prefix(strview word)
{
    return sv_is(word, "R") || sv_is(word, "LR") || sv_is(word, "uR") || sv_is(word, "UR") ||
           sv_is(word, "u8R");
}

static bool is_literal_prefix(strview word)
{
    return sv_is(word, "L") || sv_is(word, "u") || sv_is(word, "U") || sv_is(word, "u8");
}

/* A word, or the literal that it is the prefix of. */
static void word(struct lexer *x, struct pp_token *t)
{
    uint32_t hash = 0;
    const char *p = x->at;
    while ((classes[(unsigned char)*p] & (LETTER | DIGIT)) != 0)
        hash = hash * 31 + (unsigned char)*p++;
    strview text = {x->at, (size_t)(p - x->at)};
    if ((*p == '"' || *p == '\'') && text.len <= 3) {
        if (is_literal_prefix(text)) {
            literal(x, t, p);
            return;
        }
        if (*p == '"' && is_raw_prefix(text)) {
            t->kind = PP_BAD;
            x->at = p;
            return;
        }
    }
    t->kind = *p == '\\' && (p[1] == 'u' || p[1] == 'U') ? PP_BAD : PP_NAME;
    t->name = pp_names_find(x->names, text, hash);
    x->at = p;
}

static void number(struct lexer *x, struct pp_token *t)
{
    const char *p = x->at + 1;
    t->kind = PP_NUMBER;
    for (;; p++) {
        bool is_sign = (*p == '+' || *p == '-') && strchr("eEpP", p[-1]) != NULL;
        bool is_separator = *p == '\'' && (classes[(unsigned char)p[1]] & (LETTER | DIGIT)) != 0;
        if (is_separator)
            t->kind = PP_BAD; /* a digit separator or a literal: depends on the language's year */
        if (!is_sign && *p != '.' && (classes[(unsigned char)*p] & (LETTER | DIGIT)) == 0)
            break;
    }
    x->at = p;
}

static unsigned punctuator_len(const char *p)
{
    switch (p[0]) {
    case '+':
    case '&':
    case '|':
        return p[1] == p[0] || p[1] == '=' ? 2 : 1;
    case '-':
        return p[1] == '-' || p[1] == '=' || p[1] == '>' ? 2 : 1;
    case '<':
        if (p[1] == '<')
            return p[2] == '=' ? 3 : 2;
        return p[1] == '=' || p[1] == ':' || p[1] == '%' ? 2 : 1;
    case '>':
        if (p[1] == '>')
            return p[2] == '=' ? 3 : 2;
        return p[1] == '=' ? 2 : 1;
    case '=':
    case '!':
    case '*':
    case '/':
    case '^':
        return p[1] == '=' ? 2 : 1;
    case '.':
        return p[1] == '.' && p[2] == '.' ? 3 : 1;
    case '#':
        return p[1] == '#' ? 2 : 1;
    case ':':
        return p[1] == '>' ? 2 : 1;
    case '%':
        if (p[1] == ':')
            return p[2] == '%' && p[3] == ':' ? 4 : 2;
        return p[1] == '=' || p[1] == '>' ? 2 : 1;
    default:
        return 1;
    }
}

static void punctuator(struct lexer *x, struct pp_token *t)
{
    unsigned len = punctuator_len(x->at);
    t->kind = PP_PUNCT;
    for (unsigned i = 0; i < len && i < 3; i++)
        t->code |= (uint32_t)(unsigned char)x->at[i] << (8 * i);
    if (t->code == PP2('%', ':'))
        t->code = '#';
    if (len == 4)
        t->code = PP2('#', '#');
    x->at += len;
}

static void read_token(struct lexer *x, struct pp_token *t)
{
    unsigned char c = (unsigned char)*x->at;
    *t = (struct pp_token){.text = x->at, .line = x->line, .flags = x->flags};
    if ((classes[c] & LETTER) != 0) {
        word(x, t);
    } else if ((classes[c] & DIGIT) != 0 ||
               (c == '.' && (classes[(unsigned char)x->at[1]] & DIGIT) != 0)) {
        number(x, t);
    } else if (c == '"' || c == '\'') {
        literal(x, t, x->at);
    } else if (c == '\\' && (x->at[1] == 'u' || x->at[1] == 'U')) {
        t->kind = PP_BAD;
        x->at++;
    } else if (c > ' ' && c < 0x7f && c != '\\' && c != '@' && c != '`') {
        punctuator(x, t);
    } else {
        t->kind = PP_OTHER;
        x->at++;
    }
    t->len = (uint32_t)(x->at - t->text);
    x->flags = 0;
}

/* ---- directives ------------------------------------------------------------------------------ */

/* What #if, #elif or #else of open groups was last. */
typedef VEC(uint32_t) group_list;

static void note_group(struct lexer *x, group_list *groups, uint32_t index)
{
    struct pp_file *f = x->file;
    enum pp_directive_kind kind = f->directives.at[index].kind;
    bool opens =
        kind == PP_DIRECTIVE_if || kind == PP_DIRECTIVE_ifdef || kind == PP_DIRECTIVE_ifndef;
    bool closes = kind == PP_DIRECTIVE_endif;
    bool goes_on = kind == PP_DIRECTIVE_elif || kind == PP_DIRECTIVE_else ||
                   kind == PP_DIRECTIVE_elifdef || kind == PP_DIRECTIVE_elifndef;
    if (opens) {
        VEC_PUSH(x->mem, groups, index);
    } else if (closes || goes_on) {
        if (groups->count == 0) {
            fail(x, "a directive without its #if");
            return;
        }
        f->directives.at[VEC_LAST(groups)].next = index;
        if (closes)
            groups->count--;
        else
            VEC_LAST(groups) = index;
    }
}

/* The directive whose `#` is token `hash` and whose line ends before `end`. */
static void note_directive(struct lexer *x, group_list *groups, uint32_t hash, uint32_t end)
{
    struct pp_file *f = x->file;
    struct pp_directive d = {
        .kind = PP_DIRECTIVE_empty, .hash = hash, .operand = hash + 2, .end = end};
    if (hash + 1 < end) {
        const struct pp_token *word = &f->tokens[hash + 1];
        d.kind = word->kind == PP_NAME && word->name->directive != 0 ? word->name->directive
                                                                     : PP_DIRECTIVE_unknown;
    }
    d.operand = d.operand < end ? d.operand : end;
    f->tokens[hash].directive = (uint32_t)f->directives.count;
    VEC_PUSH(x->mem, &f->directives, d);
    note_group(x, groups, (uint32_t)f->directives.count - 1);
    bool is_once = d.kind == PP_DIRECTIVE_pragma && d.operand < end &&
                   f->tokens[d.operand].kind == PP_NAME &&
                   sv_is(f->tokens[d.operand].name->text, "once");
    if (is_once && f->once == NULL)
        f->once = ARENA_NEW(x->mem, struct pp_name);
}

static void note_directives(struct lexer *x, size_t count)
{
    struct pp_file *f = x->file;
    group_list groups = {0};
    for (uint32_t t = 0; t < count; t++) {
        const struct pp_token *hash = &f->tokens[t];
        if ((hash->flags & PP_FIRST) == 0 || hash->code != '#')
            continue;
        uint32_t end = t + 1;
        while ((f->tokens[end].flags & PP_FIRST) == 0)
            end++;
        note_directive(x, &groups, t, end);
        t = end - 1;
    }
    if (groups.count != 0)
        fail(x, "an #if without #endif");
}

void pp_lex_file(struct pp_names *names, arena *mem, strview text, bool has_trigraphs,
                 struct pp_file *file)
{
    struct lexer x = {.names = names, .mem = mem, .file = file, .line = 1, .flags = PP_FIRST};
    if (has_trigraphs && has_trigraph(text))
        fail(&x, "trigraphs");
    file->text = without_splices(mem, text, &x.splices);
    names->scratch.count = 0;
    x.at = file->text.at;
    x.end = file->text.at + file->text.len;
    for (;;) {
        skip_blanks(&x);
        count_splices(&x);
        if (x.at >= x.end)
            break;
        struct pp_token t;
        read_token(&x, &t);
        VEC_PUSH(names->mem, &names->scratch, t);
    }
    struct pp_token last = {.text = "", .line = x.line, .kind = PP_END, .flags = PP_FIRST};
    VEC_PUSH(names->mem, &names->scratch, last);
    file->tokens = arena_copy(mem, names->scratch.at, names->scratch.count * sizeof last);
    note_directives(&x, names->scratch.count);
}

struct pp_token pp_lex_one(struct pp_names *names, strview text)
{
    static const uint32_t none[] = {UINT32_MAX};
    struct pp_file file = {.text = text};
    struct lexer x = {
        .names = names, .file = &file, .at = text.at, .end = text.at + text.len, .splices = none};
    struct pp_token t = {.text = text.at, .kind = PP_BAD};
    bool is_comment =
        text.len >= 2 && text.at[0] == '/' && (text.at[1] == '/' || text.at[1] == '*');
    if (text.len == 0 || is_comment)
        return t;
    read_token(&x, &t);
    if (x.at != x.end || t.kind == PP_OTHER)
        t.kind = PP_BAD;
    return t;
}
