/* SPDX-License-Identifier: MIT */
/*
 * How does a region's tree learn its types? Each expression looks up its own extent (first byte of
 * its first token, end of its last) among libclang's, children before parents. Then what libclang
 * shows wrongly is set right:
 *
 *   - a parameter of array or function type is shown undecayed, and so is every value made from it
 *     (`a + 1`, `a = b`, `c ? a : b`): no rvalue has such a type, so it decays
 *   - an async mark on a variable, parameter or field is not in libclang's types: it is added here
 *     and follows parentheses, `*`, `&`, `[]`, `,`, `?:`, `=`, typeof and __auto_type
 *   - extents end wrongly in nested macros (a form within a form): such nodes are derived
 *
 * The two sweeps run on the way: each identifier against libclang's reference at its place, each
 * await mark against libclang's operators and the tree's await nodes.
 */
#include "analyzer/base/bitset.h"
#include "analyzer/base/check.h"
#include "analyzer/parse/clang_private.h"
#include "analyzer/parse/clang_types.h"

struct annotate {
    clang_unit *u;
    ast_function *fn;
    bitset claimed;    /* tokens that an AST_IDENT or AST_AWAIT stands for */
    const char *error; /* the first disagreement */
    uint32_t offset;
};

static const struct type *type_at(const struct annotate *a, type_id id)
{
    return type_get(clang_types_table(a->u->types), id);
}

static uint32_t token_offset(const ast_function *fn, uint32_t token)
{
    return token < fn->token_count ? fn->tokens[token].begin : NO_OFFSET;
}

static void disagree(struct annotate *a, uint32_t offset, const char *text)
{
    if (a->error != NULL)
        return;
    a->error = text;
    a->offset = offset;
}

static ast_node *kid(const ast_node *n, uint32_t i)
{
    return i < n->kid_count ? n->kid[i] : NULL;
}

static ast_node *last_kid(const ast_node *n)
{
    return n->kid_count == 0 ? NULL : n->kid[n->kid_count - 1];
}

/* ---- the identifier sweep ----------------------------------------------------------------- */

static bool is_variable_like(const struct clang_decl *d)
{
    return d->kind == CXCursor_VarDecl || d->kind == CXCursor_ParmDecl ||
           d->kind == CXCursor_EnumConstantDecl;
}

/* Is this a declaration of the region's own, so that the tree must have it, too? */
static bool is_local(const struct annotate *a, const struct clang_decl *d)
{
    const ast_function *fn = a->fn;
    return d->is_in_region && d->offset != NO_OFFSET && fn->token_count != 0 &&
           d->offset >= fn->tokens[0].begin && d->offset < fn->tokens[fn->token_count - 1].end;
}

static void check_identifier(struct annotate *a, const ast_node *n, const struct clang_decl *d)
{
    uint32_t offset = token_offset(a->fn, n->name_token);
    strview name = ast_token_text(a->fn, n->name_token);
    bool is_known_local = is_local(a, d);
    const char *what = NULL;
    if (n->ref == NULL) {
        if (is_known_local)
            what = "libclang sees a local there, the tree a name of file scope";
    } else if (!is_known_local) {
        what = "libclang sees a name of file scope there, the tree a local";
    } else if (token_offset(a->fn, n->ref->token) != d->offset && !d->is_extern &&
               !(a->fn->is_old_style && n->ref->kind == DECL_PARAM)) {
        what = "libclang and the tree see different declarations of it";
    }
    if (what != NULL)
        disagree(a, offset,
                 arena_printf(a->u->mem, "the two parsers disagree about '%.*s': %s", SV_ARG(name),
                              what));
}

/* Every local that libclang saw used must be an identifier of the tree. */
static void sweep_identifiers(struct annotate *a)
{
    for (uint32_t i = 0; i < a->fn->token_count; i++) {
        if (a->fn->tokens[i].kind != TOKEN_IDENT || bitset_has(&a->claimed, i))
            continue;
        const struct clang_decl *d = clang_region_ref(a->u, a->fn->tokens[i].begin);
        if (d == NULL || !is_variable_like(d) || !is_local(a, d))
            continue;
        disagree(a, a->fn->tokens[i].begin,
                 arena_printf(a->u->mem,
                              "the two parsers disagree about '%.*s': libclang sees a local used "
                              "there, the tree has no expression",
                              SV_ARG(ast_token_text(a->fn, i))));
    }
}

/* Does the token stand in the first operand of an `a ?: b`? libclang shows that one three times. */
static bool is_in_elvis(const ast_node *n, uint32_t token)
{
    if (token < n->first || token >= n->last)
        return false;
    if (n->kind == AST_CONDITIONAL && n->kid[1] == NULL && token < n->kid[0]->last)
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && is_in_elvis(n->kid[i], token))
            return true;
    }
    return false;
}

/* How often libclang shows the await. Of a statement `__extension__ await f();` it shows the first
 * word only, and takes all of them for one. */
static uint32_t awaits_seen(const struct annotate *a, uint32_t token)
{
    uint32_t index = clang_map_get(&a->u->await_at, a->fn->tokens[token].begin), first = token;
    if (index != 0)
        return a->u->awaits.at[index - 1].count;
    while (first > 0 && sv_is(ast_token_text(a->fn, first - 1), "__extension__"))
        first--;
    return clang_map_get(&a->u->extension_at, a->fn->tokens[first].begin);
}

static void sweep_awaits(struct annotate *a)
{
    for (uint32_t i = 0; i < a->fn->token_count; i++) {
        if (a->fn->tokens[i].kind != TOKEN_IDENT ||
            !sv_is(ast_token_text(a->fn, i), "__awaitc_await__"))
            continue;
        uint32_t offset = a->fn->tokens[i].begin;
        uint32_t seen = awaits_seen(a, i);
        if (!bitset_has(&a->claimed, i))
            disagree(a, offset, "the two parsers disagree about this await: the tree has none");
        else if (seen == 0)
            disagree(a, offset,
                     "libclang does not see this await: it stands where no code is generated, or "
                     "in an argument of a macro of the compiler's own that drops it");
        else if (seen > 1 && !is_in_elvis(a->fn->root, i))
            disagree(a, offset,
                     arena_printf(a->u->mem,
                                  "libclang sees this await %u times: it stands in an argument of "
                                  "a macro of the compiler's own that repeats it",
                                  seen));
    }
}

/* ---- types of expressions ----------------------------------------------------------------- */

/* The type of the value that a read of an operand of this type gives. */
static type_id value_type(struct annotate *a, type_id id)
{
    id = type_at(a, clang_types_decayed(a->u, id))->unqualified;
    return type_at(a, id)->cls == TYPE_ATOMIC ? type_at(a, id)->elem : id;
}

static bool is_undecayed(const struct annotate *a, type_id id)
{
    enum type_class cls = type_at(a, id)->cls;
    return cls == TYPE_ARRAY || cls == TYPE_FUNCTION;
}

/* The child whose value or object an operator passes on, or NULL. */
static ast_node *passed_kid(const ast_node *n)
{
    switch ((int)n->kind) {
    case AST_PAREN:
    case AST_AWAIT:
        return kid(n, 0);
    case AST_UNARY:
        return n->op == OP_EXTENSION ? kid(n, 0) : NULL;
    case AST_ASSIGN:
        return kid(n, 0);
    case AST_COMMA:
        return last_kid(n);
    case AST_FORM:
        if (n->op == FORM_BLOCKING || n->op == FORM_COMPUTE || n->op == FORM_BLOCK_ON ||
            n->op == FORM_RUNTIME_BLOCK_ON)
            return last_kid(n);
        return NULL;
    default:
        return NULL;
    }
}

/* The type of the parser header's functions that stand for types: void, int, aw_task *. */
static const struct type *witness(struct annotate *a, const char *name)
{
    const struct clang_function *f = clang_unit_function(a->u, sv_from(name));
    if (f == NULL || type_at(a, f->type)->cls != TYPE_FUNCTION)
        return NULL;
    return type_at(a, f->type);
}

/* The type of a form that is no call's. */
static type_id form_type(struct annotate *a, const ast_node *n)
{
    const struct type *t = witness(a, n->op == FORM_ALL ? "aw_yield" : "aw_join");
    if (t == NULL)
        return TYPE_NONE;
    if (n->op == FORM_SPAWN || n->op == FORM_SPAWN_ON)
        return t->param_count != 0 ? t->params[0] : TYPE_NONE;
    return t->elem;
}

/* An operator whose right operand ends in a form: libclang has converted the left one to the
 * result's type. */
static type_id operator_type(struct annotate *a, const ast_node *n)
{
    bool is_test = n->kind == AST_AND_AND || n->kind == AST_OR_OR ||
                   (n->kind == AST_BINARY && n->op >= OP_LT && n->op <= OP_NE);
    if (is_test) {
        const struct type *t = witness(a, "aw_join");
        return t == NULL ? TYPE_NONE : t->elem;
    }
    const ast_node *side = n->kind == AST_CONDITIONAL ? n->kid[1] : n->kid[0];
    if (side == NULL)
        return TYPE_NONE;
    bool is_sum = n->kind == AST_BINARY && n->op == OP_ADD;
    if (is_sum && type_at(a, n->kid[1]->converted)->cls == TYPE_POINTER)
        side = n->kid[1];
    return type_at(a, side->converted)->unqualified;
}

/* The type of a node that libclang shows at no extent. */
static type_id derived_type(struct annotate *a, const ast_node *n)
{
    const ast_node *passed = passed_kid(n);
    if (passed != NULL && n->kind == AST_ASSIGN)
        return type_at(a, passed->type)->unqualified;
    if (passed != NULL)
        return passed->type;
    bool is_part = n->kind == AST_DESIGNATED || n->kind == AST_GENERIC_ASSOC;
    if (is_part && last_kid(n) != NULL)
        return last_kid(n)->type;
    if (n->kind == AST_BINARY || n->kind == AST_AND_AND || n->kind == AST_OR_OR ||
        n->kind == AST_CONDITIONAL)
        return operator_type(a, n);
    return n->kind == AST_FORM ? form_type(a, n) : TYPE_NONE;
}

/* Does some alternative of a selection have this type? */
static bool has_arm_of(const struct annotate *a, const ast_node *n, type_id shown)
{
    for (uint32_t i = 1; i < n->kid_count; i++) {
        if (n->kid[i] != NULL &&
            type_at(a, n->kid[i]->type)->canonical == type_at(a, shown)->canonical)
            return true;
    }
    return false;
}

/* May this operator's result be an array or a function, as libclang shows it? */
static bool is_object_like(const struct annotate *a, const ast_node *n, type_id shown)
{
    switch ((int)n->kind) {
    case AST_IDENT:
        return n->ref == NULL || n->ref->kind != DECL_PARAM;
    case AST_UNARY:
        if (n->op == OP_DEREF) {
            const struct type *pointer = type_at(a, n->kid[0]->converted);
            return pointer->cls != TYPE_POINTER || is_undecayed(a, pointer->elem);
        }
        return n->op == OP_EXTENSION && is_undecayed(a, n->kid[0]->type);
    case AST_PAREN:
        return is_undecayed(a, n->kid[0]->type);
    case AST_GENERIC:
    case AST_CHOOSE_EXPR:
        return has_arm_of(a, n, shown);
    case AST_BINARY:
    case AST_ASSIGN:
    case AST_COMMA:
    case AST_CONDITIONAL:
    case AST_PREFIX:
    case AST_POSTFIX:
    case AST_CALL:
    case AST_CAST:
    case AST_AWAIT:
    case AST_STMT_EXPR:
    case AST_VA_ARG:
    case AST_FORM:
        return false;
    default:
        return true;
    }
}

/* A type as shown by libclang for a node -> the node's own type. */
static type_id corrected_type(struct annotate *a, const ast_node *n, type_id shown)
{
    if (!is_undecayed(a, shown) || is_object_like(a, n, shown))
        return shown;
    return clang_types_decayed(a->u, shown);
}

/* The type after the conversions around a node, from the one that libclang shows there. */
static type_id corrected_converted(struct annotate *a, const ast_node *n,
                                   const struct clang_expr *e)
{
    type_id id = e->converted;
    if (!e->is_converted || (id == e->type && !is_undecayed(a, n->type)))
        return n->type;
    if (is_undecayed(a, id)) {
        bool is_same = type_at(a, id)->canonical == type_at(a, n->type)->canonical;
        return is_same ? n->type : clang_types_decayed(a->u, id);
    }
    id = type_at(a, id)->unqualified;
    const struct type *t = type_at(a, id);
    if (t->cls == TYPE_ATOMIC && type_at(a, n->type)->cls != TYPE_ATOMIC)
        return t->elem;
    return id;
}

/* ---- async marks -------------------------------------------------------------------------- */

/* Is a value made from this operand's async if the operand is? */
static bool passes_async(const ast_node *n, const ast_node *child)
{
    switch ((int)n->kind) {
    case AST_PAREN:
    case AST_COMMA:
    case AST_ASSIGN:
    case AST_FORM:
        return child == passed_kid(n);
    case AST_UNARY:
        return n->op == OP_ADDR || n->op == OP_DEREF || n->op == OP_EXTENSION;
    case AST_CONDITIONAL:
        return child != n->kid[0] || n->kid[1] == NULL;
    case AST_INDEX:
    case AST_PREFIX:
    case AST_POSTFIX:
    case AST_GENERIC_ASSOC:
        return true;
    case AST_BINARY:
        return n->op == OP_ADD || n->op == OP_SUB;
    case AST_GENERIC:
    case AST_CHOOSE_EXPR:
        return child != n->kid[0];
    default:
        return false;
    }
}

static void mark_async(struct annotate *a, ast_node *n)
{
    n->type = clang_types_as_async(a->u, n->type);
    n->converted = clang_types_as_async(a->u, n->converted);
}

static void pass_async(struct annotate *a, ast_node *n)
{
    for (uint32_t i = 0; i < n->kid_count; i++) {
        const ast_node *child = n->kid[i];
        if (child != NULL && type_at(a, child->type)->is_async && passes_async(n, child))
            mark_async(a, n);
    }
}

/* ---- nodes by kind ------------------------------------------------------------------------ */

static void annotate_identifier(struct annotate *a, ast_node *n)
{
    bitset_add(&a->claimed, n->name_token);
    const struct clang_decl *d = clang_region_ref(a->u, token_offset(a->fn, n->name_token));
    if (d == NULL)
        return;
    check_identifier(a, n, d);
    if (d->kind == CXCursor_EnumConstantDecl || d->kind == CXCursor_FunctionDecl)
        n->is_const_expr = true;
    bool is_as_shown = n->converted == n->type;
    if (d->function != NULL && type_at(a, n->type)->cls == TYPE_FUNCTION)
        n->type = clang_function_of(a->u, d->function)->type; /* knows async parameters */
    else if (type_at(a, n->type)->cls == TYPE_UNKNOWN)
        n->type = d->type;
    if (n->converted == TYPE_NONE || is_as_shown)
        n->converted = n->type;
    if (clang_region_is_async(d) || (n->ref != NULL && n->ref->is_async))
        mark_async(a, n);
}

static void annotate_member(struct annotate *a, ast_node *n)
{
    const struct clang_decl *d = clang_region_ref(a->u, token_offset(a->fn, n->name_token));
    if (d == NULL)
        return;
    n->is_lvalue_bitfield = d->is_bitfield;
    n->bitfield_bits = d->bitfield_bits;
    if (d->is_async)
        mark_async(a, n);
}

static void annotate_call(struct annotate *a, ast_node *n)
{
    const ast_node *callee = n->kid[0];
    bool is_async_pointer = false;
    const struct clang_function *f = clang_unit_callee(a->u, a->fn, callee, &is_async_pointer);
    n->is_file_callee_async = f != NULL ? f->is_async : is_async_pointer;
    if (callee->kind != AST_IDENT || callee->ref != NULL ||
        clang_region_ref(a->u, token_offset(a->fn, callee->name_token)) != NULL)
        return;
    /* a macro of the compiler's own: what it makes of an argument is not that argument's business
     */
    for (uint32_t i = 1; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && ast_is_expression(n->kid[i]->kind))
            n->kid[i]->converted = value_type(a, n->kid[i]->type);
    }
}

static void annotate_type_name(struct annotate *a, ast_node *n)
{
    (void)a;
    ast_node *name = n->kind == AST_VA_ARG ? last_kid(n) : kid(n, 0);
    if (name != NULL && name->kind == AST_TYPE_NAME)
        name->type = n->type;
}

static void annotate_expression(struct annotate *a, ast_node *n)
{
    struct clang_range extent = {token_offset(a->fn, n->first), 0};
    if (n->last > n->first)
        extent.end = a->fn->tokens[n->last - 1].end;
    uint32_t index = clang_map_get(&a->u->expr_at, clang_extent_key(extent));
    const struct clang_expr *e = index == 0 ? NULL : &a->u->exprs.at[index - 1];
    if (e == NULL || n->kind == AST_DESIGNATED) {
        n->type = derived_type(a, n);
        n->converted = n->type;
    } else {
        n->type = corrected_type(a, n, e->type);
        n->converted = corrected_converted(a, n, e);
    }
    if (n->kind == AST_IDENT)
        annotate_identifier(a, n);
    else if (n->kind == AST_MEMBER)
        annotate_member(a, n);
    else if (n->kind == AST_AWAIT)
        bitset_add(&a->claimed, n->first);
    pass_async(a, n);
    if (n->kind == AST_CALL)
        annotate_call(a, n);
    else if (n->kind == AST_CAST || n->kind == AST_COMPOUND_LITERAL || n->kind == AST_VA_ARG)
        annotate_type_name(a, n);
}

/* ---- declarations ------------------------------------------------------------------------- */

static void annotate_decl(struct annotate *a, ast_decl *d)
{
    const struct clang_decl *known = clang_region_declared(a->u, token_offset(a->fn, d->token));
    if (known == NULL)
        return;
    d->type = known->type;
    d->is_thread_local |= known->is_thread_local;
    d->is_async |= clang_region_is_async(known);
}

static void annotate_decls(struct annotate *a, CXCursor function)
{
    const struct clang_api *api = a->u->api;
    for (size_t i = 0; i < a->fn->decls.count; i++)
        annotate_decl(a, a->fn->decls.at[i]);
    int count = api->Cursor_getNumArguments(function);
    for (uint32_t i = 0; i < a->fn->params.count && (int)i < count; i++) {
        ast_decl *param = a->fn->params.at[i];
        CXCursor c = api->Cursor_getArgument(function, i);
        param->type = clang_types_decayed(a->u, clang_types_of(a->u, api->getCursorType(c)));
        param->is_async |= type_at(a, param->type)->is_async;
        param->is_async |= api->Cursor_hasAttrs(c) && clang_attributes_of(a->u, c).is_async;
    }
    for (size_t i = 0; i < a->fn->decls.count; i++) {
        ast_decl *d = a->fn->decls.at[i];
        if (d->is_async)
            d->type = clang_types_as_async(a->u, d->type);
    }
    a->fn->type = clang_function_of(a->u, clang_index_entry(a->u, function, false))->type;
}

/* Do these specifiers take the type from elsewhere, and is it async there? */
static bool specifiers_are_async(struct annotate *a, const ast_node *specifiers,
                                 const ast_node *initialiser)
{
    for (uint32_t i = 0; i < specifiers->kid_count; i++) {
        const ast_node *n = specifiers->kid[i];
        if (n != NULL && n->kind == AST_TYPEOF && kid(n, 0) != NULL &&
            type_at(a, n->kid[0]->type)->is_async)
            return true;
    }
    if (initialiser == NULL || !type_at(a, initialiser->converted)->is_async)
        return false;
    for (uint32_t i = specifiers->first; i < specifiers->last; i++) {
        strview text = ast_token_text(a->fn, i);
        if (sv_is(text, "__auto_type") || sv_is(text, "auto"))
            return true;
    }
    return false;
}

/* The declarators that follow specifiers, after their initialisers were seen. */
static void annotate_declarators(struct annotate *a, ast_node *n)
{
    const ast_node *specifiers = kid(n, 0);
    if (specifiers == NULL || specifiers->kind != AST_SPECIFIERS)
        return;
    for (uint32_t i = 1; i < n->kid_count; i++) {
        const ast_node *declarator = n->kid[i];
        if (declarator == NULL || declarator->kind != AST_DECLARATOR || declarator->ref == NULL)
            continue;
        ast_decl *d = declarator->ref;
        if (d->is_async || !specifiers_are_async(a, specifiers, last_kid(declarator)))
            continue;
        type_id type = clang_types_as_async(a->u, d->type);
        d->is_async = type != d->type;
        d->type = type;
    }
}

/* ---- the walk ----------------------------------------------------------------------------- */

static void walk(struct annotate *a, ast_node *n)
{
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            walk(a, n->kid[i]);
    }
    if (ast_is_expression(n->kind))
        annotate_expression(a, n);
    else if (n->kind == AST_DECL_STMT || n->kind == AST_FIELD_DECL)
        annotate_declarators(a, n);
}

static void set_declarator_types(ast_node *n)
{
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            set_declarator_types(n->kid[i]);
    }
    if ((n->kind == AST_DECLARATOR || n->kind == AST_TAG_DEF || n->kind == AST_ENUMERATOR) &&
        n->ref != NULL)
        n->type = n->ref->type;
}

const char *clang_unit_annotate(clang_unit *u, ast_function *fn, uint32_t *offset)
{
    struct annotate a = {.u = u, .fn = fn};
    uint32_t start = token_offset(fn, 0);
    uint32_t region = start == NO_OFFSET ? u->region_count : clang_index_region(u, start);
    if (region == u->region_count || !u->regions[region].is_found) {
        *offset = start;
        return "libclang sees no function definition here";
    }
    a.claimed = bitset_new(u->mem, fn->token_count + 1);
    annotate_decls(&a, u->regions[region].function);
    walk(&a, fn->root);
    set_declarator_types(fn->root);
    sweep_identifiers(&a);
    sweep_awaits(&a);
    *offset = a.offset;
    return a.error;
}

/* ---- callees ------------------------------------------------------------------------------ */

/* Passes what calls the same function: (f), *f, &f. */
static const ast_node *bare_callee(const ast_node *n)
{
    for (;;) {
        bool is_passed = n->kind == AST_PAREN ||
                         (n->kind == AST_UNARY &&
                          (n->op == OP_DEREF || n->op == OP_ADDR || n->op == OP_EXTENSION));
        if (!is_passed || kid(n, 0) == NULL)
            return n;
        n = n->kid[0];
    }
}

const struct clang_function *clang_unit_callee(const clang_unit *u, const ast_function *fn,
                                               const ast_node *callee, bool *is_async_pointer)
{
    const ast_node *n = bare_callee(callee);
    *is_async_pointer = false;
    if (n->kind == AST_IDENT) {
        const struct clang_decl *d = clang_region_ref(u, token_offset(fn, n->name_token));
        if (d != NULL && d->function != NULL)
            return clang_function_of(u->self, d->function);
    }
    *is_async_pointer = type_get(clang_types_table(u->types), n->type)->is_async;
    return NULL;
}
