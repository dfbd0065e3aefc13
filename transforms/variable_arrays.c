/* SPDX-License-Identifier: MIT */
/*
 * Which declarations have a type of variable size in scope at an await, what is kept of them, and
 * which of them cannot move? See variable_arrays.h.
 */
#include "transforms/variable_arrays.h"

#include "transforms/moved_array.h"

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

/* Does the token name a declaration that moves, too? Something else is written for it. */
static bool names_variable(const lowering *l, uint32_t token)
{
    const ast_decl *d = ast_visible_decl(l->fn, ast_token_text(l->fn, token), token);
    return d != NULL && d->type != TYPE_NONE && type_of(l, d->type)->is_variable;
}

/* Does an inner scope of the declaration's give one of these names another meaning? */
static bool is_hidden(const lowering *l, const ast_decl *d, uint32_t from, uint32_t to)
{
    for (size_t i = 0; i < l->fn->decls.count; i++) {
        const ast_decl *e = l->fn->decls.at[i];
        bool is_inner = e != d && e->name.len > 0 && e->kind != DECL_LABEL &&
                        e->kind != DECL_FIELD && e->token != UINT32_MAX && e->token > d->token &&
                        e->token < d->scope->node->last;
        for (uint32_t t = from; is_inner && t < to; t++) {
            if (l->fn->tokens[t].kind == TOKEN_IDENT &&
                sv_equal(ast_token_text(l->fn, t), e->name) && !names_variable(l, t))
                return true;
        }
    }
    return false;
}

/* Of the declarator only what is not kept as a size is written again. */
static bool hides_declarator(const lowering *l, const ast_decl *d)
{
    const ast_node *declarator = d->declarator;
    for (uint32_t i = 0; i + 1 < declarator->kid_count; i++) {
        const ast_node *part = declarator->kid[i];
        bool is_size = part != NULL && part->kind == AST_ARRAY_BOUND && part->kid[0] != NULL;
        if (part != NULL && (!is_size || is_fixed(l, part->kid[0])) &&
            is_hidden(l, d, part->first, part->last))
            return true;
    }
    return false;
}

/* Can no typedef of its own stand for the specifiers, since they depend on a size, too? */
static bool has_variable_base(const lowering *l, const ast_decl *d)
{
    const ast_node *specifiers = specifiers_of(d);
    for (uint32_t t = specifiers->first; t < specifiers->last; t++) {
        if (names_variable(l, t))
            return true;
    }
    return false;
}

static void refuse(lowering *l, const ast_decl *d, const char *why)
{
    lower_error(l, DIAG_VLA_ACROSS_AWAIT, d->declarator,
                "`%.*s`, whose type depends on a run-time value, is in scope at an await, and %s",
                SV_ARG(d->name), why);
}

void variable_array_check(lowering *l, const ast_decl *d)
{
    if (!moves(l, d))
        return;
    const ast_node *specifiers = specifiers_of(d);
    bool is_hidden_base = is_hidden(l, d, specifiers->first, specifiers->last);
    if (hides_declarator(l, d) || (is_hidden_base && has_variable_base(l, d)))
        refuse(l, d, "a name in its type is declared again further in; choose another name there");
    if (d->kind != DECL_TYPEDEF && openmp_names(l, d))
        refuse(l, d,
               "a pragma of OpenMP names it; do that in a plain function that gets the array");
    if (d->cleanup != NULL)
        refuse(l, d, "has a clean-up; use a defer behind the declaration instead");
    for (uint32_t i = 0; i < specifiers->kid_count; i++) {
        const ast_node *k = specifiers->kid[i];
        if (k != NULL && k->kind == AST_TYPEOF && ast_is_expression(k->kid[0]->kind) &&
            has_effect(k->kid[0]))
            refuse(l, d,
                   "the operand of its typeof does something; do that in front of the declaration");
    }
    for (uint32_t t = specifiers->first; t < specifiers->last; t++) {
        if (sv_is(ast_token_text(l->fn, t), "__auto_type"))
            refuse(l, d, "is declared with __auto_type; write its type instead");
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
    if (is_hidden(l, d, m->specifiers->first, m->specifiers->last))
        m->base = arena_printf(l->mem, "aw__b_%.*s_%u", SV_ARG(d->name), d->token);
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

/* ---- the unit ------------------------------------------------------------------------------ */

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
    moved_write(u, sets);
    return true;
}
