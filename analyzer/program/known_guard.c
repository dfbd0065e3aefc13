/* SPDX-License-Identifier: MIT */
/*
 * The parser of guards: `;` between alternatives, `,` between terms, and for each term its first
 * word (arg, fd, obj, call) decides the rest.
 */
#include "analyzer/program/known_guard.h"

#include "analyzer/base/vec.h"
#include "analyzer/program/known_constants.h"

struct guard_parser {
    arena *mem;
    const struct known_facts *facts;
    strview rest; /* of the term */
    const char *error;
};

static bool fail(struct guard_parser *p, const char *what)
{
    p->error = arena_printf(p->mem, "%s at '%.*s'", what, SV_ARG(p->rest));
    return false;
}

static bool eat(struct guard_parser *p, const char *word)
{
    size_t len = strlen(word);
    if (!sv_starts(p->rest, word))
        return false;
    p->rest = (strview){p->rest.at + len, p->rest.len - len};
    return true;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static strview eat_word(struct guard_parser *p)
{
    size_t len = 0;
    while (len < p->rest.len && is_word(p->rest.at[len]))
        len++;
    strview word = {p->rest.at, len};
    p->rest = (strview){p->rest.at + len, p->rest.len - len};
    return word;
}

static bool parse_number(strview text, int64_t *out)
{
    bool minus = text.len > 0 && text.at[0] == '-';
    int64_t value = 0;
    for (size_t i = minus ? 1 : 0; i < text.len; i++) {
        if (text.at[i] < '0' || text.at[i] > '9' || value > INT32_MAX)
            return false;
        value = value * 10 + (text.at[i] - '0');
    }
    *out = minus ? -value : value;
    return text.len > (minus ? 1U : 0U);
}

static bool parse_index(struct guard_parser *p, int *out)
{
    strview word = eat_word(p);
    int64_t number;
    if (sv_is(word, "last"))
        *out = GUARD_LAST;
    else if (sv_is(word, "any") || sv_is(word, "session"))
        *out = GUARD_ANY;
    else if (parse_number(word, &number) && number < 100)
        *out = (int)number;
    else
        return fail(p, "an argument's number, 'last' or 'any' is missing");
    return true;
}

static bool parse_value(struct guard_parser *p, struct guard_value *out)
{
    if (eat(p, "{0,0}")) {
        *out = (struct guard_value){.kind = GUARD_VALUE_ZEROS, .text = SV("{0,0}")};
        return true;
    }
    if (eat(p, "\"")) {
        const char *end = p->rest.len == 0 ? NULL : memchr(p->rest.at, '"', p->rest.len);
        if (end == NULL)
            return fail(p, "a string does not end");
        size_t len = (size_t)(end - p->rest.at);
        *out = (struct guard_value){.kind = GUARD_VALUE_STRING, .text = {p->rest.at, len}};
        p->rest = (strview){end + 1, p->rest.len - len - 1};
        return true;
    }
    strview begin = p->rest;
    eat(p, "-");
    eat_word(p);
    strview text = {begin.at, begin.len - p->rest.len};
    if (text.len == 0)
        return fail(p, "a value is missing");
    *out = (struct guard_value){.kind = GUARD_VALUE_NUMBER, .text = text};
    if (!parse_number(text, &out->number) && !known_constant_find(p->facts, text, &out->number))
        out->kind = GUARD_VALUE_NAME;
    return true;
}

/* A string in quotes, behind `~`. */
static bool parse_contained(struct guard_parser *p, struct guard_term *term)
{
    term->value_count = 1;
    return parse_value(p, &term->values[0]) &&
           (term->values[0].kind == GUARD_VALUE_STRING || fail(p, "a string is missing"));
}

/* One value, or flags joined by |. */
static bool parse_values(struct guard_parser *p, struct guard_term *term)
{
    do {
        if (term->value_count == GUARD_VALUES_MAX)
            return fail(p, "too many flags");
        if (!parse_value(p, &term->values[term->value_count++]))
            return false;
    } while (eat(p, "|"));
    return true;
}

/* arg:N test, *arg:N test, arg:N->field test; the word `arg:` is eaten. */
static bool parse_arg(struct guard_parser *p, struct guard_term *term)
{
    if (!parse_index(p, &term->arg))
        return false;
    if (eat(p, "->")) {
        term->field = eat_word(p);
        if (term->field.len == 0)
            return fail(p, "a field's name is missing");
    }
    if (eat(p, "~numeric"))
        term->kind = GUARD_ARG_NUMERIC;
    else if (eat(p, "!~name"))
        term->kind = GUARD_ARG_NOT_NAME;
    else if (eat(p, "~"))
        term->kind = GUARD_ARG_CONTAINS;
    else if (eat(p, "=="))
        term->kind = GUARD_ARG_EQ;
    else if (eat(p, "!="))
        term->kind = GUARD_ARG_NE;
    else if (eat(p, ">"))
        term->kind = GUARD_ARG_GREATER;
    else if (eat(p, "!&"))
        term->kind = GUARD_ARG_FLAG_CLEAR;
    else if (eat(p, "&"))
        term->kind = GUARD_ARG_FLAG_SET;
    else
        return fail(p, "one of ==, !=, >, &, !&, ~numeric, !~name, ~ is missing");
    if (term->kind == GUARD_ARG_NUMERIC || term->kind == GUARD_ARG_NOT_NAME)
        return true;
    return term->kind == GUARD_ARG_CONTAINS ? parse_contained(p, term) : parse_values(p, term);
}

static bool parse_fd(struct guard_parser *p, struct guard_term *term)
{
    if (!parse_index(p, &term->arg))
        return false;
    if (eat(p, ":NB"))
        term->kind = GUARD_FD_NONBLOCK;
    else if (eat(p, ":DGRAM"))
        term->kind = GUARD_FD_DATAGRAM;
    else
        return fail(p, "one of :NB, :DGRAM is missing");
    return true;
}

/* A function's name, and the comparison that may follow it. */
static bool parse_call(struct guard_parser *p, struct guard_term *term)
{
    term->function = eat_word(p);
    term->function_arg = GUARD_LAST;
    if (term->function.len == 0)
        return fail(p, "a function's name is missing");
    if (eat(p, "(") && (!parse_index(p, &term->function_arg) || !eat(p, ")")))
        return p->error != NULL ? false : fail(p, "a closing parenthesis is missing");
    if (eat(p, "~NB"))
        term->op = GUARD_OP_NONBLOCK;
    else if (eat(p, "~numeric"))
        term->op = GUARD_OP_NUMERIC;
    else if (eat(p, "~"))
        term->op = GUARD_OP_CONTAINS;
    else if (eat(p, "=="))
        term->op = GUARD_OP_EQ;
    else if (eat(p, "!="))
        term->op = GUARD_OP_NE;
    else if (eat(p, ">"))
        term->op = GUARD_OP_GREATER;
    else if (eat(p, "&"))
        term->op = GUARD_OP_FLAG;
    if (term->op == GUARD_OP_CONTAINS)
        return parse_contained(p, term);
    bool bare =
        term->op == GUARD_OP_NONE || term->op == GUARD_OP_NONBLOCK || term->op == GUARD_OP_NUMERIC;
    return bare || parse_values(p, term);
}

/* obj:N:NAME..., the word `obj:` is eaten. */
static bool parse_object(struct guard_parser *p, struct guard_term *term)
{
    term->kind = GUARD_OBJECT_SETUP;
    if (!parse_index(p, &term->arg))
        return false;
    if (!eat(p, ":"))
        return fail(p, "a colon is missing");
    if (!eat(p, "nonblocking-fd"))
        return parse_call(p, term);
    term->function = SV("SSL_set_fd"); /* the short form for TLS over a non-blocking socket */
    term->function_arg = GUARD_LAST;
    term->op = GUARD_OP_NONBLOCK;
    return true;
}

static bool parse_term(struct guard_parser *p, struct guard_term *term)
{
    term->pointee = eat(p, "*");
    bool ok;
    if (eat(p, "arg:")) {
        ok = parse_arg(p, term);
    } else if (eat(p, "fd:")) {
        ok = parse_fd(p, term);
    } else if (eat(p, "obj:")) {
        ok = parse_object(p, term);
    } else if (eat(p, "call:")) {
        term->kind = GUARD_QUERY;
        ok = parse_call(p, term);
        if (ok && term->op == GUARD_OP_NONE)
            return fail(p, "what the query must have returned is missing");
    } else {
        return fail(p, "one of arg:, *arg:, fd:, obj:, call: is missing");
    }
    return ok && (p->rest.len == 0 || fail(p, "there is more text"));
}

/* The text up to `separator` outside of quotes and braces, taken off *rest. */
static strview split_off(strview *rest, char separator)
{
    bool quoted = false;
    int depth = 0;
    size_t i = 0;
    for (; i < rest->len; i++) {
        char c = rest->at[i];
        if (c == '"')
            quoted = !quoted;
        depth += c == '{' ? 1 : c == '}' ? -1 : 0;
        if (c == separator && !quoted && depth == 0)
            break;
    }
    strview part = {rest->at, i};
    size_t used = i < rest->len ? i + 1 : i;
    *rest = (strview){rest->at + used, rest->len - used};
    return part;
}

bool guard_parse(arena *mem, const struct known_facts *facts, strview text, struct guard *out,
                 const char **error)
{
    *out = (struct guard){NULL, 0};
    if (text.len == 0 || sv_is(text, "-"))
        return true;
    VEC(struct guard_alternative) alternatives = {0};
    while (text.len > 0) {
        strview one = split_off(&text, ';');
        VEC(struct guard_term) terms = {0};
        do {
            struct guard_parser p = {mem, facts, split_off(&one, ','), NULL};
            struct guard_term term = {0};
            if (!parse_term(&p, &term)) {
                *error = p.error;
                return false;
            }
            VEC_PUSH(mem, &terms, term);
        } while (one.len > 0);
        VEC_PUSH(mem, &alternatives, (struct guard_alternative){terms.at, (uint32_t)terms.count});
    }
    *out = (struct guard){alternatives.at, (uint32_t)alternatives.count};
    return true;
}
