/* SPDX-License-Identifier: MIT */
/*
 * Which type has an expression, and what does it name? Worked out from the leaves up, where asked;
 * declarations are remembered, expressions are not, as few are asked twice.
 *
 * Integer promotions are only done as far as somebody looks: a result's class, size and what
 * pointers point to are right; `unsigned char + unsigned char` is an int of 4 bytes.
 */
#include "analyzer/sema/sema_private.h"

#include "analyzer/base/check.h"
#include "analyzer/base/strbuf.h"

/* ---- shape
 * ---------------------------------------------------------------------------------------- */

const ast_node *sema_strip_parens(const ast_node *n)
{
    while (n->kind == AST_PAREN || (n->kind == AST_UNARY && n->op == OP_EXTENSION))
        n = n->kid[0];
    return n;
}

const ast_node *sema_strip(const ast_node *n)
{
    for (;;) {
        n = sema_strip_parens(n);
        if (n->kind != AST_CAST)
            return n;
        n = n->kid[1];
    }
}

uint32_t sema_arg_count(const ast_node *call)
{
    return call->kid_count == 0 ? 0 : call->kid_count - 1;
}

const ast_node *sema_arg(const ast_node *call, uint32_t i)
{
    return call->kid[i + 1];
}

/* ---- symbols
 * --------------------------------------------------------------------------------------- */

sema_symbol *sema_ident_symbol(sema_unit *u, const struct sema_function *fn, const ast_node *n)
{
    if (n->kind != AST_IDENT)
        return NULL;
    if (n->ref != NULL && n->ref->kind != DECL_FUNCTION && n->ref->storage != STORAGE_EXTERN)
        return NULL;
    return sema_find(u, ast_node_text(fn->tree, n));
}

/* The declarator, in the tree of a declaration, whose name is at this offset. */
static const ast_node *find_declarator(const struct sema_function *fn, const ast_node *n,
                                       uint32_t offset)
{
    if (n->kind == AST_DECLARATOR && n->name_token != UINT32_MAX &&
        fn->tree->tokens[n->name_token].begin == offset)
        return n;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        const ast_node *k = n->kid[i];
        bool is_inside = k != NULL && k->last > k->first &&
                         fn->tree->tokens[k->first].begin <= offset &&
                         fn->tree->tokens[k->last - 1].end > offset;
        const ast_node *found = is_inside ? find_declarator(fn, k, offset) : NULL;
        if (found != NULL)
            return found;
    }
    return NULL;
}

const ctype *sema_symbol_type(sema_unit *u, sema_symbol *s)
{
    struct symbol_lazy *lazy = sema_lazy(s);
    if (lazy->has_type)
        return lazy->type;
    lazy->has_type = true;
    lazy->type = u->unknown; /* for a type that refers to itself */
    if (s->kind == SYMBOL_ENUMERATOR) {
        lazy->type = u->int_type;
        return lazy->type;
    }
    struct sema_function *fn = sema_declaration_tree(u, lazy->declaration);
    uint32_t offset = u->tokens[s->name_token].begin;
    const ast_node *n = fn == NULL ? NULL : find_declarator(fn, fn->tree->root, offset);
    if (n == NULL)
        return lazy->type;
    const ctype *type = sema_declared_type(u, fn, n);
    if (s->is_async && !type->is_async) {
        ctype *copy = arena_copy(u->mem, type, sizeof *type);
        copy->is_async = true;
        type = copy;
    }
    lazy->type = type;
    return type;
}

/* The name of the i-th parameter that a function's declarator lists. */
static strview listed_param_name(const struct sema_function *fn, const ast_node *n, uint32_t i)
{
    const strview none = {"", 0};
    const ast_node *params = NULL;
    for (uint32_t k = 0; k < n->kid_count && params == NULL; k++) {
        if (n->kid[k] != NULL && n->kid[k]->kind == AST_PARAMS)
            params = n->kid[k];
    }
    if (params == NULL || i >= params->kid_count || params->kid[i] == NULL ||
        params->kid[i]->kid_count < 2)
        return none;
    const ast_node *d = params->kid[i]->kid[1];
    return d == NULL || d->name_token == UINT32_MAX ? none
                                                    : ast_token_text(fn->tree, d->name_token);
}

strview sema_param_name(sema_unit *u, sema_symbol *s, uint32_t i)
{
    const strview none = {"", 0};
    if (s->function != NULL) {
        const ast_function *tree = s->function->tree;
        return i < tree->params.count ? tree->params.at[i]->name : none;
    }
    struct sema_function *fn = sema_declaration_tree(u, sema_lazy(s)->declaration);
    if (fn == NULL)
        return none;
    const ast_node *n = find_declarator(fn, fn->tree->root, u->tokens[s->name_token].begin);
    return n == NULL ? none : listed_param_name(fn, n, i);
}

ast_node *sema_symbol_initialiser(sema_unit *u, sema_symbol *s, struct sema_function **fn)
{
    if (s->kind != SYMBOL_VARIABLE)
        return NULL;
    *fn = sema_declaration_tree(u, sema_lazy(s)->declaration);
    if (*fn == NULL)
        return NULL;
    const ast_node *n = find_declarator(*fn, (*fn)->tree->root, u->tokens[s->name_token].begin);
    return n == NULL || n->kid_count == 0 ? NULL : n->kid[n->kid_count - 1];
}

const ctype *sema_decl_type(sema_unit *u, const struct sema_function *fn, const ast_decl *d)
{
    struct function_lazy *lazy = fn->lazy;
    if (d->declarator == NULL)
        return u->unknown;
    const ctype **memo = &lazy->decl_types[d->id];
    if (d->kind == DECL_FIELD || d->id >= fn->tree->decls.count || fn->tree->decls.at[d->id] != d)
        memo = NULL;
    if (memo != NULL && *memo != NULL)
        return *memo;
    if (memo != NULL)
        *memo = u->unknown;
    const ctype *type = sema_declared_type(u, fn, d->declarator);
    if (d->kind == DECL_PARAM)
        type = sema_decayed(u, type);
    if (memo != NULL)
        *memo = type;
    return type;
}

/* ---- types of expressions
 * ----------------------------------------------------------------------------
 */

static const ctype *result_of(sema_unit *u, const ctype *callee)
{
    while (callee->cls == CTYPE_POINTER)
        callee = callee->elem;
    return callee->cls == CTYPE_FUNCTION ? callee->elem : u->unknown;
}

static const ctype *ident_type(sema_unit *u, const struct sema_function *fn, const ast_node *n)
{
    if (n->ref != NULL && n->ref->kind != DECL_LABEL)
        return sema_decl_type(u, fn, n->ref);
    sema_symbol *s = sema_ident_symbol(u, fn, n);
    return s == NULL ? u->unknown : sema_symbol_type(u, s);
}

static const ctype *pointee(sema_unit *u, const ctype *type)
{
    if (type->cls == CTYPE_POINTER || type->cls == CTYPE_ARRAY)
        return type->elem;
    return type->cls == CTYPE_FUNCTION ? type : u->unknown;
}

static const ctype *member_type(sema_unit *u, const struct sema_function *fn, const ast_node *n)
{
    const ctype *base = sema_type(u, fn, n->kid[0]);
    if (n->op == OP_ARROW)
        base = pointee(u, base);
    if (base->record == NULL)
        return u->unknown;
    const struct cfield *f = sema_find_field(base->record, ast_token_text(fn->tree, n->name_token));
    return f == NULL ? u->unknown : f->type;
}

static const ctype *unary_type(sema_unit *u, const struct sema_function *fn, const ast_node *n)
{
    const ctype *operand = sema_type(u, fn, n->kid[0]);
    switch (n->op) {
    case OP_ADDR:
        return sema_pointer_to(u, operand);
    case OP_DEREF:
        return pointee(u, operand);
    case OP_NOT:
        return u->int_type;
    default:
        return operand;
    }
}

static const ctype *binary_type(sema_unit *u, const struct sema_function *fn, const ast_node *n)
{
    if (n->op >= OP_LT && n->op <= OP_NE)
        return u->int_type;
    const ctype *a = sema_type(u, fn, n->kid[0]);
    if (n->op == OP_SHL || n->op == OP_SHR)
        return a;
    const ctype *b = sema_type(u, fn, n->kid[1]);
    bool a_points = a->cls == CTYPE_POINTER || a->cls == CTYPE_ARRAY;
    bool b_points = b->cls == CTYPE_POINTER || b->cls == CTYPE_ARRAY;
    if (a_points && b_points)
        return u->long_type;
    if (a_points || b_points)
        return sema_decayed(u, a_points ? a : b);
    if (a->cls == CTYPE_FLOAT || b->cls == CTYPE_FLOAT)
        return a->cls == CTYPE_FLOAT ? a : b;
    if (a->size_bytes < 4 && b->size_bytes < 4)
        return u->int_type;
    return a->size_bytes >= b->size_bytes ? a : b;
}

static const ctype *form_type(sema_unit *u, const struct sema_function *fn, const ast_node *n)
{
    switch ((enum ast_form)n->op) {
    case FORM_SPAWN:
    case FORM_SPAWN_ON:
        return sema_pointer_to(u, u->void_type);
    case FORM_ALL:
        return u->void_type;
    case FORM_TRY_ALL:
    case FORM_RACE:
    case FORM_TIMEOUT:
    case FORM_SCOPE_SPAWN:
        return u->int_type;
    case FORM_BLOCKING:
    case FORM_COMPUTE:
    case FORM_BLOCK_ON:
        return n->kid_count == 0 ? u->unknown : sema_type(u, fn, n->kid[0]);
    case FORM_RUNTIME_BLOCK_ON:
        return n->kid_count < 2 ? u->unknown : sema_type(u, fn, n->kid[1]);
    }
    return u->unknown;
}

static const ctype *conditional_type(sema_unit *u, const struct sema_function *fn,
                                     const ast_node *n)
{
    const ctype *a = sema_type(u, fn, n->kid[1] != NULL ? n->kid[1] : n->kid[0]);
    const ctype *b = sema_type(u, fn, n->kid[2]);
    a = sema_decayed(u, a);
    b = sema_decayed(u, b);
    if (a->cls == CTYPE_POINTER && (b->cls != CTYPE_POINTER || a->elem->cls != CTYPE_VOID))
        return a;
    if (b->cls == CTYPE_POINTER)
        return b;
    return a->cls == CTYPE_UNKNOWN || a->size_bytes < b->size_bytes ? b : a;
}

static const ctype *statement_type(sema_unit *u, const struct sema_function *fn, const ast_node *n)
{
    const ast_node *body = n->kid[0];
    const ast_node *last = body->kid_count == 0 ? NULL : body->kid[body->kid_count - 1];
    return last != NULL && last->kind == AST_EXPR_STMT ? sema_type(u, fn, last->kid[0])
                                                       : u->void_type;
}

static const ctype *string_type(sema_unit *u, const struct sema_function *fn, const ast_node *n)
{
    ctype *t = ARENA_NEW(u->mem, ctype);
    t->cls = CTYPE_ARRAY;
    t->elem = u->char_type;
    strview text = ast_node_text(fn->tree, n);
    t->count = text.len >= 2 ? text.len - 1 : 1;
    t->size_bytes = t->count;
    t->align_bytes = 1;
    return t;
}

const ctype *sema_type(sema_unit *u, const struct sema_function *fn, const ast_node *n)
{
    switch (n->kind) {
    case AST_IDENT:
        return ident_type(u, fn, n);
    case AST_NUMBER: {
        strview text = ast_node_text(fn->tree, n);
        int64_t value;
        if (sema_constant(u, fn, n, &value))
            return value > INT32_MAX || memchr(text.at, 'l', text.len) != NULL ||
                           memchr(text.at, 'L', text.len) != NULL
                       ? u->long_type
                       : u->int_type;
        return sv_is(text, "nullptr") ? sema_pointer_to(u, u->void_type) : u->double_type;
    }
    case AST_CHAR:
        return u->int_type;
    case AST_STRING:
    case AST_FUNC_NAME:
        return string_type(u, fn, n);
    case AST_PAREN:
    case AST_POSTFIX:
    case AST_PREFIX:
    case AST_AWAIT:
    case AST_ASSIGN:
        return sema_type(u, fn, n->kid[0]);
    case AST_CALL:
        return result_of(u, sema_type(u, fn, n->kid[0]));
    case AST_INDEX: {
        const ctype *base = pointee(u, sema_type(u, fn, n->kid[0]));
        return base->cls != CTYPE_UNKNOWN ? base : pointee(u, sema_type(u, fn, n->kid[1]));
    }
    case AST_MEMBER:
        return member_type(u, fn, n);
    case AST_UNARY:
        return unary_type(u, fn, n);
    case AST_SIZEOF_EXPR:
    case AST_SIZEOF_TYPE:
    case AST_OFFSETOF:
        return u->size_type;
    case AST_CAST:
    case AST_COMPOUND_LITERAL:
    case AST_TYPE_NAME:
        return sema_type_name(u, fn, n->kind == AST_TYPE_NAME ? n : n->kid[0]);
    case AST_VA_ARG:
        return sema_type_name(u, fn, n->kid[1]);
    case AST_BINARY:
        return binary_type(u, fn, n);
    case AST_AND_AND:
    case AST_OR_OR:
    case AST_TYPES_COMPATIBLE:
        return u->int_type;
    case AST_CONDITIONAL:
        return conditional_type(u, fn, n);
    case AST_COMMA:
        return sema_type(u, fn, n->kid[1]);
    case AST_STMT_EXPR:
        return statement_type(u, fn, n);
    case AST_LABEL_ADDR:
        return sema_pointer_to(u, u->void_type);
    case AST_FORM:
        return form_type(u, fn, n);
    case AST_DECLARATOR:
    case AST_PARAM:
    case AST_ENUMERATOR:
        return sema_declared_type(u, fn, n);
    default:
        return u->unknown;
    }
}

/* ---- calls
 * --------------------------------------------------------------------------------------------- */

static const ast_node *callee_node(const ast_node *call)
{
    const ast_node *n = sema_strip_parens(call->kid[0]);
    while (n->kind == AST_UNARY && (n->op == OP_ADDR || n->op == OP_DEREF))
        n = sema_strip_parens(n->kid[0]);
    return n;
}

sema_symbol *sema_callee(sema_unit *u, const struct sema_function *fn, const ast_node *call)
{
    sema_symbol *s = sema_ident_symbol(u, fn, callee_node(call));
    return s != NULL && s->kind == SYMBOL_FUNCTION ? s : NULL;
}

strview sema_callee_name(sema_unit *u, const struct sema_function *fn, const ast_node *call)
{
    const ast_node *n = callee_node(call);
    const strview none = {"", 0};
    if (n->kind != AST_IDENT)
        return none;
    sema_symbol *s = sema_ident_symbol(u, fn, n);
    if (s != NULL)
        return s->kind == SYMBOL_FUNCTION ? s->name : none;
    return n->ref != NULL && n->ref->kind != DECL_FUNCTION ? none : ast_node_text(fn->tree, n);
}

bool sema_call_is_async(sema_unit *u, const struct sema_function *fn, const ast_node *call)
{
    if (!u->has_async)
        return false;
    const sema_symbol *s = sema_callee(u, fn, call);
    return s != NULL ? s->is_async : sema_type(u, fn, call->kid[0])->is_async;
}

bool sema_call_is_noreturn(sema_unit *u, const struct sema_function *fn, const ast_node *call)
{
    const sema_symbol *s = sema_callee(u, fn, call);
    if (s != NULL)
        return (s->stated & STATED_NORETURN) != 0;
    strview name = sema_callee_name(u, fn, call);
    return sv_is(name, "__builtin_unreachable") || sv_is(name, "__builtin_trap") ||
           sv_is(name, "__builtin_abort") || sv_is(name, "__builtin_exit");
}

const char *sema_member_key(sema_unit *u, const struct sema_function *fn, const ast_node *member)
{
    const ctype *base = sema_type(u, fn, member->kid[0]);
    if (member->op == OP_ARROW)
        base = pointee(u, base);
    strview record = {"?", 1};
    if (base->record != NULL && base->record->tag.len != 0)
        record = base->record->tag;
    else if (base->record != NULL && base->record->typedef_name.len != 0)
        record = base->record->typedef_name;
    strview field = ast_token_text(fn->tree, member->name_token);
    return ARENA_JOIN(u->mem, record, SV("."), field);
}
