/* SPDX-License-Identifier: MIT */
/*
 * What does a macro's body become with these arguments (C11 6.10.3.1 to 6.10.3.3)? Parameters
 * beside ## get the argument as written, the operand of # its spelling, all others the argument
 * with its macros expanded. Of GNU C: `, ## rest` without an argument for `rest` loses the comma.
 */
#include "analyzer/preprocess/pp_private.h"

struct output {
    struct pp_run *r;
    VEC(struct pp_token) tokens;
    bool pastes;        /* the next token is pasted to the last */
    bool is_left_empty; /* the operand left of ## was an empty argument */
};

static bool is_paste(const struct pp_token *t)
{
    return t->kind == PP_PUNCT && t->code == PP2('#', '#') && (t->flags & PP_PARAMETER) == 0;
}

static struct pp_token pasted(struct pp_run *r, const struct pp_token *a, const struct pp_token *b)
{
    char *text = arena_alloc(r->mem, (size_t)a->len + b->len + 1);
    memcpy(text, a->text, a->len);
    memcpy(text + a->len, b->text, b->len);
    struct pp_token t = pp_lex_one(&r->pp->names, (strview){text, (size_t)a->len + b->len});
    t.flags = a->flags & PP_SPACE;
    t.line = a->line;
    if (t.kind == PP_BAD)
        pp_give_up(r, "## that makes no token");
    return t;
}

/* Appends tokens; the first gets `space`. */
static void append(struct output *out, const struct pp_token *at, uint32_t count, uint8_t space)
{
    for (uint32_t i = 0; i < count; i++) {
        struct pp_token t = at[i];
        if (i == 0)
            t.flags = (uint8_t)((t.flags & ~PP_SPACE) | space);
        if (i == 0 && out->pastes && !out->is_left_empty && out->tokens.count != 0) {
            struct pp_token *left = &VEC_LAST(&out->tokens);
            *left = pasted(out->r, left, &t);
        } else {
            VEC_PUSH(out->r->mem, &out->tokens, t);
        }
    }
    if (!out->pastes || count != 0)
        out->is_left_empty = count == 0;
    out->pastes = false;
}

static struct pp_token stringified(struct pp_run *r, const struct pp_argument *a, uint8_t space)
{
    strbuf text = strbuf_in(r->mem);
    strbuf_char(&text, '"');
    for (uint32_t i = 0; i < a->raw_count; i++) {
        const struct pp_token *t = &a->raw[i];
        if (i != 0 && (t->flags & PP_SPACE) != 0)
            strbuf_char(&text, ' ');
        bool is_literal = t->kind == PP_STRING || t->kind == PP_CHAR;
        for (uint32_t k = 0; k < t->len; k++) {
            if (is_literal && (t->text[k] == '"' || t->text[k] == '\\'))
                strbuf_char(&text, '\\');
            strbuf_char(&text, t->text[k]);
        }
    }
    strbuf_char(&text, '"');
    return (struct pp_token){
        .text = text.at, .len = (uint32_t)text.len, .kind = PP_STRING, .flags = space};
}

/* `, ## rest`: the argument as it is, without pasting, or without the comma. */
static bool swallows_comma(struct output *out, const struct pp_macro *m, const struct pp_token *t,
                           const struct pp_argument *a)
{
    if (!out->pastes || !m->is_variadic || t->code + 1 != m->parameter_count ||
        out->tokens.count == 0 || VEC_LAST(&out->tokens).code != ',' || out->is_left_empty)
        return false;
    out->pastes = false;
    if (a->is_omitted)
        out->tokens.count--;
    return true;
}

static void put_parameter(struct output *out, const struct pp_macro *m, uint32_t i,
                          struct pp_argument *arguments)
{
    const struct pp_token *t = &m->body[i];
    struct pp_argument *a = &arguments[t->code];
    uint8_t space = t->flags & PP_SPACE;
    bool is_left = i + 1 < m->body_count && is_paste(&m->body[i + 1]);
    if (swallows_comma(out, m, t, a) || is_left || out->pastes) {
        append(out, a->raw, a->raw_count, space);
        return;
    }
    if (!a->is_expanded)
        pp_expand_argument(out->r, a);
    append(out, a->full, a->full_count, space);
}

const struct pp_token *pp_substitute(struct pp_run *r, struct pp_macro *m,
                                     struct pp_argument *arguments, uint32_t *count)
{
    struct output out = {.r = r};
    for (uint32_t i = 0; i < m->body_count && r->why == NULL; i++) {
        const struct pp_token *t = &m->body[i];
        bool is_hash = m->is_function && t->kind == PP_PUNCT && t->code == '#';
        if (is_paste(t)) {
            out.pastes = true;
        } else if ((t->flags & PP_PARAMETER) != 0) {
            put_parameter(&out, m, i, arguments);
        } else if (is_hash) {
            struct pp_token s = stringified(r, &arguments[m->body[++i].code], t->flags & PP_SPACE);
            append(&out, &s, 1, s.flags);
        } else {
            append(&out, t, 1, t->flags & PP_SPACE);
        }
    }
    *count = (uint32_t)out.tokens.count;
    return out.tokens.at;
}
