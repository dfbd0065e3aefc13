/* SPDX-License-Identifier: MIT */
/*
 * What is written instead of the declarations that move, and of their uses? The function is copied,
 * and each of them replaced; a declaration with several declarators becomes several, and one in the
 * head of a for stands in front of it, in a block.
 */
#include "transforms/moved_array.h"
#include "transforms/rewrite.h"

struct mover {
    rewriter *w;
    const struct moved_set *set;
    lowering *l;
};

static void put_node(struct mover *m, const ast_node *n);

static void put_made(struct mover *m, const ast_node *at, const char *text)
{
    rewrite_made(m->w, ast_begin(m->l->fn, at), text);
}

/* The node from byte `at` to byte `end`, its children rewritten. */
static void put_range(struct mover *m, const ast_node *n, uint32_t at, uint32_t end)
{
    ast_node **kids;
    uint32_t count = ast_sorted_kids(m->l->mem, n, &kids);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t begin = ast_begin(m->l->fn, kids[i]);
        if (kids[i]->first >= kids[i]->last || begin < at || begin >= end)
            continue;
        rewrite_copy(m->w, at, begin);
        put_node(m, kids[i]);
        at = ast_end(m->l->fn, kids[i]);
    }
    rewrite_copy(m->w, at, end);
}

/* Specifiers as they stand, but for moved typedefs; `again`: tags by their names only. */
static void put_specifiers(struct mover *m, const ast_node *specifiers, bool again)
{
    const ast_function *fn = m->l->fn;
    uint32_t at = fn->tokens[specifiers->first].begin, kid = 0;
    if (specifiers->first == specifiers->last)
        return;
    for (uint32_t t = specifiers->first; t < specifiers->last; t++) {
        while (kid < specifiers->kid_count &&
               (specifiers->kid[kid] == NULL || specifiers->kid[kid]->first < t))
            kid++;
        const ast_node *k = kid < specifiers->kid_count ? specifiers->kid[kid] : NULL;
        const struct moved *type = NULL;
        if (k != NULL && k->first == t) {
            rewrite_copy(m->w, at, fn->tokens[t].begin);
            if (again && k->kind == AST_TAG_DEF && ast_tag_has_body(m->l->fn, k))
                put_made(m, k,
                         arena_printf(m->l->mem, "%.*s %s", SV_ARG(ast_token_text(fn, t)),
                                      moved_tag_name(m->l, k)));
            else
                put_node(m, k);
            at = ast_end(m->l->fn, k);
            t = k->last - 1;
        } else if ((type = moved_typedef_at(m->set, t)) != NULL) {
            rewrite_copy(m->w, at, fn->tokens[t].begin);
            rewrite_made(m->w, fn->tokens[t].begin,
                         arena_printf(m->l->mem, "__typeof__(%s)", moved_type(m->set, type)));
            at = fn->tokens[t].end;
        }
    }
    rewrite_copy(m->w, at, fn->tokens[specifiers->last - 1].end);
}

/* What the uses of the declaration refer to: its sizes, as they are now, and its base. */
static void put_sizes(struct mover *m, const struct moved *moved)
{
    if (moved->base != NULL)
        put_made(m, moved->decl->declarator,
                 arena_printf(m->l->mem, "typedef %s %s; ", moved_base_type(m->set, moved),
                              moved->base));
    for (size_t i = 0; i < moved->sizes.count; i++) {
        const struct moved_size *size = &moved->sizes.at[i];
        put_made(m, size->node, arena_printf(m->l->mem, "__typeof__(sizeof 0) %s = (", size->name));
        put_node(m, size->node);
        put_made(m, size->node, fault_planted(FAULT_ARRAY_SIZE_ONE_LESS) ? ") - 1; " : "); ");
    }
}

/* "__alignof__(int [n])", or more where the declaration says so. */
static const char *alignment(const struct mover *m, const struct moved *moved)
{
    const char *own = own_alignment(m->l, moved->decl);
    const char *type = moved_type(m->set, moved);
    if (own[0] == '\0')
        return arena_printf(m->l->mem, "__alignof__(%s)", type);
    const char *given = arena_printf(m->l->mem, "__alignof__(struct { %s char aw__as; })", own);
    return arena_printf(m->l->mem, "__alignof__(%s) > %s ? __alignof__(%s) : %s", type, given, type,
                        given);
}

static void put_array(struct mover *m, const struct moved *moved, const ast_node *declarator)
{
    const char *type = moved_type(m->set, moved);
    put_made(m, declarator,
             arena_printf(m->l->mem,
                          "void *%s_room __attribute__((__cleanup__(aw_array_free))) = 0; "
                          "%s_room = __awaitc_await__ aw_array_new(sizeof(%s), %s)",
                          moved->name, moved->name, type, alignment(m, moved)));
    /* What the clean-up has the address of is read by nothing else: this can be a register. It
     * comes from behind the declarator, so that a diagram shows the declarator for the await. */
    rewrite_made(m->w, m->l->fn->tokens[declarator->last].begin,
                 arena_printf(m->l->mem, "; void *%s = %s_room; ", moved->name, moved->name));
    if (declarator->kid[declarator->kid_count - 1] != NULL) /* only `{}` may initialise it */
        put_made(
            m, declarator,
            arena_printf(m->l->mem, "__builtin_memset(%s, 0, sizeof(%s)); ", moved->name, type));
}

static void put_object(struct mover *m, const struct moved *moved, const ast_node *declarator)
{
    strbuf dims = strbuf_in(m->l->mem);
    const ast_node *init = declarator->kid[declarator->kid_count - 1];
    const struct type *t = type_of(m->l, moved->decl->type);
    bool is_array = t->cls == TYPE_ARRAY;
    for (; t->cls == TYPE_ARRAY; t = type_of(m->l, t->elem))
        strbuf_fmt(&dims, "[%llu]", (unsigned long long)t->count);
    bool is_static = moved->decl->storage == STORAGE_STATIC;
    put_made(m, declarator,
             arena_printf(m->l->mem, "%s%svoid *%s%s", is_static ? "static " : "",
                          moved->decl->is_thread_local ? "_Thread_local " : "", moved->name,
                          strbuf_text(&dims)));
    if (init != NULL) {
        bool is_list = is_array || init->kind == AST_INIT_LIST;
        put_made(m, init, is_list ? " = " : " = (void *)(");
        put_node(m, init);
        put_made(m, init, is_list ? "" : ")");
    }
    put_made(m, declarator, "; ");
}

static void put_declarator(struct mover *m, const ast_node *s, const ast_node *declarator,
                           bool again)
{
    const struct moved *moved = declarator->ref != NULL ? m->set->of[declarator->ref->id] : NULL;
    if (moved == NULL) {
        put_specifiers(m, s->kid[0], again);
        put_made(m, declarator, " ");
        put_node(m, declarator);
        put_made(m, declarator, "; ");
        return;
    }
    put_sizes(m, moved);
    if (moved->kind == MOVED_ARRAY)
        put_array(m, moved, declarator);
    else if (moved->kind == MOVED_OBJECT)
        put_object(m, moved, declarator);
}

/* A definition of a tag that all declarators of the statement need, in front of them. */
static bool put_tag(struct mover *m, const ast_node *specifiers)
{
    for (uint32_t i = 0; i < specifiers->kid_count; i++) {
        const ast_node *k = specifiers->kid[i];
        if (k == NULL || k->kind != AST_TAG_DEF || !ast_tag_has_body(m->l->fn, k))
            continue;
        uint32_t at = ast_begin(m->l->fn, k);
        if (k->name_token == UINT32_MAX) {
            uint32_t open = m->l->fn->tokens[ast_tag_behind_name(m->l->fn, k)].begin;
            rewrite_copy(m->w, at, open);
            put_made(m, k, arena_printf(m->l->mem, "%s ", moved_tag_name(m->l, k)));
            at = open;
        }
        put_range(m, k, at, ast_end(m->l->fn, k));
        put_made(m, k, "; ");
        return true;
    }
    return false;
}

static bool has_moved(const struct moved_set *set, const ast_node *s)
{
    for (uint32_t i = 1; s != NULL && s->kind == AST_DECL_STMT && i < s->kid_count; i++) {
        if (s->kid[i]->ref != NULL && set->of[s->kid[i]->ref->id] != NULL)
            return true;
    }
    return false;
}

static void put_declaration(struct mover *m, const ast_node *s)
{
    bool again = put_tag(m, s->kid[0]);
    for (uint32_t i = 1; i < s->kid_count; i++)
        put_declarator(m, s, s->kid[i], again);
}

/* for (int (*p)[n] = a; ...) body: the declaration stands in front of the loop, in a block. */
static void put_for(struct mover *m, const ast_node *n)
{
    uint32_t semicolon = m->l->fn->tokens[n->kid[0]->last - 1].begin;
    put_made(m, n, "{ ");
    put_declaration(m, n->kid[0]);
    rewrite_copy(m->w, ast_begin(m->l->fn, n), ast_begin(m->l->fn, n->kid[0]));
    put_range(m, n, semicolon, ast_end(m->l->fn, n));
    put_made(m, n, " }");
}

static void put_function(struct mover *m, const ast_node *n)
{
    const ast_node *body = n->kid[2];
    uint32_t open = m->l->fn->tokens[body->first].end;
    rewrite_copy(m->w, ast_begin(m->l->fn, n), open);
    for (size_t i = 0; i < m->l->fn->params.count; i++) {
        const struct moved *moved = m->set->of[m->l->fn->params.at[i]->id];
        if (moved != NULL)
            put_sizes(m, moved);
    }
    put_range(m, body, open, ast_end(m->l->fn, n));
}

static void put_node(struct mover *m, const ast_node *n)
{
    if (n->first >= n->last)
        return;
    if (n->kind == AST_IDENT && n->ref != NULL && m->set->of[n->ref->id] != NULL)
        put_made(m, n, moved_use(m->set, m->set->of[n->ref->id]));
    else if (n->kind == AST_SPECIFIERS)
        put_specifiers(m, n, false);
    else if (n->kind == AST_DECL_STMT && has_moved(m->set, n))
        put_declaration(m, n);
    else if (n->kind == AST_FOR && has_moved(m->set, n->kid[0]))
        put_for(m, n);
    else
        put_range(m, n, ast_begin(m->l->fn, n), ast_end(m->l->fn, n));
}

/* ---- the unit ------------------------------------------------------------------------------ */

static void put_region(rewriter *w, uint32_t index, void *context)
{
    const struct moved_set *set = ((struct moved_set **)context)[index];
    const struct region *r = &w->old->regions[index];
    if (set == NULL) {
        uint32_t begin = (uint32_t)w->out.len;
        rewrite_copy(w, r->buffer_begin, r->buffer_end);
        rewrite_region(w, index, begin);
        return;
    }
    struct mover m = {.w = w, .set = set, .l = set->l};
    rewrite_made(
        w, r->buffer_begin,
        "extern __awaitc_async__ void *aw_array_new(__typeof__(sizeof 0), __typeof__(sizeof 0)); "
        "extern void aw_array_free(void *); ");
    uint32_t begin = (uint32_t)w->out.len;
    const ast_node *root = set->l->fn->root;
    rewrite_copy(w, r->buffer_begin, ast_begin(set->l->fn, root));
    put_function(&m, root);
    rewrite_copy(w, ast_end(set->l->fn, root), r->buffer_end);
    rewrite_region(w, index, begin);
}

void moved_write(struct unit *u, struct moved_set **sets)
{
    rewriter w;
    rewrite_begin(&w, u, u->source->region_count);
    rewrite_regions(&w, put_region, sets);
    rewrite_end(&w);
}
