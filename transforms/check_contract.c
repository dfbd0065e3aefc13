/* SPDX-License-Identifier: MIT */
/*
 * Does the function keep to the language? Everything of docs/language.md that is an error and shows
 * in the tree is reported here, before anything is changed: where await and the forms may stand,
 * what may not stand in an async function, and what a declaration of an async function may be. Each
 * message says what to write instead.
 */
#include "analyzer/base/check.h"
#include "transforms/lowering.h"
#include "transforms/parameter_types.h"
#include "transforms/rewrite.h"
#include "transforms/variable_arrays.h"

static bool is_named(const lowering *l, const ast_node *callee, const char *const *names,
                     size_t count)
{
    callee = ast_strip((ast_node *)(uintptr_t)callee);
    if (callee->kind != AST_IDENT || callee->ref != NULL)
        return false;
    strview name = ast_node_text(l->fn, callee);
    for (size_t i = 0; i < count; i++) {
        if (sv_is(name, names[i]))
            return true;
    }
    return false;
}

/* ---- the function's own declaration
 * ------------------------------------------------------------------ */

/* The type has no spelling of its own that could be asked. */
static bool is_va_list(const lowering *l, const ast_decl *param)
{
    const ast_node *n = param->declarator;
    while (n != NULL && n->kind != AST_PARAM)
        n = n->parent;
    for (uint32_t i = n == NULL ? 0 : n->first; n != NULL && i < n->last; i++) {
        strview text = ast_token_text(l->fn, i);
        if (sv_is(text, "va_list") || sv_is(text, "__builtin_va_list") ||
            sv_is(text, "__gnuc_va_list"))
            return true;
    }
    return false;
}

static void check_declaration(lowering *l)
{
    const ast_function *fn = l->fn;
    const struct clang_function *f = l->known;
    if (fn->is_variadic)
        lower_error(
            l, DIAG_ASYNC_DECLARATION, fn->root,
            "an async function cannot be variadic: its arguments would be gone when it goes "
            "on; take an array and a count, or a struct");
    if (fn->is_old_style)
        lower_error(l, DIAG_ASYNC_DECLARATION, fn->root,
                    "an async function needs a prototype; declare the parameters' types in the "
                    "parentheses");
    bool is_inline = fn->is_inline || (f != NULL && f->is_inline);
    bool is_static = fn->is_static || (f != NULL && f->is_static);
    if (is_inline && !is_static)
        lower_error(
            l, DIAG_ASYNC_DECLARATION, fn->root,
            "an async function cannot be inline without static, since several objects would "
            "define it; write `static inline`");
    if (f != NULL && f->bad_attribute != NULL)
        lower_error(
            l, DIAG_ASYNC_DECLARATION, fn->root,
            "an async function cannot have the attribute `%s`; remove the attribute, or make "
            "the function plain",
            f->bad_attribute);
    const struct type *result = type_of(l, type_of(l, fn->type)->elem);
    if (result->cls != TYPE_UNKNOWN && (result->before == NULL || !result->is_nameable))
        lower_error(l, DIAG_UNSUPPORTED, fn->root,
                    "the result's type has no name, and the frame needs one; give it a tag");
    for (size_t i = 0; i < fn->params.count; i++) {
        const struct type *t = type_of(l, fn->params.at[i]->type);
        bool has_name = t->is_nameable && t->before != NULL;
        if (t->cls != TYPE_UNKNOWN && !t->is_variable && !has_name &&
            !is_va_list(l, fn->params.at[i]) && !parameter_type_is_defined(l, fn->params.at[i]))
            lower_error(l, DIAG_UNSUPPORTED, fn->root,
                        "the type of parameter %zu has no name, and the frame needs one; declare "
                        "it at file scope",
                        i + 1);
    }
}

static bool is_int(const lowering *l, type_id type)
{
    const struct type *t = type_of(l, type_of(l, type_of(l, type)->unqualified)->canonical);
    return t->cls == TYPE_INT && t->before != NULL && sv_is(sv_from(t->before), "int ");
}

/* char **, whatever is const in it */
static bool is_strings(const lowering *l, type_id type)
{
    const struct type *t = type_of(l, type);
    const struct type *string = type_of(l, t->elem);
    const struct type *c = type_of(l, string->elem);
    return t->cls == TYPE_POINTER && string->cls == TYPE_POINTER && c->cls == TYPE_INT &&
           c->size_bytes == 1;
}

static void check_main(lowering *l)
{
    const ast_function *fn = l->fn;
    bool int_result = sv_is(sv_from(declare_text(l, type_of(l, fn->type)->elem)), "int ");
    bool two = fn->params.count == 2 && is_int(l, fn->params.at[0]->type) &&
               is_strings(l, fn->params.at[1]->type);
    bool is_static = fn->is_static || (l->known != NULL && l->known->is_static);
    if (!int_result || is_static || (fn->params.count != 0 && !two))
        lower_error(l, DIAG_ASYNC_MAIN, fn->root,
                    "an async main is `async int main(void)` or `async int main(int argc, char "
                    "**argv)`");
}

/* ---- await and the forms
 * ----------------------------------------------------------------------------- */

/* Does an array bound need its value? `sizeof(int[await f()])` evaluates it, and cannot suspend;
 * `sizeof(int[sizeof(await f())])` does not. */
static bool in_bound(const ast_node *n)
{
    for (n = n->parent; n != NULL && !ast_is_statement(n->kind); n = n->parent) {
        if (n->kind == AST_ARRAY_BOUND)
            return true;
        if (n->kind == AST_SIZEOF_EXPR || n->kind == AST_TYPEOF || n->kind == AST_GENERIC)
            return false;
    }
    return false;
}

/* Is this the size of a local array, or of a local type? It is computed once, by a statement in
 * front: see variable_arrays.h. */
static bool is_kept_bound(const ast_node *n)
{
    const ast_decl *d = n->parent->kind == AST_DECLARATOR ? n->parent->ref : NULL;
    return n->kind == AST_ARRAY_BOUND && d != NULL &&
           (d->kind == DECL_TYPEDEF || (d->kind == DECL_VAR && (d->storage == STORAGE_AUTO ||
                                                                d->storage == STORAGE_REGISTER)));
}

static const ast_node *constant_place(const ast_node *n)
{
    for (const ast_node *p = n->parent, *below = n; p != NULL; below = p, p = p->parent) {
        if (is_kept_bound(p))
            return NULL;
        if (p->kind == AST_CASE && p->kid[p->kid_count - 1] != below)
            return p;
        if (p->kind == AST_ENUMERATOR || p->kind == AST_BIT_WIDTH || p->kind == AST_STATIC_ASSERT ||
            p->kind == AST_ALIGNAS || p->kind == AST_ARRAY_BOUND || p->kind == AST_OFFSETOF)
            return p;
        if (p->kind == AST_DECLARATOR && p->ref != NULL && p->ref->kind == DECL_VAR &&
            (p->ref->storage == STORAGE_STATIC || p->ref->storage == STORAGE_EXTERN ||
             p->ref->storage == STORAGE_CONSTEXPR))
            return p;
        if (ast_is_statement(p->kind) && p->kind != AST_CASE)
            return NULL;
    }
    return NULL;
}

static bool inside(const ast_node *n, enum ast_kind kind)
{
    for (n = n->parent; n != NULL; n = n->parent) {
        if (n->kind == kind)
            return true;
    }
    return false;
}

static bool form_is_awaitable(const ast_node *form)
{
    switch ((enum ast_form)form->op) {
    case FORM_ALL:
    case FORM_TRY_ALL:
    case FORM_RACE:
    case FORM_TIMEOUT:
    case FORM_BLOCKING:
    case FORM_COMPUTE:
    case FORM_SCOPE_SPAWN:
        return true;
    default:
        return false;
    }
}

static void check_await(lowering *l, ast_node *n)
{
    if (n->is_unevaluated) {
        if (in_bound(n))
            lower_error(l, DIAG_AWAIT_PLACE, n,
                        "await cannot stand in an array bound; await into a variable first");
        return;
    }
    ast_node *operand = ast_strip(n->kid[0]);
    if (!l->is_async) {
        lower_error(l, DIAG_ASYNC_FROM_SYNC, n,
                    "await stands only in an async function, since only it can suspend; make `%s` "
                    "async, or run the call to its end with aw_block_on",
                    l->name);
        return;
    }
    bool is_form_operand = operand->kind == AST_FORM && form_is_awaitable(operand);
    bool is_call = operand->kind == AST_CALL && operand->is_file_callee_async;
    if (operand->kind == AST_CALL && !operand->is_file_callee_async)
        lower_error(
            l, DIAG_AWAIT_OPERAND, n,
            "`%.*s` is not an async function, so there is nothing to await; call it without "
            "await, or declare it async",
            SV_ARG(ast_node_text(l->fn, operand->kid[0])));
    else if (operand->kind == AST_FORM && !form_is_awaitable(operand))
        lower_error(l, DIAG_AWAIT_OPERAND, n,
                    "this form gives its value at once and cannot be awaited; for a task, await "
                    "aw_join(task, &result)");
    else if (!is_form_operand && !is_call)
        lower_error(
            l, DIAG_AWAIT_OPERAND, n,
            "await takes a call of an async function or a form such as aw_all; write `await "
            "f(...)`");
    const ast_node *place = constant_place(n);
    if (place != NULL)
        lower_error(
            l, DIAG_AWAIT_PLACE, n,
            place->kind == AST_ARRAY_BOUND
                ? "await cannot stand in an array bound; await into a variable first"
                : "await cannot stand where C wants a constant; await into a variable first");
    if (inside(n, AST_DEFER))
        lower_error(
            l, DIAG_DEFER, n,
            "a defer block cannot await, since it also runs while the task is being cancelled; "
            "await in front of the end of the block instead");
}

/* Is the call the operand of an await or an argument of a form? */
static bool is_awaited(const ast_node *call)
{
    const ast_node *p = call->parent, *below = call;
    while (p != NULL && (p->kind == AST_PAREN || (p->kind == AST_UNARY && p->op == OP_EXTENSION))) {
        below = p;
        p = p->parent;
    }
    if (p != NULL && p->kind == AST_ASSIGN && p->kid[1] == below && p->parent != NULL) {
        const ast_node *q = p->parent;
        while (q->kind == AST_PAREN && q->parent != NULL)
            q = q->parent;
        if (q->kind == AST_FORM && (q->op == FORM_ALL || q->op == FORM_TRY_ALL ||
                                    q->op == FORM_RACE || q->op == FORM_TIMEOUT))
            return true;
    }
    if (p != NULL && p->kind == AST_FORM) {
        bool has_operand = p->op == FORM_TIMEOUT || p->op == FORM_SPAWN_ON ||
                           p->op == FORM_RUNTIME_BLOCK_ON || p->op == FORM_SCOPE_SPAWN;
        return p->op != FORM_BLOCKING && p->op != FORM_COMPUTE &&
               !(has_operand && p->kid[0] == below);
    }
    return p != NULL && p->kind == AST_AWAIT;
}

/* Does the call pass arguments that no frame has a place for? */
static void check_prototype(lowering *l, ast_node *n)
{
    struct call call;
    if (!call_describe(l, n, &call))
        return;
    const struct type *t = type_of(l, call.type);
    if (t->is_variadic && t->has_prototype)
        lower_error(
            l, DIAG_ASYNC_DECLARATION, n,
            "an async function cannot be variadic: its arguments would be gone when it goes "
            "on; take an array and a count, or a struct");
    else if (t->has_prototype && n->kid_count != t->param_count + 1)
        lower_error(l, DIAG_ASYNC_DECLARATION, n,
                    "`%.*s` is declared with `()` here and defined with %u parameters, but called "
                    "with %u; declare them in the parentheses",
                    SV_ARG(call.function == NULL ? SV("this") : call.function->name),
                    t->param_count, n->kid_count - 1);
    else if (!t->has_prototype && n->kid_count > 1)
        lower_error(
            l, DIAG_ASYNC_DECLARATION, n,
            "`%.*s` is declared with `()`, which means no parameters for an async function; "
            "declare them in the parentheses",
            SV_ARG(ast_node_text(l->fn, n->kid[0])));
}

static void check_call(lowering *l, ast_node *n)
{
    static const char *const twice[] = {"setjmp", "_setjmp",          "__sigsetjmp", "sigsetjmp",
                                        "vfork",  "__builtin_setjmp", "getcontext"};
    static const char *const stack[] = {"__builtin_frame_address", "__builtin_return_address",
                                        "__builtin_apply_args", "__builtin_va_start",
                                        "__builtin_eh_return"};
    if (n->is_unevaluated)
        return;
    if (n->is_file_callee_async && !is_awaited(n)) {
        strview name = ast_node_text(l->fn, n->kid[0]);
        if (l->is_async)
            lower_error(
                l, DIAG_MISSING_AWAIT, n,
                "the async function `%.*s` is called without await, so it would never run; "
                "write `await %.*s(...)`, or `spawn(%.*s(...))` to run it as a task of its own",
                SV_ARG(name), SV_ARG(name), SV_ARG(name));
        else
            lower_error(
                l, DIAG_ASYNC_FROM_SYNC, n,
                "the async function `%.*s` is called from plain code, which cannot wait for "
                "it; use `aw_block_on(%.*s(...))`, `spawn(%.*s(...))`, or make `%s` async",
                SV_ARG(name), SV_ARG(name), SV_ARG(name), l->name);
    }
    if (n->is_file_callee_async && is_awaited(n))
        check_prototype(l, n);
    if (!l->is_async)
        return;
    if (is_named(l, n->kid[0], twice, COUNTOF(twice)))
        lower_error(l, DIAG_SETJMP, n,
                    "`%.*s` cannot stand in an async function: the stack it saves is gone once the "
                    "function suspends; put it into a plain function that this one calls",
                    SV_ARG(ast_node_text(l->fn, n->kid[0])));
    if (is_named(l, n->kid[0], stack, COUNTOF(stack)))
        lower_error(
            l, DIAG_STACK_ADDRESS, n,
            "`%.*s` has no meaning in an async function, whose stack changes at each await; "
            "use it in a plain function that this one calls",
            SV_ARG(ast_node_text(l->fn, n->kid[0])));
}

static bool form_is_nested(const ast_node *form)
{
    const ast_node *p = form->parent, *below = form;
    while (p != NULL && (p->kind == AST_PAREN || p->kind == AST_ASSIGN)) {
        below = p;
        p = p->parent;
    }
    return p != NULL && (p->kind == AST_AWAIT ||
                         (p->kind == AST_FORM && !(p->op == FORM_TIMEOUT && p->kid[0] == below)));
}

static void check_form(lowering *l, ast_node *n)
{
    if (n->is_unevaluated)
        return;
    if (form_is_awaitable(n) && !form_is_nested(n))
        lower_error(l, DIAG_MISSING_AWAIT, n,
                    "this form waits for what it starts, so it needs `await` in front");
    if (l->is_async && (n->op == FORM_BLOCK_ON || n->op == FORM_RUNTIME_BLOCK_ON))
        lower_error(l, DIAG_FORM_OPERAND, n,
                    "aw_block_on in an async function would block the worker that has to run it; "
                    "await the call");
    form_check_operands(l, n);
}

/* ---- what an async function may not contain
 * ------------------------------------------------------------ */

/* The function that returns is the poll function, of another signature. */
static void check_musttail(lowering *l, const ast_node *n)
{
    for (uint32_t i = n->first; i < n->last && l->is_async; i++) {
        strview text = ast_token_text(l->fn, i);
        if (sv_is(text, "return"))
            return;
        if (sv_is(text, "musttail") || sv_is(text, "__musttail__"))
            lower_error(
                l, DIAG_UNSUPPORTED, n,
                "musttail cannot stand in an async function, which returns to the scheduler; "
                "remove the attribute: `return await f(...)` needs no stack of its own");
    }
}

static bool await_behind(const ast_node *n, uint32_t from, uint32_t to, const ast_node **found)
{
    if (n->last <= from || n->first >= to || n->is_unevaluated)
        return false;
    if (n->kind == AST_AWAIT && n->first >= from) {
        *found = n;
        return true;
    }
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && await_behind(n->kid[i], from, to, found))
            return true;
    }
    return false;
}

static bool in_loop_with(const ast_node *n, const ast_node *await)
{
    for (const ast_node *p = n->parent; p != NULL; p = p->parent) {
        if ((p->kind == AST_WHILE || p->kind == AST_DO || p->kind == AST_FOR) &&
            p->first <= await->first && await->last <= p->last)
            return true;
    }
    return false;
}

static void check_alloca(lowering *l, ast_node *n)
{
    static const char *const names[] = {"alloca", "__builtin_alloca",
                                        "__builtin_alloca_with_align"};
    const ast_node *await = NULL;
    if (!l->is_async || !is_named(l, n->kid[0], names, COUNTOF(names)))
        return;
    if (!await_behind(l->fn->root, n->last, l->fn->root->last, &await)) {
        if (!await_behind(l->fn->root, l->fn->root->first, n->first, &await) ||
            !in_loop_with(n, await))
            return;
    }
    lower_error(l, DIAG_ALLOCA_ACROSS_AWAIT, await,
                "a block from alloca would be gone when the function goes on after this await; use "
                "malloc with a defer that frees it, or an array of fixed size");
    diag_note(l->unit->sink, lower_place(l, n->first), "the block is allocated here");
}

/* The last node that names the declaration, or NULL. */
static const ast_node *last_use(const ast_node *n, const ast_decl *d)
{
    if (n->kind == AST_IDENT)
        return n->ref == d ? n : NULL;
    for (uint32_t i = n->kid_count; i-- > 0;) {
        const ast_node *use = n->kid[i] == NULL ? NULL : last_use(n->kid[i], d);
        if (use != NULL)
            return use;
    }
    return NULL;
}

/* The frame cannot hold a va_list: it walks the arguments of a call that may be over. */
static void check_va_list_parameter(lowering *l, const ast_decl *d)
{
    const ast_node *body = l->fn->root->kid[2];
    const ast_node *use = last_use(body, d), *await = NULL;
    bool found = use != NULL && await_behind(body, body->first, body->last, &await) &&
                 (await->first < use->first || in_loop_with(use, await));
    if (!found)
        lower_error(l, DIAG_UNSUPPORTED, l->fn->root,
                    "an async function cannot take the va_list `%.*s`: it may start after the call "
                    "whose arguments it walks has ended; take an array and a count, or a struct",
                    SV_ARG(d->name));
    else
        lower_error(l, DIAG_VA_LIST_ACROSS_AWAIT, await,
                    "the va_list `%.*s` is needed after this await, but the arguments it walks are "
                    "gone by then; take all arguments before the first await",
                    SV_ARG(d->name));
    diag_note(l->unit->sink, lower_place(l, d->token), "it is declared here");
}

static void check_reserved(lowering *l, const ast_decl *d)
{
    static const char *const prefixes[] = {"aw__", "__awaitc_"};
    for (size_t i = 0; i < COUNTOF(prefixes); i++) {
        if (sv_starts(d->name, prefixes[i]) &&
            !rewrite_is_made(l->unit->map, l->fn->tokens[d->token].begin))
            lower_error(l, DIAG_RESERVED_NAME, d->declarator != NULL ? d->declarator : l->fn->root,
                        "names that start with `%s` are used by the lowering; choose another name "
                        "than `%.*s`",
                        prefixes[i], SV_ARG(d->name));
    }
}

/* ---- defer
 * ------------------------------------------------------------------------------------------------
 */

/* Does the label belong to a switch around the defer? */
static bool is_outer_case(const ast_node *n, const ast_node *defer)
{
    if (n->kind != AST_CASE && n->kind != AST_DEFAULT)
        return false;
    while (n != defer && n->kind != AST_SWITCH)
        n = n->parent;
    return n == defer;
}

static void check_defer_body(lowering *l, ast_node *n, const ast_node *defer)
{
    if (is_outer_case(n, defer))
        lower_error(l, DIAG_DEFER, n,
                    "a jump into a defer block; it runs only when its block is left");
    bool leaves = n->kind == AST_RETURN;
    if (n->kind == AST_GOTO && n->ref != NULL)
        leaves = n->ref->token < defer->first || n->ref->token >= defer->last;
    if (n->kind == AST_BREAK || n->kind == AST_CONTINUE) {
        const ast_node *p = n->parent;
        while (p != defer && !(p->kind == AST_WHILE || p->kind == AST_DO || p->kind == AST_FOR ||
                               (p->kind == AST_SWITCH && n->kind == AST_BREAK)))
            p = p->parent;
        leaves = p == defer;
    }
    if (leaves)
        lower_error(l, DIAG_DEFER, n,
                    "a defer block cannot be left by a jump, since it runs while its block is left "
                    "already; let it run to its end");
    if (n->kind == AST_DEFER && n != defer)
        lower_error(l, DIAG_DEFER, n,
                    "a defer cannot stand inside another; write both in the block");
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            check_defer_body(l, n->kid[i], defer);
    }
}

/* Is it a statement of a block, labels in front of it aside? */
static bool is_block_item(const ast_node *n)
{
    const ast_node *p = n->parent;
    while (p != NULL && (p->kind == AST_LABEL || p->kind == AST_CASE || p->kind == AST_DEFAULT))
        p = p->parent;
    return p != NULL && p->kind == AST_COMPOUND;
}

static void check_defer(lowering *l, ast_node *n)
{
    if (!l->is_async)
        lower_error(
            l, DIAG_DEFER, n,
            "defer works in async functions only; in plain code use the cleanup attribute, or "
            "make `%s` async",
            l->name);
    else if (!is_block_item(n))
        lower_error(l, DIAG_DEFER, n,
                    "defer is a statement of a block, and runs when that block is left; put braces "
                    "around it");
    check_defer_body(l, n, n);
}

static void check_jump_into_defer(lowering *l, ast_node *n)
{
    if (n->kind != AST_GOTO || n->ref == NULL)
        return;
    for (const ast_node *p = n->ref->declarator; p != NULL; p = p->parent) {
        if (p->kind == AST_DEFER && (n->first < p->first || n->first >= p->last))
            lower_error(l, DIAG_DEFER, n,
                        "a jump into a defer block; it runs only when its block is left");
    }
}

/* ---- the walk
 * --------------------------------------------------------------------------------------------------
 */

static void check_node(lowering *l, ast_node *n)
{
    switch (n->kind) {
    case AST_AWAIT:
        check_await(l, n);
        check_openmp_await(l, n);
        break;
    case AST_CALL:
        check_call(l, n);
        check_alloca(l, n);
        break;
    case AST_FORM:
        check_form(l, n);
        break;
    case AST_DEFER:
        check_defer(l, n);
        break;
    case AST_GOTO:
        check_jump_into_defer(l, n);
        break;
    case AST_RETURN:
        check_musttail(l, n);
        break;
    case AST_LABEL_ADDR:
        l->has_label_addresses = true;
        break;
    case AST_NESTED_FUNCTION:
        if (l->is_async)
            lower_error(
                l, DIAG_NESTED_FUNCTION, n,
                "a nested function cannot stand in an async function, since its variables may "
                "be in the frame; move it to file scope");
        break;
    default:
        break;
    }
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            check_node(l, n->kid[i]);
    }
}

/* An await in the parameter list stands in no statement: there is nothing to go on from. */
static void check_parameter_list(lowering *l, const ast_node *n)
{
    if (n->kind == AST_AWAIT)
        lower_error(
            l, DIAG_AWAIT_PLACE, n,
            "await cannot stand in a parameter list; take a pointer, and await in the body");
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            check_parameter_list(l, n->kid[i]);
    }
}

/* A callee that is cast to an async pointer: the parser's types do not keep the word in a cast. */
static void mark_async_casts(lowering *l, ast_node *n)
{
    if (n->kind == AST_CALL && !n->is_file_callee_async) {
        const ast_node *callee = ast_strip(n->kid[0]);
        while (callee->kind == AST_UNARY && callee->op == OP_DEREF)
            callee = ast_strip(callee->kid[0]);
        if (callee->kind == AST_CAST) {
            for (uint32_t i = callee->kid[0]->first; i < callee->kid[0]->last; i++)
                n->is_file_callee_async |= sv_is(ast_token_text(l->fn, i), "__awaitc_async__");
        }
    }
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            mark_async_casts(l, n->kid[i]);
    }
}

void check_contract(lowering *l)
{
    mark_async_casts(l, l->fn->root->kid[2]);
    choose_generics(l, l->fn->root->kid[2]);
    if (l->is_async) {
        check_declaration(l);
        if (l->is_main)
            check_main(l);
    }
    check_parameter_list(l, l->fn->root->kid[0]);
    check_parameter_list(l, l->fn->root->kid[1]);
    check_node(l, l->fn->root->kid[2]);
    if (!l->is_async)
        return;
    for (size_t i = 0; i < l->fn->decls.count; i++) {
        variable_array_check(l, l->fn->decls.at[i]);
        check_reserved(l, l->fn->decls.at[i]);
        const ast_decl *d = l->fn->decls.at[i];
        if (d->kind == DECL_PARAM && is_va_list(l, d) && type_of(l, d->type)->before == NULL)
            check_va_list_parameter(l, d);
        if ((d->local != UINT32_MAX || d->kind == DECL_TYPEDEF) && d->name.len > 0 &&
            d->type == TYPE_NONE)
            lower_error(l, DIAG_UNSUPPORTED, d->declarator != NULL ? d->declarator : l->fn->root,
                        "the type of `%.*s` is not known", SV_ARG(d->name));
    }
}

/* ---- after the analyses
 * -------------------------------------------------------------------------------------------- */

static const ast_node *first_await_across(const lowering *l, uint32_t local)
{
    for (size_t i = 0; i < l->points.count; i++) {
        if (bitset_has(&l->across->across[i], local))
            return l->points.at[i]->node;
    }
    return l->fn->root;
}

/* A literal of a type without a name at file scope that nothing keeps over an await, in a statement
 * that becomes a block of its own: it would end with that block. */
static void check_literal(lowering *l, const ast_decl *d)
{
    if (d->declarator == NULL || type_of(l, d->type)->before != NULL ||
        l->plan[d->local].place == PLACE_RESIDENT)
        return;
    for (const ast_node *n = d->declarator; n != NULL && n->kind != AST_COMPOUND; n = n->parent) {
        if ((n->bits & MARK_OVERLAY) == 0)
            continue;
        lower_error(
            l, DIAG_UNSUPPORTED, d->declarator,
            "this compound literal has a type that is declared inside the function and stands "
            "beside an await, so its object would end too early; give it a variable");
        return;
    }
}

void check_storable(lowering *l)
{
    for (uint32_t i = 0; i < l->locals.count; i++) {
        if (decl_is_temp(l->locals.at[i]))
            check_literal(l, l->locals.at[i]);
    }
    for (uint32_t i = 0; i < l->locals.count; i++) {
        const ast_decl *d = l->locals.at[i];
        if (l->plan[i].place == PLACE_PLAIN || decl_is_temp(d))
            continue;
        const struct type *t = type_of(l, d->type);
        const char *spelling = t->before == NULL ? "" : t->before;
        if (strstr(spelling, "va_list") != NULL || strstr(spelling, "__va_list_tag") != NULL) {
            lower_error(
                l, DIAG_VA_LIST_ACROSS_AWAIT, first_await_across(l, i),
                "the va_list `%.*s` is needed after this await, but the arguments it walks are "
                "gone by then; take all arguments before the first await",
                SV_ARG(d->name));
            diag_note(l->unit->sink, lower_place(l, d->token), "it is declared here");
        }
        if (d->has_asm_register) {
            lower_error(
                l, DIAG_REGISTER_ACROSS_AWAIT, first_await_across(l, i),
                "`%.*s`, bound to a register, is needed after this await; copy it to an ordinary "
                "variable first",
                SV_ARG(d->name));
            diag_note(l->unit->sink, lower_place(l, d->token), "it is declared here");
        }
    }
}
