/* SPDX-License-Identifier: MIT */
/*
 * The walk goes through statements in order and evaluates expressions for one question: from which
 * awaits of the window does a value, or the content of a variable, come? The answer is a set of
 * bits. A decision on such a value is an order (an error check, most often), and so ends the
 * window.
 */
#include "rules/await_window.h"

#include <string.h>

/* What came from which awaits. */
struct binding {
    struct access_path path;
    uint32_t mask;
};

struct walk {
    struct access_cx access;
    const struct await_sites *sites;
    struct await_window window;
    VEC(struct binding) bindings;
    uint32_t control; /* what decides about the computation that is walked */
    void (*on_await)(void *context, const struct await_window *w, const struct window_await *first,
                     const struct window_await *second);
    void *context;
};

static uint32_t eval(struct walk *w, const ast_node *n);
static void walk_statement(struct walk *w, const ast_node *n);

static void end_window(struct walk *w)
{
    memset(&w->window, 0, sizeof w->window);
    w->bindings.count = 0;
}

/* ---- memory -----------------------------------------------------------------------------------
 */

static uint32_t mask_of(const struct walk *w, const struct access_path *p)
{
    uint32_t mask = 0;
    for (size_t i = 0; i < w->bindings.count; i++) {
        if (access_overlap(&w->bindings.at[i].path, p))
            mask |= w->bindings.at[i].mask;
    }
    return mask;
}

static void bind(struct walk *w, const struct access_path *p, uint32_t mask)
{
    if (mask != 0)
        VEC_PUSH(w->access.cx->mem, &w->bindings, (struct binding){*p, mask});
}

/* Those awaits that use this memory while they run: who writes it comes behind them. */
static uint32_t users_of(const struct walk *w, const struct access_path *p)
{
    uint32_t mask = 0;
    for (uint32_t i = 0; i < w->window.count; i++) {
        if (footprint_touches(&w->window.at[i].touches, p))
            mask |= 1U << i;
    }
    return mask;
}

static void store(struct walk *w, const struct access_path *p, uint32_t mask)
{
    bind(w, p, mask | w->control | users_of(w, p));
}

/* ---- awaits -----------------------------------------------------------------------------------
 */

/* What the await's result is assigned to at once; NULL. */
static const ast_node *target_of(const ast_node *await)
{
    const ast_node *n = await, *parent = n->parent;
    while (parent != NULL && (parent->kind == AST_PAREN || parent->kind == AST_CAST)) {
        n = parent;
        parent = n->parent;
    }
    return parent != NULL && parent->kind == AST_ASSIGN && parent->kid[1] == n ? parent->kid[0]
                                                                               : NULL;
}

/* Those that the await must follow because of the variable that it assigns. */
static uint32_t target_needs(const struct walk *w, const ast_node *target)
{
    if (target == NULL)
        return 0;
    struct access_path p = access_lvalue(&w->access, target);
    uint32_t mask = users_of(w, &p);
    return access_is_local(&p) ? mask : mask | mask_of(w, &p);
}

static uint32_t needs_of(const struct walk *w, const struct window_await *b)
{
    uint32_t mask = 0;
    for (size_t i = 0; i < b->touches.reads.count; i++)
        mask |= mask_of(w, &b->touches.reads.at[i]);
    for (size_t i = 0; i < b->touches.writes.count; i++)
        mask |= mask_of(w, &b->touches.writes.at[i]);
    for (uint32_t i = 0; i < w->window.count; i++) {
        const struct window_await *a = &w->window.at[i];
        if (await_has_order(&w->access, a->site, &a->touches, b->site, &b->touches))
            mask |= 1U << i;
    }
    return mask;
}

static uint32_t level_of(const struct walk *w, uint32_t needs)
{
    uint32_t level = 0;
    for (uint32_t i = 0; i < w->window.count; i++) {
        if ((needs >> i & 1) != 0 && w->window.at[i].level >= level)
            level = w->window.at[i].level + 1;
    }
    return level;
}

static void tell(struct walk *w, const struct window_await *b)
{
    for (uint32_t i = 0; i < w->window.count; i++) {
        if (w->window.at[i].level != b->level)
            continue;
        w->on_await(w->context, &w->window, &w->window.at[i], b);
        return;
    }
}

/* The operand's own expressions: callee, arguments, targets. */
static uint32_t eval_operand(struct walk *w, const struct await_site *site)
{
    uint32_t mask = 0;
    for (uint32_t i = 0; i < site->call_count; i++) {
        const struct await_call *c = &site->calls[i];
        for (uint32_t k = 0; k < c->node->kid_count; k++)
            mask |= eval(w, c->node->kid[k]);
    }
    if (site->is_form && site->operand->op == FORM_TIMEOUT)
        mask |= eval(w, site->operand->kid[0]);
    return mask;
}

static uint32_t eval_await(struct walk *w, const ast_node *n)
{
    const struct await_site *site = await_site_find(w->sites, n);
    if (site == NULL || await_site_is_pause(site) || w->window.count == WINDOW_MAX) {
        if (site != NULL)
            eval_operand(w, site);
        end_window(w);
        return 0;
    }
    struct window_await b = {.site = site};
    b.needs = eval_operand(w, site);
    footprint_of_site(&w->access, site, &b.touches);
    b.needs |= needs_of(w, &b) | target_needs(w, target_of(n));
    uint32_t result = b.needs;
    if (!await_site_never_waits(site) && !site->is_repeated) {
        b.level = level_of(w, b.needs);
        if (!await_site_recurs(w->access.cx, w->access.fn, site))
            tell(w, &b);
        result = 1U << w->window.count;
        w->window.at[w->window.count++] = b;
    }
    for (size_t i = 0; i < b.touches.writes.count; i++)
        bind(w, &b.touches.writes.at[i], result);
    return result;
}

/* ---- expressions ------------------------------------------------------------------------------
 */

static uint32_t eval_kids(struct walk *w, const ast_node *n)
{
    uint32_t mask = 0;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            mask |= eval(w, n->kid[i]);
    }
    return mask;
}

/* Reading an lvalue: its content, and what its address is computed from. */
static uint32_t eval_lvalue(struct walk *w, const ast_node *n, bool is_read)
{
    uint32_t mask = 0;
    if (n->kind != AST_IDENT)
        mask |= eval_kids(w, n);
    if (is_read) {
        struct access_path p = access_lvalue(&w->access, n);
        mask |= mask_of(w, &p);
    }
    return mask;
}

static bool is_pointer_like(const struct walk *w, const ast_node *n)
{
    enum ctype_class cls = sema_type(w->access.cx->sema, w->access.fn, n)->cls;
    return cls == CTYPE_POINTER || cls == CTYPE_ARRAY;
}

/* A plain call reads what its arguments point to, and may write it. */
static uint32_t eval_call(struct walk *w, const ast_node *n)
{
    bool is_dropped = n->parent != NULL && n->parent->kind == AST_EXPR_STMT;
    enum plain_effect effect = plain_call_effect(&w->access, n, is_dropped);
    uint32_t mask = 0;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        mask |= eval(w, n->kid[i]);
        if (i == 0 || !is_pointer_like(w, n->kid[i]))
            continue;
        struct access_path p = access_pointee(&w->access, n->kid[i]);
        p.is_deep = true;
        mask |= mask_of(w, &p);
    }
    struct await_call c = await_call_of(w->access.cx, w->access.fn, n);
    for (uint32_t i = 0; i < c.arg_count; i++) {
        if (c.args[i].kind != ARG_OBJECT)
            continue;
        struct access_path p = access_pointee(&w->access, c.args[i].node);
        p.is_deep = true;
        store(w, &p, mask);
    }
    if (effect == PLAIN_ORDER)
        end_window(w);
    return mask;
}

/* A part that runs only sometimes. */
static uint32_t eval_maybe(struct walk *w, const ast_node *n)
{
    if (!has_await(n))
        return eval(w, n);
    end_window(w);
    eval(w, n);
    end_window(w);
    return 0;
}

static uint32_t eval_choice(struct walk *w, const ast_node *n)
{
    uint32_t mask = eval(w, n->kid[0]);
    bool ends = mask != 0 && has_noreturn_call(w->access.cx, w->access.fn, n);
    for (uint32_t i = 1; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            mask |= eval_maybe(w, n->kid[i]);
    }
    if (ends)
        end_window(w);
    return mask;
}

static uint32_t eval_assign(struct walk *w, const ast_node *n)
{
    uint32_t mask = eval(w, n->kid[1]);
    mask |= eval_lvalue(w, sema_strip_parens(n->kid[0]), n->op != OP_ASSIGN);
    struct access_path p = access_lvalue(&w->access, n->kid[0]);
    store(w, &p, mask);
    return mask;
}

static uint32_t eval_step(struct walk *w, const ast_node *n)
{
    uint32_t mask = eval_lvalue(w, sema_strip_parens(n->kid[0]), true);
    struct access_path p = access_lvalue(&w->access, n->kid[0]);
    store(w, &p, mask);
    return mask;
}

static uint32_t eval(struct walk *w, const ast_node *n)
{
    if (n->is_unevaluated)
        return 0;
    switch (n->kind) {
    case AST_AWAIT:
        return eval_await(w, n);
    case AST_CALL:
        return eval_call(w, n);
    case AST_AND_AND:
    case AST_OR_OR:
    case AST_CONDITIONAL:
        return eval_choice(w, n);
    case AST_ASSIGN:
        return eval_assign(w, n);
    case AST_PREFIX:
    case AST_POSTFIX:
        return eval_step(w, n);
    case AST_IDENT:
    case AST_MEMBER:
    case AST_INDEX: /* an array's name is an address, not its content */
        return eval_lvalue(w, n,
                           sema_type(w->access.cx->sema, w->access.fn, n)->cls != CTYPE_ARRAY);
    case AST_UNARY:
        if (n->op == OP_ADDR)
            return eval_lvalue(w, sema_strip_parens(n->kid[0]), false);
        return n->op == OP_DEREF ? eval_lvalue(w, n, true) : eval(w, n->kid[0]);
    case AST_FORM: {
        uint32_t mask = eval_kids(w, n);
        end_window(w);
        return mask;
    }
    case AST_COMPOUND:
        walk_statement(w, n);
        return 0;
    case AST_TYPE_NAME:
    case AST_NESTED_FUNCTION:
        return 0;
    default:
        return eval_kids(w, n);
    }
}

/* ---- statements -------------------------------------------------------------------------------
 */

/* Does control leave, or wait, somewhere below n? */
static bool leaves_or_waits(const struct walk *w, const ast_node *n, bool in_loop)
{
    switch (n->kind) {
    case AST_RETURN:
    case AST_GOTO:
    case AST_GOTO_COMPUTED:
    case AST_AWAIT:
    case AST_ASM:
    case AST_DEFER:
    case AST_LABEL:
    case AST_CASE:
    case AST_DEFAULT:
        return true;
    case AST_BREAK:
    case AST_CONTINUE:
        return !in_loop;
    case AST_CALL:
        if (sema_call_is_noreturn(w->access.cx->sema, w->access.fn, n))
            return true;
        break;
    case AST_WHILE:
    case AST_DO:
    case AST_FOR:
        in_loop = true;
        break;
    default:
        break;
    }
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && leaves_or_waits(w, n->kid[i], in_loop))
            return true;
    }
    return false;
}

/* Each part from the given one on in a window of its own. */
static void walk_apart(struct walk *w, const ast_node *n, uint32_t from)
{
    for (uint32_t i = from; i < n->kid_count; i++) {
        end_window(w);
        if (n->kid[i] == NULL)
            continue;
        if (ast_is_statement(n->kid[i]->kind))
            walk_statement(w, n->kid[i]);
        else
            eval(w, n->kid[i]);
    }
    end_window(w);
}

static const ast_node *loop_condition(const ast_node *n)
{
    if (n->kind == AST_FOR)
        return n->kid[1];
    return n->kid[n->kind == AST_DO ? 1 : 0];
}

/* A loop that only computes: what it stores depends on how often it runs. */
static void walk_computation(struct walk *w, const ast_node *n)
{
    const ast_node *condition = loop_condition(n);
    uint32_t before = w->control;
    if (condition != NULL)
        w->control |= eval(w, condition);
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] == NULL)
            continue;
        if (ast_is_statement(n->kid[i]->kind))
            walk_statement(w, n->kid[i]);
        else
            eval(w, n->kid[i]);
    }
    w->control = before;
}

static void walk_if(struct walk *w, const ast_node *n)
{
    uint32_t mask = eval(w, n->kid[0]);
    bool is_order = mask != 0 || leaves_or_waits(w, n->kid[1], false) ||
                    (n->kid[2] != NULL && leaves_or_waits(w, n->kid[2], false));
    for (uint32_t i = 1; i < 3; i++) {
        if (is_order)
            end_window(w);
        if (n->kid[i] != NULL)
            walk_statement(w, n->kid[i]);
    }
    if (is_order)
        end_window(w);
}

static void walk_loop(struct walk *w, const ast_node *n)
{
    if (!leaves_or_waits(w, n, false))
        walk_computation(w, n);
    else if (n->kind == AST_FOR && n->kid[0] != NULL) {
        walk_statement(w, n->kid[0]);
        walk_apart(w, n, 1);
    } else
        walk_apart(w, n, 0);
}

static void walk_declaration(struct walk *w, const ast_node *n)
{
    for (uint32_t i = 0; i < n->kid_count; i++) {
        const ast_node *d = n->kid[i];
        if (d == NULL || d->kind != AST_DECLARATOR || d->kid_count == 0)
            continue;
        const ast_node *init = d->kid[d->kid_count - 1];
        bool is_static = d->ref != NULL && d->ref->storage == STORAGE_STATIC;
        if (init == NULL || is_static)
            continue;
        uint32_t mask = eval(w, init);
        struct access_path p = {.root = d->ref, .local = d->ref, .is_deep = false};
        bind(w, &p, mask);
    }
}

static void walk_statement(struct walk *w, const ast_node *n)
{
    switch (n->kind) {
    case AST_COMPOUND:
        for (uint32_t i = 0; i < n->kid_count; i++)
            walk_statement(w, n->kid[i]);
        return;
    case AST_EXPR_STMT:
        eval(w, n->kid[0]);
        return;
    case AST_DECL_STMT:
        walk_declaration(w, n);
        return;
    case AST_IF:
        walk_if(w, n);
        return;
    case AST_WHILE:
    case AST_DO:
    case AST_FOR:
        walk_loop(w, n);
        return;
    case AST_RETURN:
        if (n->kid[0] != NULL)
            eval(w, n->kid[0]);
        end_window(w);
        return;
    case AST_SWITCH:
        eval(w, n->kid[0]);
        end_window(w);
        walk_statement(w, n->kid[1]);
        end_window(w);
        return;
    case AST_CASE:
    case AST_DEFAULT:
    case AST_LABEL:
        end_window(w);
        if (n->kid_count > 0 && n->kid[n->kid_count - 1] != NULL)
            walk_statement(w, n->kid[n->kid_count - 1]);
        return;
    case AST_NULL_STMT:
    case AST_PRAGMA:
    case AST_ATTRIBUTE_STMT:
    case AST_STATIC_ASSERT:
    case AST_LOCAL_LABELS:
        return;
    default:
        walk_apart(w, n, 0);
        return;
    }
}

void await_windows_walk(rule_cx *cx, struct sema_function *fn,
                        void (*on_await)(void *context, const struct await_window *w,
                                         const struct window_await *first,
                                         const struct window_await *second),
                        void *context)
{
    struct walk w = {.access = access_begin(cx, fn),
                     .sites = await_sites_of(cx, fn),
                     .on_await = on_await,
                     .context = context};
    const ast_node *root = fn->tree->root;
    if (w.sites->count > 1)
        walk_statement(&w, root->kid[root->kid_count - 1]);
}
