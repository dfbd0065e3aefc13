/* SPDX-License-Identifier: MIT */
/*
 * Which declarations have a type of variable size in scope at an await, and what is written instead
 * of them and of their uses? See variable_arrays.h.
 */
#include "transforms/variable_arrays.h"

#include "transforms/moved_array.h"
#include "transforms/rewrite.h"

/* ---- what moves ---------------------------------------------------------------------------- */

/* Is an await, or a clean-up (whose code comes behind all of its block), among these tokens? */
static bool is_crossed(const ast_node *n, uint32_t from, uint32_t to)
{
    if (n->last <= from || n->first >= to || n->is_unevaluated)
        return false;
    bool is_cleanup = n->kind == AST_DEFER ||
                      (n->kind == AST_DECLARATOR && n->ref != NULL && n->ref->cleanup != NULL);
    if (n->first >= from && (n->kind == AST_AWAIT || is_cleanup))
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && is_crossed(n->kid[i], from, to))
            return true;
    }
    return false;
}

static bool is_variable_array(const struct type *t)
{
    return t->cls == TYPE_ARRAY && t->is_variable && !t->is_complete;
}

static bool moves(const lowering *l, const ast_decl *d)
{
    const struct type *t = type_of(l, d->type);
    if (!t->is_variable || d->name.len == 0)
        return false;
    if (d->kind == DECL_PARAM) /* they keep their names: once */
        return d->scope->node == l->fn->root && l->unit->map == NULL;
    if (d->kind != DECL_TYPEDEF && d->kind != DECL_VAR)
        return false;
    return is_crossed(l->fn->root, d->declarator->first, d->scope->node->last);
}

static bool all_fixed(const lowering *l, const ast_node *n);

/* Is it an integer constant, which C tells by its form? Then what is made of it stays one, too:
 * sizeof, an array without a computed size, a case. */
static bool is_fixed(const lowering *l, const ast_node *n)
{
    switch (n->kind) {
    case AST_NUMBER:
    case AST_CHAR:
    case AST_OFFSETOF:
    case AST_TYPES_COMPATIBLE:
        return true;
    case AST_IDENT:
        return n->ref != NULL ? n->ref->kind == DECL_ENUMERATOR : n->is_const_expr;
    case AST_SIZEOF_EXPR:
    case AST_SIZEOF_TYPE:
        return !is_variable_array(type_of(l, n->kid[0]->type));
    case AST_CAST:
        return is_fixed(l, n->kid[1]);
    case AST_UNARY:
        return n->op != OP_DEREF && n->op != OP_ADDR && all_fixed(l, n);
    case AST_PAREN:
    case AST_BINARY:
    case AST_AND_AND:
    case AST_OR_OR:
    case AST_CONDITIONAL:
        return all_fixed(l, n);
    default:
        return false;
    }
}

static bool all_fixed(const lowering *l, const ast_node *n)
{
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] == NULL || !is_fixed(l, n->kid[i]))
            return false;
    }
    return true;
}

/* aw__v_line_12 and aw__v_line_12_room stand for the array `line`, aw__n1_line_12 for its first
 * size. */
const char *variable_array_shown(arena *mem, strview made)
{
    bool is_size = sv_starts(made, "aw__n");
    size_t from = 0, to = made.len;
    if (!is_size && !sv_starts(made, "aw__v_"))
        return arena_strndup(mem, made.at, made.len);
    for (from = 5; made.at[from] != '_'; from++)
        ;
    from++;
    bool is_room = to > 5 && memcmp(made.at + to - 5, "_room", 5) == 0;
    if (is_room)
        to -= 5;
    while (to > from && made.at[to - 1] != '_')
        to--;
    return arena_printf(mem, "%.*s%s", (int)(to - 1 - from), made.at + from,
                        is_size   ? " (a size)"
                        : is_room ? " (storage)"
                                  : "");
}

/* The sizes in a type that are kept, from left to right. */
static void find_sizes(lowering *l, struct moved *m, const ast_node *n)
{
    if (n->kind == AST_PARAMS || n->kind == AST_SIZEOF_EXPR || n->kind == AST_SIZEOF_TYPE ||
        n->kind == AST_STMT_EXPR)
        return;
    if (n->kind == AST_ARRAY_BOUND && n->kid[0] != NULL && !is_fixed(l, n->kid[0])) {
        const char *name = arena_printf(l->mem, "aw__n%zu_%.*s_%u", m->sizes.count + 1,
                                        SV_ARG(m->decl->name), m->decl->token);
        VEC_PUSH(l->mem, &m->sizes, (struct moved_size){n->kid[0], name});
        return;
    }
    bool has_init = n->kind == AST_DECLARATOR && n->kid_count > 0;
    for (uint32_t i = 0; i + (has_init ? 1 : 0) < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            find_sizes(l, m, n->kid[i]);
    }
}

static bool has_effect(const ast_node *n)
{
    if (n->kind == AST_CALL || n->kind == AST_ASSIGN || n->kind == AST_PREFIX ||
        n->kind == AST_POSTFIX || n->kind == AST_AWAIT || n->kind == AST_STMT_EXPR)
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && has_effect(n->kid[i]))
            return true;
    }
    return false;
}

static const ast_node *specifiers_of(const ast_decl *d)
{
    return d->declarator->parent->kid[0];
}

void variable_array_check(lowering *l, const ast_decl *d)
{
    if (!moves(l, d))
        return;
    const ast_node *specifiers = specifiers_of(d);
    if (d->cleanup != NULL)
        lower_error(
            l, DIAG_VLA_ACROSS_AWAIT, d->declarator,
            "`%.*s`, whose type depends on a run-time value, has a clean-up and is in scope "
            "at an await; use a defer behind the declaration instead",
            SV_ARG(d->name));
    for (uint32_t i = 0; i < specifiers->kid_count; i++) {
        const ast_node *k = specifiers->kid[i];
        if (k == NULL || k->kind != AST_TYPEOF || !ast_is_expression(k->kid[0]->kind) ||
            !has_effect(k->kid[0]))
            continue;
        lower_error(l, DIAG_VLA_ACROSS_AWAIT, d->declarator,
                    "`%.*s`, whose type depends on a run-time value, is in scope at an await, and "
                    "the operand of its typeof does something; do that in front of the declaration",
                    SV_ARG(d->name));
    }
    for (uint32_t t = specifiers->first; t < specifiers->last; t++) {
        if (!sv_is(ast_token_text(l->fn, t), "__auto_type"))
            continue;
        lower_error(
            l, DIAG_VLA_ACROSS_AWAIT, d->declarator,
            "`%.*s`, whose type depends on a run-time value, is in scope at an await; write "
            "its type instead of __auto_type",
            SV_ARG(d->name));
    }
}

static struct moved *moved_new(lowering *l, const ast_decl *d)
{
    struct moved *m = ARENA_NEW(l->mem, struct moved);
    const struct type *t = type_of(l, d->type);
    m->decl = d;
    m->specifiers = specifiers_of(d);
    m->is_value = d->kind == DECL_PARAM || t->cls == TYPE_POINTER;
    m->kind = d->kind == DECL_PARAM     ? MOVED_PARAM
              : d->kind == DECL_TYPEDEF ? MOVED_TYPEDEF
              : is_variable_array(t)    ? MOVED_ARRAY
                                        : MOVED_OBJECT;
    m->name = m->kind == MOVED_PARAM
                  ? arena_strndup(l->mem, d->name.at, d->name.len)
                  : arena_printf(l->mem, "aw__v_%.*s_%u", SV_ARG(d->name), d->token);
    find_sizes(l, m, m->specifiers);
    for (uint32_t i = 0; i + 1 < d->declarator->kid_count; i++) {
        const ast_node *part = d->declarator->kid[i];
        bool is_first = m->kind == MOVED_PARAM && part == first_bound(l, d->declarator);
        if (part != NULL && !is_first)
            find_sizes(l, m, part);
    }
    return m;
}

/* Does the use at n want no more than the value? */
static bool wants_value(const ast_node *n)
{
    const ast_node *parent = n->parent;
    while (parent->kind == AST_PAREN) {
        n = parent;
        parent = parent->parent;
    }
    switch (parent->kind) {
    case AST_ASSIGN:
        return parent->kid[1] == n;
    case AST_UNARY:
        return parent->op == OP_DEREF || parent->op == OP_NOT;
    case AST_INDEX:
    case AST_BINARY:
    case AST_AND_AND:
    case AST_OR_OR:
    case AST_CALL:
    case AST_CAST:
    case AST_CONDITIONAL:
    case AST_SIZEOF_EXPR:
    case AST_RETURN:
        return true;
    default:
        return false;
    }
}

static void find_uses(const struct moved_set *set, const ast_node *n)
{
    if (n->kind == AST_IDENT && n->ref != NULL && set->of[n->ref->id] != NULL && !wants_value(n))
        set->of[n->ref->id]->is_value = false;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            find_uses(set, n->kid[i]);
    }
}

/* The declarations of the function that move; NULL: none does. */
static struct moved_set *find_moved(lowering *l)
{
    struct moved_set *set = NULL;
    for (size_t i = 0; l->is_async && i < l->fn->decls.count; i++) {
        const ast_decl *d = l->fn->decls.at[i];
        if (!moves(l, d))
            continue;
        if (set == NULL) {
            set = ARENA_NEW(l->mem, struct moved_set);
            set->l = l;
            set->of = ARENA_ARRAY(l->mem, struct moved *, l->fn->decls.count + 1);
        }
        set->of[d->id] = moved_new(l, d);
    }
    if (set != NULL)
        find_uses(set, l->fn->root);
    return set;
}

/* ---- the new text -------------------------------------------------------------------------- */

struct mover {
    rewriter *w;
    const struct moved_set *set;
    lowering *l;
};

static uint32_t begin_of(const struct mover *m, const ast_node *n)
{
    return m->l->fn->tokens[n->first].begin;
}

static uint32_t end_of(const struct mover *m, const ast_node *n)
{
    return m->l->fn->tokens[n->last - 1].end;
}

static void put_node(struct mover *m, const ast_node *n);

static void put_made(struct mover *m, const ast_node *at, const char *text)
{
    rewrite_made(m->w, begin_of(m, at), text);
}

static int compare_first(const ast_node *a, const ast_node *b)
{
    return (a->first > b->first) - (a->first < b->first);
}

/* A few kinds keep their children in another order than the source. */
static uint32_t sorted_kids(const struct mover *m, const ast_node *n, const ast_node ***out)
{
    const ast_node **kids = ARENA_ARRAY(m->l->mem, const ast_node *, n->kid_count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] == NULL)
            continue;
        uint32_t k = count++;
        for (; k > 0 && compare_first(kids[k - 1], n->kid[i]) > 0; k--)
            kids[k] = kids[k - 1];
        kids[k] = n->kid[i];
    }
    *out = kids;
    return count;
}

/* The node from byte `at` to byte `end`, its children rewritten. */
static void put_range(struct mover *m, const ast_node *n, uint32_t at, uint32_t end)
{
    const ast_node **kids;
    uint32_t count = sorted_kids(m, n, &kids);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t begin = begin_of(m, kids[i]);
        if (kids[i]->first >= kids[i]->last || begin < at || begin >= end)
            continue;
        rewrite_copy(m->w, at, begin);
        put_node(m, kids[i]);
        at = end_of(m, kids[i]);
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
            if (again && k->kind == AST_TAG_DEF && moved_has_body(m->l, k))
                put_made(m, k,
                         arena_printf(m->l->mem, "%.*s %s", SV_ARG(ast_token_text(fn, t)),
                                      moved_tag_name(m->l, k)));
            else
                put_node(m, k);
            at = end_of(m, k);
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

static void put_sizes(struct mover *m, const struct moved *moved)
{
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
    strbuf own = strbuf_in(m->l->mem);
    const ast_node *parts[2] = {moved->specifiers, moved->decl->declarator};
    for (int part = 0; part < 2; part++) {
        for (uint32_t i = 0; i < parts[part]->kid_count; i++) {
            const ast_node *k = parts[part]->kid[i];
            if (k == NULL || (k->kind != AST_ALIGNAS && k->kind != AST_ATTRIBUTE))
                continue;
            strview text = ast_node_text(m->l->fn, k);
            if (k->kind == AST_ALIGNAS || memmem(text.at, text.len, "aligned", 7) != NULL)
                strbuf_fmt(&own, "%.*s ", SV_ARG(text));
        }
    }
    const char *type = moved_type(m->set, moved);
    if (own.len == 0)
        return arena_printf(m->l->mem, "__alignof__(%s)", type);
    const char *given =
        arena_printf(m->l->mem, "__alignof__(struct { %s char aw__as; })", strbuf_text(&own));
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
    put_made(m, declarator, arena_printf(m->l->mem, "void *%s%s", moved->name, strbuf_text(&dims)));
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
        if (k == NULL || k->kind != AST_TAG_DEF || !moved_has_body(m->l, k))
            continue;
        uint32_t at = begin_of(m, k);
        if (k->name_token == UINT32_MAX) {
            rewrite_copy(m->w, at, m->l->fn->tokens[k->first].end);
            put_made(m, k, arena_printf(m->l->mem, " %s", moved_tag_name(m->l, k)));
            at = m->l->fn->tokens[k->first].end;
        }
        put_range(m, k, at, end_of(m, k));
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
    rewrite_copy(m->w, begin_of(m, n), begin_of(m, n->kid[0]));
    put_range(m, n, semicolon, end_of(m, n));
    put_made(m, n, " }");
}

static void put_function(struct mover *m, const ast_node *n)
{
    const ast_node *body = n->kid[2];
    uint32_t open = m->l->fn->tokens[body->first].end;
    rewrite_copy(m->w, begin_of(m, n), open);
    for (size_t i = 0; i < m->l->fn->params.count; i++) {
        const struct moved *moved = m->set->of[m->l->fn->params.at[i]->id];
        if (moved != NULL)
            put_sizes(m, moved);
    }
    put_range(m, body, open, end_of(m, n));
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
        put_range(m, n, begin_of(m, n), end_of(m, n));
}

/* ---- the unit ------------------------------------------------------------------------------ */

static void put_region(rewriter *w, struct unit *u, uint32_t index, struct moved_set *set)
{
    const struct region *r = &u->source->regions[index];
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
    rewrite_copy(w, r->buffer_begin, begin_of(&m, root));
    put_function(&m, root);
    rewrite_copy(w, end_of(&m, root), r->buffer_end);
    rewrite_region(w, index, begin);
}

static void write_unit(struct unit *u, struct moved_set **sets)
{
    const expanded *old = u->source;
    uint32_t at = 0;
    rewriter w;
    rewrite_begin(&w, u, old->region_count);
    for (uint32_t i = 0; i < old->region_count; i++) {
        rewrite_copy(&w, at, old->regions[i].buffer_begin);
        put_region(&w, u, i, sets[i]);
        at = old->regions[i].buffer_end;
    }
    rewrite_copy(&w, at, (uint32_t)old->buffer.len);
    rewrite_end(&w);
}

bool variable_arrays_rewrite(struct unit *u)
{
    struct moved_set **sets = ARENA_ARRAY(u->mem, struct moved_set *, u->function_count + 1);
    bool any = false;
    for (uint32_t i = 0; i < u->function_count; i++) {
        sets[i] = u->functions[i] == NULL ? NULL : find_moved(u->functions[i]);
        any |= sets[i] != NULL;
    }
    if (!any)
        return false;
    write_unit(u, sets);
    return true;
}
