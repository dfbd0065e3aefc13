/* SPDX-License-Identifier: MIT */
/*
 * How is the type of a moved array written where the array is used? As its declaration was, from
 * the same tokens: without storage class and attributes, a tag by its name only, each computed size
 * by the name of what was kept, and something else in place of the declared name.
 */
#include "transforms/moved_array.h"

#include "analyzer/base/check.h"

static bool is_storage_class(strview word)
{
    static const char *const words[] = {"auto",     "register",      "static",
                                        "extern",   "typedef",       "constexpr",
                                        "__inline", "__extension__", "_Thread_local"};
    for (size_t i = 0; i < COUNTOF(words); i++) {
        if (sv_is(word, words[i]))
            return true;
    }
    return false;
}

const char *moved_tag_name(const lowering *l, const ast_node *tag)
{
    if (tag->name_token == UINT32_MAX)
        return arena_printf(l->mem, "aw__vtag_%u", tag->first);
    strview name = ast_token_text(l->fn, tag->name_token);
    return arena_strndup(l->mem, name.at, name.len);
}

const struct moved *moved_typedef_at(const struct moved_set *set, uint32_t token)
{
    const ast_function *fn = set->l->fn;
    const ast_decl *d = fn->tokens[token].kind != TOKEN_IDENT
                            ? NULL
                            : ast_visible_decl(fn, ast_token_text(fn, token), token);
    return d != NULL && d->kind == DECL_TYPEDEF ? set->of[d->id] : NULL;
}

/* ---- writing types ------------------------------------------------------------------------- */

struct type_writer {
    const struct moved_set *set;
    const struct moved *m;
    strbuf out;
};

static void put_word(struct type_writer *w, const char *text)
{
    strbuf_str(&w->out, text);
    strbuf_char(&w->out, ' ');
}

static void put_token(struct type_writer *w, uint32_t token)
{
    strview text = ast_token_text(w->set->l->fn, token);
    put_word(w, arena_strndup(w->set->l->mem, text.at, text.len));
}

static void put_tokens(struct type_writer *w, uint32_t from, uint32_t to)
{
    for (; from < to; from++)
        put_token(w, from);
}

static const char *kept_size(const struct moved *m, const ast_node *node)
{
    for (size_t i = 0; i < m->sizes.count; i++) {
        if (m->sizes.at[i].node == node)
            return m->sizes.at[fault_planted(FAULT_ARRAY_SIZES_MIXED) ? 0 : i].name;
    }
    return NULL;
}

static void put_specifiers(struct type_writer *w, const ast_node *specifiers);

/* An expression or a type name in a type: moved names and kept sizes replaced. */
static void put_inner(struct type_writer *w, const ast_node *n)
{
    const char *size = kept_size(w->m, n);
    const struct moved *used =
        n->kind == AST_IDENT && n->ref != NULL ? w->set->of[n->ref->id] : NULL;
    if (size != NULL) {
        put_word(w, size);
        return;
    }
    if (used != NULL) {
        put_word(w, moved_use(w->set, used));
        return;
    }
    if (n->kind == AST_SPECIFIERS) {
        put_specifiers(w, n);
        return;
    }
    uint32_t at = n->first;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        const ast_node *k = n->kid[i];
        if (k == NULL || k->first < at)
            continue;
        put_tokens(w, at, k->first);
        put_inner(w, k);
        at = k->last;
    }
    put_tokens(w, at, n->last);
}

static void put_plain_specifiers(struct type_writer *w, uint32_t from, uint32_t to)
{
    for (; from < to; from++) {
        const struct moved *type = moved_typedef_at(w->set, from);
        if (type != NULL)
            put_word(w, arena_printf(w->set->l->mem, "__typeof__(%s)", moved_type(w->set, type)));
        else if (!is_storage_class(ast_token_text(w->set->l->fn, from)))
            put_token(w, from);
    }
}

static void put_specifiers(struct type_writer *w, const ast_node *specifiers)
{
    const lowering *l = w->set->l;
    uint32_t at = specifiers->first;
    for (uint32_t i = 0; i < specifiers->kid_count; i++) {
        const ast_node *k = specifiers->kid[i];
        if (k == NULL)
            continue;
        put_plain_specifiers(w, at, k->first);
        at = k->last;
        if (k->kind == AST_TAG_DEF && ast_tag_has_body(l->fn, k)) {
            put_token(w, k->first);
            put_word(w, moved_tag_name(l, k));
        } else if (k->kind != AST_ALIGNAS && k->kind != AST_ATTRIBUTE) {
            put_inner(w, k);
        }
    }
    put_plain_specifiers(w, at, specifiers->last);
}

static void put_declarator_tokens(struct type_writer *w, uint32_t from, uint32_t to,
                                  const char *name)
{
    for (; from < to; from++) {
        if (from == w->m->decl->declarator->name_token)
            put_word(w, name);
        else
            put_token(w, from);
    }
}

static void put_declarator(struct type_writer *w, const char *name)
{
    const lowering *l = w->set->l;
    const ast_node *declarator = w->m->decl->declarator;
    const ast_node *dropped = w->m->kind == MOVED_PARAM ? first_bound(l, declarator) : NULL;
    if (dropped != NULL)
        name = arena_printf(l->mem, "(*%s)", name);
    uint32_t at = declarator->first, end = declarator_end(l, declarator);
    for (uint32_t i = 0; i < declarator->kid_count; i++) {
        const ast_node *k = declarator->kid[i];
        if (k == NULL || k->first >= end)
            continue;
        put_declarator_tokens(w, at, k->first, name);
        if (k != dropped && k->kind != AST_ATTRIBUTE && k->kind != AST_ASM_LABEL)
            put_inner(w, k);
        at = k->last;
    }
    put_declarator_tokens(w, at, end, name);
}

static const char *written(struct type_writer *w)
{
    while (w->out.len > 0 && w->out.at[w->out.len - 1] == ' ')
        w->out.len--;
    return arena_strndup(w->set->l->mem, w->out.at, w->out.len);
}

static const char *type_with(const struct moved_set *set, const struct moved *m, const char *name)
{
    struct type_writer w = {.set = set, .m = m, .out = strbuf_in(set->l->mem)};
    if (m->base != NULL)
        put_word(&w, m->base);
    else
        put_specifiers(&w, m->specifiers);
    put_declarator(&w, name);
    return written(&w);
}

const char *moved_base_type(const struct moved_set *set, const struct moved *m)
{
    struct type_writer w = {.set = set, .m = m, .out = strbuf_in(set->l->mem)};
    put_specifiers(&w, m->specifiers);
    return written(&w);
}

const char *moved_type(const struct moved_set *set, const struct moved *m)
{
    return type_with(set, m, "");
}

const char *moved_pointer_type(const struct moved_set *set, const struct moved *m)
{
    return type_with(set, m, "(*)");
}

const char *moved_use(const struct moved_set *set, const struct moved *m)
{
    arena *mem = set->l->mem;
    if (m->kind == MOVED_ARRAY)
        return arena_printf(mem, "(*(%s)%s)", moved_pointer_type(set, m), m->name);
    if (m->is_value)
        return arena_printf(mem, "((%s)%s)", moved_type(set, m), m->name);
    return arena_printf(mem, "(*(%s)&%s)", moved_pointer_type(set, m), m->name);
}
