/* SPDX-License-Identifier: MIT */
/*
 * Is the condition of an #if true (C11 6.10.1)? A precedence climber that pulls its tokens through
 * macro expansion, so that the operand of `defined` can be taken as written. All values are 64 bits
 * wide, signed or not.
 */
#include <stdlib.h>

#include "analyzer/preprocess/pp_private.h"

struct condition {
    struct pp_run *r;
    struct pp_token t; /* the next one */
    bool is_skipped;   /* the value does not matter: a division by zero may stand here */
    unsigned depth;
};

struct value {
    uint64_t bits;
    bool is_unsigned;
};

enum { DEEPEST = 256 };

static struct value value_of(int64_t n)
{
    return (struct value){(uint64_t)n, false};
}

static struct value fail(struct condition *c, const char *why)
{
    pp_give_up(c->r, why);
    c->t.kind = PP_END;
    return value_of(0);
}

static void advance(struct condition *c)
{
    c->t = pp_next(c->r);
}

static bool is_punct(const struct condition *c, uint32_t code)
{
    return c->t.kind == PP_PUNCT && c->t.code == code;
}

/* ---- literals -------------------------------------------------------------------------------- */

static struct value number(struct condition *c)
{
    char text[64];
    if (c->t.len >= sizeof text)
        return fail(c, "a long number in #if");
    memcpy(text, c->t.text, c->t.len);
    text[c->t.len] = '\0';
    const char *digits = text;
    int base = 0;
    if (text[0] == '0' && (text[1] == 'b' || text[1] == 'B')) {
        digits = text + 2;
        base = 2;
    }
    char *end;
    struct value v = {strtoull(digits, &end, base), false};
    size_t suffix = strspn(end, "uUlL");
    if (end == digits || suffix > 3 || end[suffix] != '\0')
        return fail(c, "an odd number in #if");
    v.is_unsigned = strpbrk(end, "uU") != NULL || v.bits > INT64_MAX;
    advance(c);
    return v;
}

/* Is this macro defined, by the compiler or the source? */
static bool is_macro(struct condition *c, const char *name)
{
    strview text = sv_from(name);
    struct pp_name *n = pp_names_find(&c->r->pp->names, text, pp_hash(text));
    pp_note_lookup(c->r, n);
    return n->macro != NULL;
}

static struct value character(struct condition *c)
{
    static const char escapes[] = "n\nt\tr\ra\ab\bf\fv\v\\\\\'\'\"\"?\?";
    const char *p = memchr(c->t.text, '\'', c->t.len), *end = c->t.text + c->t.len - 1;
    bool is_wide = c->t.text[0] == 'L', is_narrow = p == c->t.text;
    int value = (unsigned char)*++p;
    if (*p == '\\') {
        p++;
        value = *p == '0' ? 0 : -1;
        for (const char *e = escapes; *e != '\0'; e += 2)
            value = *e == *p ? (unsigned char)e[1] : value;
    }
    if (value < 0 || value > 0x7f || p + 1 != end)
        return fail(c, "an odd character in #if");
    struct value v = value_of(value);
    v.is_unsigned = !is_narrow && (!is_wide || is_macro(c, "__WCHAR_UNSIGNED__"));
    advance(c);
    return v;
}

/* ---- operands that are asked ----------------------------------------------------------------- */

static struct value defined(struct condition *c)
{
    struct pp_token t = pp_take(c->r);
    bool has_parenthesis = t.kind == PP_PUNCT && t.code == '(';
    if (has_parenthesis)
        t = pp_take(c->r);
    if (t.kind != PP_NAME)
        return fail(c, "`defined` without a name");
    pp_note_lookup(c->r, t.name);
    struct value v = value_of(t.name->macro != NULL);
    if (has_parenthesis) {
        t = pp_take(c->r);
        if (t.kind != PP_PUNCT || t.code != ')')
            return fail(c, "`defined` that is not closed");
    }
    advance(c);
    return v;
}

/* The tokens of "(...)", which come next; false: there is none. */
static bool parenthesized(struct condition *c, strbuf *text, const struct pp_token **at,
                          uint32_t *count)
{
    VEC(struct pp_token) tokens = {0};
    struct pp_token t = pp_take(c->r);
    if (t.kind != PP_PUNCT || t.code != '(')
        return false;
    for (unsigned depth = 1;;) {
        t = pp_take(c->r);
        if (t.kind == PP_END)
            return false;
        if (t.kind == PP_PUNCT)
            depth += (t.code == '(') - (unsigned)(t.code == ')');
        if (depth == 0)
            break;
        VEC_PUSH(c->r->mem, &tokens, t);
    }
    *at = tokens.at;
    *count = (uint32_t)tokens.count;
    pp_spell(text, tokens.at, tokens.at + tokens.count);
    return true;
}

static struct value has_include(struct condition *c, bool is_next)
{
    strbuf text = strbuf_in(c->r->mem);
    const struct pp_token *at;
    uint32_t count;
    strview name;
    bool is_quoted;
    if (!parenthesized(c, &text, &at, &count) ||
        !pp_include_operand(c->r, at, at + count, &name, &is_quoted))
        return fail(c, "an odd __has_include");
    bool is_found = pp_search(c->r, name, is_quoted, is_next) != NULL;
    advance(c);
    return value_of(is_found);
}

static struct value asked(struct condition *c, const struct pp_name *name)
{
    const struct pp_token *at;
    uint32_t count;
    long answer;
    strbuf text = strbuf_in(c->r->mem);
    strbuf_sv(&text, name->text);
    strbuf_char(&text, '(');
    if (!parenthesized(c, &text, &at, &count))
        return fail(c, "an odd question to the compiler");
    strbuf_char(&text, ')');
    if (!pp_ask(c->r, name, strbuf_text(&text), &answer))
        return fail(c, "a question that the compiler does not answer");
    advance(c);
    return value_of(answer);
}

static struct value name(struct condition *c)
{
    struct pp_name *n = c->t.name;
    if (sv_is(n->text, "defined"))
        return defined(c);
    if (n->macro != NULL && n->macro->builtin == PP_ASKED)
        return asked(c, n);
    if (n->macro != NULL && n->macro->builtin == PP_HAS_INCLUDE)
        return has_include(c, false);
    if (n->macro != NULL && n->macro->builtin == PP_HAS_INCLUDE_NEXT)
        return has_include(c, true);
    if (sv_is(n->text, "true") || sv_is(n->text, "__has_embed"))
        return fail(c, "a word of C23 in #if");
    advance(c);
    return value_of(0);
}

/* ---- operators ------------------------------------------------------------------------------- */

static struct value conditional(struct condition *c);

static struct value primary(struct condition *c)
{
    if (c->t.kind == PP_NUMBER)
        return number(c);
    if (c->t.kind == PP_CHAR)
        return character(c);
    if (c->t.kind == PP_NAME)
        return name(c);
    if (!is_punct(c, '('))
        return fail(c, "an odd #if");
    if (c->depth >= DEEPEST)
        return fail(c, "a deep #if");
    c->depth++;
    advance(c);
    struct value v = conditional(c);
    c->depth--;
    if (!is_punct(c, ')'))
        return fail(c, "an #if that is not closed");
    advance(c);
    return v;
}

static struct value unary(struct condition *c)
{
    uint32_t code = c->t.kind == PP_PUNCT ? c->t.code : 0;
    if (code != '!' && code != '-' && code != '+' && code != '~')
        return primary(c);
    if (c->depth >= DEEPEST)
        return fail(c, "a deep #if");
    c->depth++;
    advance(c);
    struct value v = unary(c);
    c->depth--;
    if (code == '!')
        return value_of(v.bits == 0);
    if (code == '-')
        v.bits = -v.bits;
    if (code == '~')
        v.bits = ~v.bits;
    return v;
}

static const struct {
    uint32_t code;
    int precedence;
} operators[] = {
    {'*', 10},          {'/', 10},          {'%', 10},          {'+', 9}, {'-', 9},
    {PP2('<', '<'), 8}, {PP2('>', '>'), 8}, {'<', 7},           {'>', 7}, {PP2('<', '='), 7},
    {PP2('>', '='), 7}, {PP2('=', '='), 6}, {PP2('!', '='), 6}, {'&', 5}, {'^', 4},
    {'|', 3},           {PP2('&', '&'), 2}, {PP2('|', '|'), 1},
};

static int precedence(const struct condition *c)
{
    for (size_t i = 0; c->t.kind == PP_PUNCT && i < COUNTOF(operators); i++) {
        if (operators[i].code == c->t.code)
            return operators[i].precedence;
    }
    return 0;
}

static struct value divide(struct condition *c, bool is_remainder, struct value a, struct value b)
{
    bool is_unsigned = a.is_unsigned || b.is_unsigned;
    if (b.bits == 0) {
        if (!c->is_skipped)
            return fail(c, "a division by zero in #if");
        return value_of(0);
    }
    struct value v = {0, is_unsigned};
    if (is_unsigned)
        v.bits = is_remainder ? a.bits % b.bits : a.bits / b.bits;
    else if ((int64_t)b.bits == -1)
        v.bits = is_remainder ? 0 : -a.bits;
    else
        v.bits = (uint64_t)(is_remainder ? (int64_t)a.bits % (int64_t)b.bits
                                         : (int64_t)a.bits / (int64_t)b.bits);
    return v;
}

static struct value shift(bool is_left, struct value a, struct value b)
{
    int64_t n = (int64_t)b.bits;
    if (!b.is_unsigned && n < 0) {
        is_left = !is_left;
        n = -n;
    }
    bool is_far = n < 0 || n > 63;
    bool is_negative = !a.is_unsigned && (int64_t)a.bits < 0;
    struct value v = {0, a.is_unsigned};
    if (is_left)
        v.bits = is_far ? 0 : a.bits << n;
    else if (is_negative)
        v.bits = is_far ? UINT64_MAX : ~(~a.bits >> n);
    else
        v.bits = is_far ? 0 : a.bits >> n;
    return v;
}

static bool is_less(struct value a, struct value b)
{
    return a.is_unsigned || b.is_unsigned ? a.bits < b.bits : (int64_t)a.bits < (int64_t)b.bits;
}

static struct value apply(struct condition *c, uint32_t code, struct value a, struct value b)
{
    struct value v = {0, a.is_unsigned || b.is_unsigned};
    switch (code) {
    case '*':
        v.bits = a.bits * b.bits;
        return v;
    case '+':
        v.bits = a.bits + b.bits;
        return v;
    case '-':
        v.bits = a.bits - b.bits;
        return v;
    case '&':
        v.bits = a.bits & b.bits;
        return v;
    case '|':
        v.bits = a.bits | b.bits;
        return v;
    case '^':
        v.bits = a.bits ^ b.bits;
        return v;
    case '/':
    case '%':
        return divide(c, code == '%', a, b);
    case PP2('<', '<'):
    case PP2('>', '>'):
        return shift(code == PP2('<', '<'), a, b);
    case '<':
        return value_of(is_less(a, b));
    case '>':
        return value_of(is_less(b, a));
    case PP2('<', '='):
        return value_of(!is_less(b, a));
    case PP2('>', '='):
        return value_of(!is_less(a, b));
    case PP2('=', '='):
        return value_of(a.bits == b.bits);
    default:
        return value_of(a.bits != b.bits);
    }
}

/* `a && b`, `a || b`: b is not evaluated if a decides. */
static struct value logical(struct condition *c, uint32_t code, struct value a,
                            struct value (*right)(struct condition *, int), int level)
{
    bool is_and = code == PP2('&', '&');
    bool was_skipped = c->is_skipped;
    c->is_skipped |= is_and ? a.bits == 0 : a.bits != 0;
    struct value b = right(c, level);
    c->is_skipped = was_skipped;
    return value_of(is_and ? a.bits != 0 && b.bits != 0 : a.bits != 0 || b.bits != 0);
}

static struct value binary(struct condition *c, int least)
{
    struct value v = unary(c);
    for (int level; (level = precedence(c)) >= least && level != 0;) {
        uint32_t code = c->t.code;
        advance(c);
        if (level <= 2)
            v = logical(c, code, v, binary, level + 1);
        else
            v = apply(c, code, v, binary(c, level + 1));
    }
    return v;
}

static struct value conditional(struct condition *c)
{
    struct value v = binary(c, 1);
    if (!is_punct(c, '?'))
        return v;
    if (c->depth >= DEEPEST)
        return fail(c, "a deep #if");
    c->depth++;
    bool was_skipped = c->is_skipped;
    advance(c);
    c->is_skipped = was_skipped || v.bits == 0;
    struct value yes = conditional(c);
    if (!is_punct(c, ':'))
        return fail(c, "`?` without `:` in #if");
    advance(c);
    c->is_skipped = was_skipped || v.bits != 0;
    struct value no = conditional(c);
    c->is_skipped = was_skipped;
    c->depth--;
    struct value chosen = v.bits != 0 ? yes : no;
    chosen.is_unsigned = yes.is_unsigned || no.is_unsigned;
    return chosen;
}

bool pp_condition(struct pp_run *r, const struct pp_token *at, const struct pp_token *end)
{
    struct condition c = {.r = r};
    struct pp_outside outside = pp_enter_line(r, at, end);
    advance(&c);
    struct value v = conditional(&c);
    if (c.t.kind != PP_END)
        fail(&c, "an odd #if");
    pp_leave_line(r, outside);
    return v.bits != 0;
}
