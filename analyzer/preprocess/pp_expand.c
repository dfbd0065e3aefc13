/* SPDX-License-Identifier: MIT */
/*
 * Which tokens are left when all macro calls are done (C11 6.10.3)? Tokens come from a stack of
 * contexts (bodies of macros, arguments) and then from the file. A macro is disabled while its body
 * is on the stack; its name met then is marked for good. This is the scheme of Dave Prosser's
 * algorithm in the form that compilers use: instead of sets of hidden names, a stack.
 */
#include <stdio.h>

#include "analyzer/preprocess/pp_private.h"

void pp_push_context(struct pp_run *r, const struct pp_token *at, const struct pp_token *end,
                     struct pp_macro *macro, uint8_t space)
{
    struct pp_context c = {at, end, macro, space, true};
    if (macro != NULL)
        macro->is_disabled = true;
    VEC_PUSH(r->mem, &r->contexts, c);
}

struct pp_outside pp_enter_line(struct pp_run *r, const struct pp_token *at,
                                const struct pp_token *end)
{
    struct pp_outside outside = {r->base, r->is_isolated};
    r->base = r->contexts.count;
    r->is_isolated = true;
    pp_push_context(r, at, end, NULL, 0);
    return outside;
}

void pp_leave_line(struct pp_run *r, struct pp_outside outside)
{
    while (r->contexts.count > r->base) {
        if (VEC_LAST(&r->contexts).macro != NULL)
            VEC_LAST(&r->contexts).macro->is_disabled = false;
        r->contexts.count--;
    }
    r->base = outside.base;
    r->is_isolated = outside.is_isolated;
}

enum { DEEPEST_CALL = 1000 };

void pp_expand_argument(struct pp_run *r, struct pp_argument *argument)
{
    VEC(struct pp_token) full = {0};
    if (++r->call_depth > DEEPEST_CALL)
        pp_give_up(r, "deeply nested macro calls");
    struct pp_outside outside =
        pp_enter_line(r, argument->raw, argument->raw + argument->raw_count);
    for (struct pp_token t = pp_next(r); t.kind != PP_END; t = pp_next(r))
        VEC_PUSH(r->mem, &full, t);
    pp_leave_line(r, outside);
    r->call_depth--;
    argument->full = full.at;
    argument->full_count = (uint32_t)full.count;
    argument->is_expanded = true;
}

/* ---- arguments ------------------------------------------------------------------------------- */

struct collected {
    struct pp_argument *at;
    uint32_t count;
};

/* A name whose macro is being expanded stays itself, also when it is read again. */
static void mark_disabled(struct pp_token *t)
{
    if (t->kind == PP_NAME && t->name->macro != NULL && t->name->macro->is_disabled)
        t->flags |= PP_NO_EXPAND;
}

/* Reads up to the closing parenthesis of the call of `m`, whose opening one is next. */
static bool collect(struct pp_run *r, const struct pp_macro *m, struct collected *out)
{
    uint32_t most = m->parameter_count > 0 ? m->parameter_count : 1, depth = 0;
    VEC(struct pp_token) tokens = {0};
    bool was_collecting = r->is_collecting;
    out->at = ARENA_ARRAY(r->mem, struct pp_argument, most);
    out->count = 1;
    r->is_collecting = true;
    pp_take(r);
    for (;;) {
        struct pp_token t = pp_take(r);
        bool is_punct = t.kind == PP_PUNCT;
        if (t.kind == PP_END) {
            pp_give_up(r, "a macro call that is not closed");
            return false;
        }
        bool ends = is_punct && t.code == ')' && depth == 0;
        bool is_rest = m->is_variadic && out->count == m->parameter_count;
        if (ends || (is_punct && t.code == ',' && depth == 0 && !is_rest)) {
            out->at[out->count - 1].raw = tokens.at;
            out->at[out->count - 1].raw_count = (uint32_t)tokens.count;
            memset(&tokens, 0, sizeof tokens);
            if (ends)
                break;
            if (out->count++ == most) {
                pp_give_up(r, "a macro call with too many arguments");
                return false;
            }
            continue;
        }
        if (is_punct)
            depth += (t.code == '(') - (uint32_t)(t.code == ')');
        mark_disabled(&t);
        VEC_PUSH(r->mem, &tokens, t);
    }
    r->is_collecting = was_collecting;
    return true;
}

/* Is the number of arguments right? One that is missing for `...` is there, but omitted. */
static bool check_count(struct pp_run *r, const struct pp_macro *m, struct collected *c)
{
    uint32_t wanted = m->parameter_count;
    bool is_empty = c->count == 1 && c->at[0].raw_count == 0;
    if (wanted == 0 && is_empty)
        return true;
    if (m->is_variadic && wanted == 1 && is_empty)
        c->at[0].is_omitted = true;
    if (m->is_variadic && c->count + 1 == wanted) {
        c->at[wanted - 1].is_omitted = true;
        return true;
    }
    if (c->count == wanted && (wanted != 0 || is_empty))
        return true;
    pp_give_up(r, "a macro call with a wrong number of arguments");
    return false;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static struct pp_token number_token(struct pp_run *r, uint32_t number)
{
    char *text = arena_printf(r->mem, "%u", number);
    return (struct pp_token){.text = text, .len = (uint32_t)strlen(text), .kind = PP_NUMBER};
}

static struct pp_token file_token(struct pp_run *r)
{
    strbuf text = strbuf_in(r->mem);
    pp_quote(&text, r->source->name);
    return (struct pp_token){.text = text.at, .len = (uint32_t)text.len, .kind = PP_STRING};
}

/* What __LINE__ is: in a macro's body the line of its call, else that of the last token read. */
static uint32_t line_of_call(const struct pp_run *r)
{
    bool is_in_body = r->contexts.count > r->base && VEC_LAST(&r->contexts).macro != NULL;
    return is_in_body ? r->token_line : r->file_line;
}

/* What the preprocessor itself knows. false: the name stays. */
static bool expand_builtin(struct pp_run *r, const struct pp_macro *m, struct pp_token *t)
{
    struct pp_token made = *t;
    switch (m->builtin) {
    case PP_FILE:
        made = file_token(r);
        break;
    case PP_LINE:
        made = number_token(r, line_of_call(r) + r->source->line_shift);
        break;
    case PP_COUNTER:
        pp_recording_spoil(r);
        made = number_token(r, r->counter++);
        break;
    case PP_ASKED:
    case PP_HAS_INCLUDE:
    case PP_HAS_INCLUDE_NEXT:
        return false; /* pp_condition.c's */
    case PP_HANDED_OVER:
        pp_give_up(r, "a macro that only the compiler knows");
        return false;
    case PP_NOT_BUILTIN:
        return false;
    }
    made.flags = t->flags & (PP_SPACE | PP_FIRST);
    made.line = t->line;
    *t = made;
    return false;
}

/* Puts the body of `m`, called by `t`, before what follows; false: no call, or a token of its own.
 */
static bool expand(struct pp_run *r, struct pp_macro *m, struct pp_token *t)
{
    if (m->builtin != PP_NOT_BUILTIN)
        return expand_builtin(r, m, t);
    uint8_t space = t->flags & PP_SPACE;
    struct collected c = {NULL, 0};
    if (m->is_function) {
        if (!pp_call_follows(r) || !collect(r, m, &c) || !check_count(r, m, &c))
            return false;
    }
    if (!m->is_supported) {
        pp_give_up(r, "__VA_OPT__");
        return false;
    }
    uint32_t count = m->body_count;
    const struct pp_token *body = m->body;
    if (m->parameter_count != 0 || !m->is_plain)
        body = pp_substitute(r, m, c.at, &count);
    pp_push_context(r, body, body + count, m, space);
    return true;
}

struct pp_token pp_next(struct pp_run *r)
{
    for (;;) {
        struct pp_token t = pp_take(r);
        if (r->is_from_file)
            r->token_line = r->file_line;
        if (t.kind != PP_NAME || (t.flags & PP_NO_EXPAND) != 0)
            return t;
        pp_note_lookup(r, t.name);
        struct pp_macro *m = t.name->macro;
        if (m == NULL)
            return t;
        if (m->is_disabled) {
            t.flags |= PP_NO_EXPAND;
            return t;
        }
        if (!expand(r, m, &t)) {
            if (r->why != NULL)
                t.kind = PP_END;
            return t;
        }
    }
}
