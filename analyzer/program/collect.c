/* SPDX-License-Identifier: MIT */
/*
 * The walk of collect.h. The calls of a function are numbered in the order of the tree before
 * their arguments' values are worked out, since a value may be the result of a later-numbered call.
 */
#include "analyzer/program/collect.h"

#include "analyzer/base/check.h"
#include "analyzer/program/collect_private.h"
#include "analyzer/program/value_of.h"

/* ---- calls ----------------------------------------------------------------------------------- */

static uint32_t call_index(const void *context, const ast_node *call)
{
    const struct collect *c = context;
    for (size_t i = 0; i < c->calls.count; i++) {
        if (c->calls.at[i] == call)
            return (uint32_t)i;
    }
    return UINT32_MAX;
}

struct value collect_value(struct collect *c, const ast_node *n)
{
    return value_of(c->mem, c->uses, n, call_index, c);
}

/* The node that uses an expression's value: its parent without parentheses and casts. */
static const ast_node *user_of(const ast_node *n)
{
    const ast_node *p = n->parent;
    while (p != NULL && (p->kind == AST_PAREN || p->kind == AST_CAST ||
                         (p->kind == AST_UNARY && p->op == OP_EXTENSION)))
        p = p->parent;
    return p;
}

static enum call_run run_in_form(const ast_node *form, bool is_async)
{
    switch ((enum ast_form)form->op) {
    case FORM_BLOCKING:
        return RUN_POOL;
    case FORM_COMPUTE:
        return RUN_COMPUTE;
    case FORM_BLOCK_ON:
    case FORM_RUNTIME_BLOCK_ON:
        return is_async ? RUN_DRIVEN : RUN_HERE;
    case FORM_SPAWN:
    case FORM_SPAWN_ON:
    case FORM_SCOPE_SPAWN:
        return is_async ? RUN_STARTED : RUN_HERE;
    case FORM_ALL:
    case FORM_TRY_ALL:
    case FORM_RACE:
    case FORM_TIMEOUT:
        return is_async ? RUN_AWAITED : RUN_HERE;
    }
    return RUN_HERE;
}

static enum call_run run_of(const ast_node *call, bool is_async)
{
    const ast_node *user = user_of(call);
    if (user != NULL && user->kind == AST_ASSIGN && user->parent != NULL &&
        user->parent->kind == AST_FORM && user->kid_count == 2)
        user = user->parent;
    if (user != NULL && user->kind == AST_FORM)
        return run_in_form(user, is_async);
    if (!is_async)
        return RUN_HERE;
    return user != NULL && user->kind == AST_AWAIT ? RUN_AWAITED : RUN_STARTED;
}

static bool is_unused(const ast_node *call)
{
    const ast_node *p = call->parent;
    while (p != NULL && (p->kind == AST_PAREN || p->kind == AST_AWAIT))
        p = p->parent;
    return p != NULL && p->kind == AST_EXPR_STMT;
}

static void set_callee(struct collect *c, struct fact_call *f, const ast_node *call)
{
    strview name = sema_callee_name(c->sema, c->fn, call);
    if (name.len != 0) {
        if (sv_starts(name, "__builtin_") && sema_find(c->sema, name) == NULL)
            name = (strview){name.at + 10, name.len - 10};
        f->callee_kind = CALLEE_NAME;
        f->callee = arena_strndup(c->mem, name.at, name.len);
        return;
    }
    const ast_node *n = sema_strip(call->kid[0]);
    while (n->kind == AST_UNARY && n->op == OP_DEREF)
        n = sema_strip(n->kid[0]);
    struct value v = collect_value(c, n);
    f->callee_kind = CALLEE_UNKNOWN;
    if (v.kind == VALUE_FUNCTION) {
        f->callee_kind = CALLEE_NAME;
        f->callee = v.text;
    } else if (v.kind == VALUE_PARAM) {
        f->callee_kind = CALLEE_PARAM;
        f->callee_param = v.number;
    } else if (v.kind == VALUE_KEY) {
        f->callee_kind = CALLEE_KEY;
        f->callee = v.text;
    }
}

static void fill_call(struct collect *c, struct fact_call *f, const ast_node *call)
{
    set_callee(c, f, call);
    f->is_async = sema_call_is_async(c->sema, c->fn, call);
    f->run = run_of(call, f->is_async);
    f->result_unused = is_unused(call);
    f->place = sema_place(c->sema, c->fn, call);
    f->end_column = sema_end_column(c->sema, c->fn, call);
    if (!sema_source_range(c->sema, c->fn, call, &f->begin, &f->end))
        f->begin = f->end = 0;
    enum { MOVABLE_BYTES = 400 };
    if (f->end != 0 && f->end - f->begin <= MOVABLE_BYTES && c->fn->in_source)
        f->source_text =
            arena_strndup(c->mem, sema_unit_source(c->sema).at + f->begin, f->end - f->begin);
    const ast_node *parent = call->parent;
    f->needs_parens = parent != NULL && (parent->kind == AST_MEMBER || parent->kind == AST_INDEX ||
                                         (parent->kind == AST_CALL && parent->kid[0] == call));
    for (uint32_t i = 0; i < sema_arg_count(call); i++)
        VEC_PUSH(c->mem, &f->args, collect_value(c, sema_arg(call, i)));
}

/* ---- stores ---------------------------------------------------------------------------------- */

static bool is_worth_storing(enum value_kind kind)
{
    return kind == VALUE_FUNCTION || kind == VALUE_RESULT || kind == VALUE_PARAM ||
           kind == VALUE_KEY || kind == VALUE_ADDRESS || kind == VALUE_NUMBER;
}

void collect_store(struct collect *c, const char *key, const ast_node *value,
                   struct diag_place place)
{
    if (key == NULL)
        return;
    struct value v = collect_value(c, value);
    if (!is_worth_storing(v.kind))
        return;
    uint32_t function = c->in_function ? (uint32_t)c->facts->functions.count - 1 : UINT32_MAX;
    VEC_PUSH(c->mem, &c->facts->stores,
             (struct fact_store){.key = key, .value = v, .function = function, .place = place});
}

static const char *field_key(struct collect *c, const struct crecord *r, strview field)
{
    strview name = r->tag.len != 0 ? r->tag : r->typedef_name;
    if (name.len == 0)
        name = SV("?");
    return ARENA_JOIN(c->mem, name, SV("."), field);
}

static void collect_initialiser(struct collect *c, const ctype *type, const char *key,
                                const ast_node *n);

/* The initialisers of a record, by position or designator. */
static void collect_record(struct collect *c, const struct crecord *r, const ast_node *list)
{
    size_t at = 0;
    for (uint32_t i = 0; i < list->kid_count; i++) {
        const ast_node *k = list->kid[i];
        if (k == NULL)
            continue;
        const ast_node *value = k;
        if (k->kind == AST_DESIGNATED) {
            value = k->kid[k->kid_count - 1];
            if (k->kid[0]->kind != AST_DESIG_FIELD)
                continue;
            strview name = ast_token_text(c->fn->tree, k->kid[0]->name_token);
            for (at = 0; at < r->fields.count && !sv_equal(r->fields.at[at].name, name);)
                at++;
        }
        if (at >= r->fields.count)
            continue;
        const struct cfield *f = &r->fields.at[at++];
        bool is_deep = k->kind == AST_DESIGNATED && k->kid_count > 2;
        if (!is_deep)
            collect_initialiser(c, f->type, field_key(c, r, f->name), value);
    }
}

static void collect_initialiser(struct collect *c, const ctype *type, const char *key,
                                const ast_node *n)
{
    if (n->kind == AST_COMPOUND_LITERAL)
        n = n->kid[1];
    if (n->kind != AST_INIT_LIST) {
        if (type->cls == CTYPE_POINTER || type->cls == CTYPE_UNKNOWN || type->cls == CTYPE_INT)
            collect_store(c, key, n, sema_place(c->sema, c->fn, n));
        return;
    }
    if (type->cls == CTYPE_RECORD && type->record != NULL) {
        collect_record(c, type->record, n);
        return;
    }
    for (uint32_t i = 0; i < n->kid_count; i++) {
        const ast_node *k = n->kid[i];
        if (k != NULL && k->kind == AST_DESIGNATED)
            k = k->kid[k->kid_count - 1];
        if (k != NULL && type->cls == CTYPE_ARRAY)
            collect_initialiser(c, type->elem, key, k);
    }
}

/* ---- the walk -------------------------------------------------------------------------------- */

static void note_address(struct collect *c, const ast_node *n)
{
    const sema_symbol *s = sema_ident_symbol(c->sema, c->fn, n);
    if (s == NULL || s->kind != SYMBOL_FUNCTION || n->is_unevaluated)
        return;
    const ast_node *user = n->parent;
    const ast_node *below = n;
    while (user != NULL && user->kind == AST_PAREN) {
        below = user;
        user = user->parent;
    }
    if (user != NULL && user->kind == AST_CALL && user->kid[0] == below)
        return;
    VEC_PUSH(c->mem, &c->facts->addresses, arena_strndup(c->mem, s->name.at, s->name.len));
}

static void collect_node(struct collect *c, const ast_node *n)
{
    switch (n->kind) {
    case AST_IDENT:
        note_address(c, n);
        break;
    case AST_ASSIGN:
        if (n->op == OP_ASSIGN)
            collect_store(c, key_of(c->mem, c->uses, n->kid[0]), n->kid[1],
                          sema_place(c->sema, c->fn, n));
        break;
    case AST_DECLARATOR:
        if (n->ref != NULL && n->ref->kind == DECL_VAR && n->kid_count != 0 &&
            n->kid[n->kid_count - 1] != NULL)
            collect_initialiser(c, sema_decl_type(c->sema, c->fn, n->ref),
                                arena_printf(c->mem, "l:%.*s.%.*s", SV_ARG(c->fn->symbol->name),
                                             SV_ARG(n->ref->name)),
                                n->kid[n->kid_count - 1]);
        break;
    case AST_COMPOUND_LITERAL:
        if (n->parent == NULL || n->parent->kind != AST_DECLARATOR)
            collect_initialiser(c, sema_type(c->sema, c->fn, n), NULL, n->kid[1]);
        break;
    case AST_RETURN:
        if (n->kid_count != 0 && n->kid[0] != NULL)
            VEC_PUSH(c->mem, &c->function->returns, collect_value(c, n->kid[0]));
        break;
    default:
        break;
    }
}

static void find_calls(struct collect *c, const ast_node *n)
{
    if (n->kind == AST_CALL && !n->is_unevaluated)
        VEC_PUSH(c->mem, &c->calls, n);
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            find_calls(c, n->kid[i]);
    }
}

static void walk(struct collect *c, const ast_node *n)
{
    collect_node(c, n);
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            walk(c, n->kid[i]);
    }
}

static void collect_function(struct collect *c, struct sema_function *fn)
{
    const sema_symbol *s = fn->symbol;
    c->fn = fn;
    c->calls.count = 0;
    c->uses = local_uses_of(c->mem, c->sema, fn);
    VEC_PUSH(c->mem, &c->facts->functions,
             (struct fact_function){.name = arena_strndup(c->mem, s->name.at, s->name.len),
                                    .file = fn->file,
                                    .place = fn->place,
                                    .is_static = s->is_static,
                                    .is_async = s->is_async,
                                    .is_async_keyword = s->is_async_keyword,
                                    .in_header = !fn->in_source,
                                    .stated = s->stated,
                                    .is_defined = true,
                                    .param_count = (uint32_t)fn->tree->params.count});
    c->function = &VEC_LAST(&c->facts->functions);
    c->in_function = true;
    find_calls(c, fn->tree->root->kid[2]);
    for (size_t i = 0; i < c->calls.count; i++) {
        struct fact_call f = {0};
        fill_call(c, &f, c->calls.at[i]);
        VEC_PUSH(c->mem, &c->function->calls, f);
    }
    walk(c, fn->tree->root->kid[2]);
    collect_when(c);
    collect_ways(c);
    collect_child(c);
    collect_loops(c);
    c->in_function = false;
}

/* ---- file scope ------------------------------------------------------------------------------ */

static void collect_variable(void *context, sema_symbol *s)
{
    struct collect *c = context;
    struct sema_function *tree;
    const ast_node *n = s->is_system ? NULL : sema_symbol_initialiser(c->sema, s, &tree);
    if (n == NULL)
        return;
    c->fn = tree;
    c->calls.count = 0;
    c->uses = local_uses_of(c->mem, c->sema, tree);
    const char *key =
        s->is_static ? arena_printf(c->mem, "g:%s:%.*s", sema_unit_path(c->sema), SV_ARG(s->name))
                     : arena_printf(c->mem, "g:%.*s", SV_ARG(s->name));
    collect_initialiser(c, sema_symbol_type(c->sema, s), key, n);
    walk(c, n);
}

/* What is stated of functions that have no body here. */
static void collect_stated(void *context, sema_symbol *s)
{
    struct collect *c = context;
    if (s->function != NULL || (s->stated & ~(unsigned)STATED_NORETURN) == 0)
        return;
    VEC_PUSH(c->mem, &c->facts->functions,
             (struct fact_function){.name = arena_strndup(c->mem, s->name.at, s->name.len),
                                    .file = s->place.file,
                                    .place = s->place,
                                    .is_async = s->is_async,
                                    .is_async_keyword = s->is_async_keyword,
                                    .in_header = true,
                                    .stated = s->stated});
}

struct unit_facts *collect_facts(arena *mem, sema_unit *sema, const struct lint_settings *settings)
{
    struct unit_facts *facts = ARENA_NEW(mem, struct unit_facts);
    facts->mem = mem;
    facts->path = sema_unit_path(sema);
    struct collect c = {.mem = mem, .sema = sema, .settings = settings, .facts = facts};
    uint32_t count;
    struct sema_function *const *functions = sema_unit_functions(sema, &count);
    for (uint32_t i = 0; i < count; i++)
        collect_function(&c, functions[i]);
    sema_each_symbol(sema, SYMBOL_VARIABLE, collect_variable, &c);
    sema_each_symbol(sema, SYMBOL_FUNCTION, collect_stated, &c);
    return facts;
}
