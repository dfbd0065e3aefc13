/* SPDX-License-Identifier: MIT */
/*
 * What does a #define define? The name, its parameters and its body, in memory that lives as long
 * as the preprocessor: the tokens of a body point into the macro's own text, which is the line
 * that `-dD` prints. Two macros of one text are the same (pp_memo.c relies on it).
 */
#include "analyzer/preprocess/pp_private.h"

void pp_spell(strbuf *out, const struct pp_token *at, const struct pp_token *end)
{
    for (const struct pp_token *t = at; t < end; t++) {
        if (t != at && (t->flags & PP_SPACE) != 0)
            strbuf_char(out, ' ');
        strbuf_add(out, t->text, t->len);
    }
}

/* Reads "(a, b, ...)" behind *at, which moves behind it; false: malformed. */
static bool read_parameters(arena *mem, struct pp_macro *m, struct pp_names *names,
                            const struct pp_token **at, const struct pp_token *end)
{
    VEC(struct pp_name *) parameters = {0};
    const struct pp_token *t = *at + 1;
    bool expects = false;
    for (; t < end && t->code != ')'; t++) {
        bool has_name = t->kind == PP_NAME;
        if (m->is_variadic || (!has_name && t->code != PP3('.', '.', '.')))
            return false;
        strview rest = SV("__VA_ARGS__");
        struct pp_name *name = has_name ? t->name : pp_names_find(names, rest, pp_hash(rest));
        m->is_variadic = !has_name;
        VEC_PUSH(mem, &parameters, name);
        if (has_name && t + 1 < end && t[1].code == PP3('.', '.', '.')) {
            m->is_variadic = true; /* GNU: name... */
            t++;
        }
        expects = t + 1 < end && t[1].code == ',';
        t += expects;
    }
    if (t >= end || expects)
        return false;
    m->parameters = parameters.at;
    m->parameter_count = (uint32_t)parameters.count;
    *at = t + 1;
    return true;
}

static int parameter_index(const struct pp_macro *m, const struct pp_name *name)
{
    for (uint32_t i = 0; i < m->parameter_count; i++) {
        if (m->parameters[i] == name)
            return (int)i;
    }
    return -1;
}

/* The body's tokens, their texts in m->text from `offset` on. */
static void take_body(arena *mem, struct pp_macro *m, size_t offset, const struct pp_token *at,
                      uint32_t count)
{
    struct pp_token *body = ARENA_ARRAY(mem, struct pp_token, count + 1);
    m->is_plain = m->is_supported = true;
    for (uint32_t i = 0; i < count; i++) {
        struct pp_token *t = &body[i];
        *t = at[i];
        t->flags &= (uint8_t)(i == 0 ? 0 : PP_SPACE);
        offset += (t->flags & PP_SPACE) != 0;
        t->text = m->text.at + offset;
        offset += t->len;
        int index = m->is_function && t->kind == PP_NAME ? parameter_index(m, t->name) : -1;
        if (index >= 0) {
            t->flags |= PP_PARAMETER;
            t->code = (uint32_t)index;
        }
        m->is_plain &= t->code != PP2('#', '#') || t->kind != PP_PUNCT;
        m->is_plain &= !(m->is_function && t->kind == PP_PUNCT && t->code == '#');
        m->is_supported &= !(t->kind == PP_NAME && sv_is(t->name->text, "__VA_OPT__"));
    }
    m->body = body;
    m->body_count = count;
}

/* Do # and ## stand where they may? */
static bool is_body_sound(const struct pp_macro *m)
{
    const struct pp_token *b = m->body;
    uint32_t n = m->body_count;
    if (n != 0 && (b[0].code == PP2('#', '#') || b[n - 1].code == PP2('#', '#')) && !m->is_plain)
        return false;
    for (uint32_t i = 0; m->is_function && i < n; i++) {
        bool is_hash = b[i].kind == PP_PUNCT && b[i].code == '#';
        if (is_hash && (i + 1 == n || (b[i + 1].flags & PP_PARAMETER) == 0) && m->is_supported)
            return false;
    }
    return true;
}

struct pp_macro *pp_macro_read(struct pp_run *r, const struct pp_token *at,
                               const struct pp_token *end)
{
    arena *mem = r->pp->mem;
    if (at >= end || at->kind != PP_NAME || sv_is(at->name->text, "defined") ||
        (at->name->macro != NULL && at->name->macro->builtin != PP_NOT_BUILTIN)) {
        pp_give_up(r, "an odd #define");
        return NULL;
    }
    struct pp_macro *m = ARENA_NEW(mem, struct pp_macro);
    const struct pp_token *rest = at + 1;
    m->name = at->name;
    m->is_function = rest < end && rest->code == '(' && (rest->flags & PP_SPACE) == 0;
    if (m->is_function && !read_parameters(mem, m, &r->pp->names, &rest, end)) {
        pp_give_up(r, "odd macro parameters");
        return NULL;
    }
    strbuf text = strbuf_in(r->mem);
    pp_spell(&text, at, rest);
    size_t offset = text.len + 1;
    if (rest < end)
        strbuf_char(&text, ' ');
    pp_spell(&text, rest, end);
    m->text = (strview){arena_strndup(mem, text.at, text.len), text.len};
    take_body(mem, m, offset, rest, (uint32_t)(end - rest));
    if (!is_body_sound(m)) {
        pp_give_up(r, "# or ## at an odd place");
        return NULL;
    }
    return m;
}

struct pp_macro *pp_macro_builtin(preprocessor *pp, const char *name, enum pp_builtin builtin)
{
    struct pp_macro *m = ARENA_NEW(pp->mem, struct pp_macro);
    m->name = pp_names_find(&pp->names, sv_from(name), pp_hash(sv_from(name)));
    m->text = m->name->text;
    m->builtin = builtin;
    m->is_supported = true;
    return m;
}

void pp_macro_set(struct pp_run *r, struct pp_name *name, struct pp_macro *macro)
{
    name->macro = macro;
    name->changed = ++r->pp->serial;
    VEC_PUSH(r->mem, &r->changed, name);
}
