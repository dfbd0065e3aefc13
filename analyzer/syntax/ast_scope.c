/* SPDX-License-Identifier: MIT */
/*
 * Which declaration does a name mean? Each identifier text has one symbol with a chain of bindings
 * for each name space, the innermost first; opening a scope remembers how many names are bound,
 * closing it unbinds those that came since. So a lookup is one hash lookup, however deep the
 * scopes.
 *
 * Labels of the whole function come into being at their first mention, and get a declaration when
 * the label statement is seen; `__label__` binds a label in its block.
 */
#include "analyzer/base/check.h"
#include "analyzer/syntax/ast_parse_internal.h"

enum { FIRST_BUCKETS = 64 };

static uint32_t hash_text(strview text)
{
    uint32_t h = 2166136261U; /* FNV-1a */
    for (size_t i = 0; i < text.len; i++)
        h = (h ^ (unsigned char)text.at[i]) * 16777619U;
    return h;
}

static void grow_buckets(struct parser *p)
{
    uint32_t count = p->bucket_count == 0 ? FIRST_BUCKETS : p->bucket_count * 4;
    struct symbol **grown = ARENA_ARRAY(p->mem, struct symbol *, count);
    for (uint32_t i = 0; i < p->bucket_count; i++) {
        for (struct symbol *s = p->buckets[i], *next; s != NULL; s = next) {
            next = s->next;
            s->next = grown[s->hash & (count - 1)];
            grown[s->hash & (count - 1)] = s;
        }
    }
    p->buckets = grown;
    p->bucket_count = count;
}

struct symbol *symbol_of(struct parser *p, uint32_t token)
{
    strview name = ast_lex_name(p->mem, ast_token_text(p->fn, token));
    uint32_t hash = hash_text(name);
    if (p->symbol_count >= p->bucket_count)
        grow_buckets(p);
    struct symbol **bucket = &p->buckets[hash & (p->bucket_count - 1)];
    for (struct symbol *s = *bucket; s != NULL; s = s->next) {
        if (s->hash == hash && sv_equal(s->name, name))
            return s;
    }
    struct symbol *s = ARENA_NEW(p->mem, struct symbol);
    s->hash = hash;
    s->name = name;
    s->next = *bucket;
    *bucket = s;
    p->symbol_count++;
    return s;
}

/* ---- opening and closing -------------------------------------------------------------------- */

static void bind(struct parser *p, struct symbol *symbol, enum name_space space, ast_decl *decl)
{
    struct binding *b = ARENA_NEW(p->mem, struct binding);
    b->decl = decl;
    b->outer = symbol->bound[space];
    symbol->bound[space] = b;
    VEC_PUSH(p->mem, &p->bound, (struct bound_name){symbol, space});
}

static void unbind_to(struct parser *p, size_t count)
{
    while (p->bound.count > count) {
        struct bound_name *last = &VEC_LAST(&p->bound);
        last->symbol->bound[last->space] = last->symbol->bound[last->space]->outer;
        p->bound.count--;
    }
}

void scope_open(struct parser *p, ast_node *node)
{
    ast_scope *scope = ARENA_NEW(p->mem, ast_scope);
    scope->parent = p->scope;
    scope->node = node;
    node->scope = scope;
    p->scope = scope;
    VEC_PUSH(p->mem, &p->scope_marks, p->bound.count);
}

void scope_close(struct parser *p)
{
    AWC_ASSERT(p->scope != NULL && p->scope_marks.count != 0);
    unbind_to(p, VEC_LAST(&p->scope_marks));
    p->scope_marks.count--;
    p->scope = p->scope->parent;
}

static enum name_space space_of(enum ast_decl_kind kind)
{
    if (kind == DECL_TAG)
        return NAMES_TAG;
    return kind == DECL_LABEL ? NAMES_LABEL : NAMES_ORDINARY;
}

void scope_reopen(struct parser *p, ast_scope *scope, ast_node *node)
{
    if (scope->node != NULL)
        scope->node->scope = NULL;
    scope->parent = p->scope;
    scope->node = node;
    node->scope = scope;
    p->scope = scope;
    VEC_PUSH(p->mem, &p->scope_marks, p->bound.count);
    for (size_t i = 0; i < scope->decls.count; i++) {
        ast_decl *d = scope->decls.at[i];
        if (d->name.len != 0)
            bind(p, symbol_of(p, d->token), space_of(d->kind), d);
    }
}

struct scope_checkpoint scope_save(const struct parser *p)
{
    return (struct scope_checkpoint){p->fn->decls.count, p->scope->decls.count, p->bound.count};
}

void scope_restore(struct parser *p, struct scope_checkpoint saved)
{
    p->fn->decls.count = saved.decls;
    p->scope->decls.count = saved.scope_decls;
    unbind_to(p, saved.bound);
}

/* ---- declaring and finding ------------------------------------------------------------------- */

ast_decl *scope_declare(struct parser *p, enum ast_decl_kind kind, uint32_t name_token,
                        ast_node *declarator)
{
    ast_decl *d = ARENA_NEW(p->mem, ast_decl);
    d->kind = kind;
    d->token = name_token;
    d->scope = p->scope;
    d->declarator = declarator;
    d->visible_from = p->prev_end;
    d->local = UINT32_MAX;
    VEC_PUSH(p->mem, &p->fn->decls, d);
    if (kind == DECL_FIELD) {
        if (name_token != NO_TOKEN)
            d->name = ast_lex_name(p->mem, ast_token_text(p->fn, name_token));
        return d;
    }
    VEC_PUSH(p->mem, &p->scope->decls, d);
    if (name_token != NO_TOKEN) {
        struct symbol *symbol = symbol_of(p, name_token);
        d->name = symbol->name;
        bind(p, symbol, space_of(kind), d);
    }
    return d;
}

ast_decl *scope_find(struct parser *p, enum name_space space, uint32_t name_token)
{
    const struct binding *b = symbol_of(p, name_token)->bound[space];
    return b == NULL ? NULL : b->decl;
}

ast_decl *scope_label(struct parser *p, uint32_t name_token)
{
    struct symbol *symbol = symbol_of(p, name_token);
    if (symbol->bound[NAMES_LABEL] != NULL)
        return symbol->bound[NAMES_LABEL]->decl;
    if (symbol->label == NULL) {
        ast_decl *d = ARENA_NEW(p->mem, ast_decl);
        d->kind = DECL_LABEL;
        d->name = symbol->name;
        d->token = name_token;
        d->local = UINT32_MAX;
        symbol->label = d;
    }
    return symbol->label;
}

bool scope_is_typedef(struct parser *p, uint32_t token)
{
    if (p->tokens[token].kind != TOKEN_IDENT)
        return false;
    struct symbol *symbol = symbol_of(p, token);
    if (symbol->bound[NAMES_ORDINARY] != NULL)
        return symbol->bound[NAMES_ORDINARY]->decl->kind == DECL_TYPEDEF;
    if (!symbol->is_file_known) {
        const struct ast_parse_request *r = p->request;
        symbol->is_file_known = true;
        symbol->is_file_typedef = r->is_typedef != NULL &&
                                  r->is_typedef(r->context, symbol->name, p->tokens[token].begin);
    }
    return symbol->is_file_typedef;
}
