/* SPDX-License-Identifier: MIT */
/*
 * Looks for what drives a loop, and for what would stop it.
 */
#include "rules/intake.h"

#include "analyzer/program/value_of.h"
#include "rules/relay_writes.h"
#include "rules/work_estimate.h"

static const char holds[] =
    "acquire slot permit room space drained limit wait lock notify cond join "
    "throttle credit sem backpressure yield_until reserve capacity admit "
    "pop dequeue";
static const char allows[] =
    "limit slot acquire allow take reserve permit throttle quota full room "
    "can try admit capacity budget overloaded saturated too_many may";
static const char supplies[] = "free avail room left credit budget slot space remaining quota full "
                               "paused throttled overloaded busy";

/* ---- what holds back ---------------------------------------------------------------------------
 */

static bool awaits_a_turn(rule_cx *cx, const struct loop_shape *s)
{
    for (size_t i = 0; i < s->awaits.count; i++) {
        const ast_node *call = sema_strip(s->awaits.at[i]->kid[0]);
        if (call->kind == AST_CALL &&
            name_has_word(sema_callee_name(cx->sema, cx->fn, call), holds) &&
            !sv_starts(sema_callee_name(cx->sema, cx->fn, call), "aw_mutex_"))
            return true;
    }
    return false;
}

static const char counts[] = "length len count size num depth used pending inflight active queued "
                             "total clients tasks";

static bool is_answer(rule_cx *cx, const ast_node *value)
{
    value = sema_strip(value);
    if (value->kind == AST_AWAIT)
        return true;
    if (value->kind != AST_CALL)
        return false;
    strview name = sema_callee_name(cx->sema, cx->fn, value);
    return !name_has_word(name, counts) && !name_has_word(name, "atomic");
}

struct answer_search {
    rule_cx *cx;
    const struct loop_shape *s;
    bool found;
};

static bool visit_answer(void *context, const ast_node *n)
{
    struct answer_search *search = context;
    const struct loop_step *step = NULL;
    /* the size and status that a callback is given are an answer, too */
    if (n->kind == AST_IDENT && n->ref != NULL && n->ref->kind == DECL_PARAM &&
        is_read_callback(search->cx))
        search->found = true;
    if (n->kind == AST_IDENT || n->kind == AST_MEMBER)
        step = loop_step_of(search->cx, search->s, n);
    bool is_passed =
        step != NULL && step->kind == STEP_PASSED && is_answer(search->cx, step->value);
    bool is_set = step != NULL && step->kind == STEP_SET && is_answer(search->cx, step->value);
    search->found = search->found || is_passed || is_set;
    search->found = search->found || is_answer(search->cx, n);
    return !search->found;
}

/* Does a side of a comparison hold what a call reported? Then it checks for an error, or for the
 * end of what was read, not for a limit. */
static bool is_result(rule_cx *cx, const struct loop_shape *s, const ast_node *side)
{
    struct answer_search search = {.cx = cx, .s = s};
    int64_t value;
    const ast_node *sum = sema_strip(side);
    if (sum->kind == AST_BINARY && (sum->op == OP_ADD || sum->op == OP_SUB)) {
        /* q->bytes + n: what is there with what came */
        for (int i = 0; i < 2; i++) {
            if (!sema_constant(cx->sema, cx->fn, sum->kid[i], &value) &&
                !is_result(cx, s, sum->kid[i]))
                return false;
        }
        return true;
    }
    tree_visit(side, visit_answer, &search);
    return search.found;
}

struct member_search {
    bool found;
};

static bool visit_member(void *context, const ast_node *n)
{
    struct member_search *search = context;
    search->found = search->found || (n->kind == AST_MEMBER && !n->is_unevaluated);
    return !search->found;
}

/* What is left of something: sizeof q->data - q->used. */
static bool is_rest(const ast_node *n)
{
    struct member_search search = {false};
    if (n->kind != AST_BINARY || n->op != OP_SUB)
        return false;
    tree_visit(n->kid[1], visit_member, &search);
    return search.found;
}

/* while (proplen > 0) read_property(packet, &proplen, p): what is left of something that is there.
 */
static bool counts_down(rule_cx *cx, const struct loop_shape *s, const ast_node *n)
{
    const ast_node *condition = s->loop->kind == AST_WHILE ? tree_loop_condition(s->loop) : NULL;
    const struct loop_step *step = loop_step_of(cx, s, n->kid[0]);
    if (condition == NULL || !tree_is_inside(n, condition) || step == NULL ||
        step->kind != STEP_PASSED)
        return false;
    strview name = ast_node_text(cx->fn->tree, sema_strip(n->kid[0]));
    int64_t zero;
    return (n->op == OP_GT || n->op == OP_NE) &&
           sema_constant(cx->sema, cx->fn, n->kid[1], &zero) && zero == 0 &&
           (name_has_word(name, "length left remaining rest") || sv_ends(name, "len"));
}

static bool compares_a_count(rule_cx *cx, const struct loop_shape *s, const ast_node *n)
{
    if (counts_down(cx, s, n))
        return true;
    bool is_left = is_result(cx, s, n->kid[0]), is_right = is_result(cx, s, n->kid[1]);
    if (is_left && is_right)
        return false;
    if (is_left || is_right)
        return is_rest(sema_strip(n->kid[is_left ? 1 : 0]));
    if (n->op != OP_EQ && n->op != OP_NE)
        return true;
    for (int i = 0; i < 2; i++) {
        const struct loop_step *step = loop_step_of(cx, s, n->kid[i]);
        strview name = ast_node_text(cx->fn->tree, sema_strip(n->kid[i]));
        if ((step != NULL && step->kind != STEP_SET && step->kind != STEP_PASSED) ||
            name_has_word(name, supplies) || name_has_word(name, "max limit"))
            return true;
    }
    return false;
}

struct limit_search {
    rule_cx *cx;
    const struct loop_shape *s;
    bool found;
};

static bool term_limits(struct limit_search *search, const ast_node *term)
{
    rule_cx *cx = search->cx;
    const ast_node *call = sema_strip(term);
    if (tree_is_comparison(term))
        return compares_a_count(cx, search->s, term) ||
               (sema_strip(term->kid[0])->kind == AST_CALL &&
                term_limits(search, sema_strip(term->kid[0])));
    if (call->kind == AST_CALL)
        return name_has_word(sema_callee_name(cx->sema, cx->fn, call), allows);
    if (call->kind == AST_MEMBER || call->kind == AST_IDENT)
        return name_has_word(ast_token_text(cx->fn->tree, call->last - 1), supplies);
    return false;
}

/* A loop inside that goes through something: its end is no limit of what comes in. */
static bool goes_through(rule_cx *cx, const struct loop_shape *s, const ast_node *loop)
{
    if (loop == s->loop)
        return false;
    enum loop_kind_of kind = loop_shape_of(cx, loop)->kind;
    return kind == LOOP_COUNTED || kind == LOOP_LIST || kind == LOOP_SCANS;
}

struct growth_search {
    rule_cx *cx;
    bool found;
};

static const char grows[] = "realloc reallocarray grow enlarge ensure reserve";

static bool visit_growth(void *context, const ast_node *n)
{
    struct growth_search *search = context;
    search->found = search->found ||
                    (n->kind == AST_CALL &&
                     name_has_word(sema_callee_name(search->cx->sema, search->cx->fn, n), grows));
    return !search->found;
}

bool grows_memory(rule_cx *cx, const ast_node *n)
{
    struct growth_search search = {.cx = cx};
    tree_visit(n, visit_growth, &search);
    return search.found;
}

static bool visit_limit(void *context, const ast_node *n)
{
    struct limit_search *search = context;
    const ast_node *condition = NULL;
    if (n->kind == AST_IF && !grows_memory(search->cx, n->kid[1])) /* full: it gets larger */
        condition = n->kid[0];
    else if (tree_is_loop(n) && !goes_through(search->cx, search->s, n))
        condition = tree_loop_condition(n);
    if (condition == NULL)
        return !search->found;
    struct tree_terms terms = {0};
    tree_add_terms(search->cx->mem, search->cx->fn->tree, &terms, condition);
    for (size_t i = 0; i < terms.all.count && !search->found; i++)
        search->found = term_limits(search, terms.all.at[i]);
    return !search->found;
}

bool loop_is_held_back(rule_cx *cx, const struct loop_shape *s)
{
    struct limit_search search = {.cx = cx, .s = s};
    if (awaits_a_turn(cx, s))
        return true;
    tree_visit(s->loop, visit_limit, &search);
    return search.found;
}

/* ---- what drives -------------------------------------------------------------------------------
 */

const ast_node *spawned_call(const ast_node *form)
{
    const ast_node *call = form->kid_count == 0 ? NULL : form->kid[form->kid_count - 1];
    call = call == NULL ? NULL : sema_strip(call);
    return call != NULL && call->kind == AST_CALL ? call : NULL;
}

bool is_spawn(const ast_node *n)
{
    return n->kind == AST_FORM &&
           (n->op == FORM_SPAWN || n->op == FORM_SPAWN_ON || n->op == FORM_SCOPE_SPAWN);
}

/* An await of the loop whose result `at` uses. */
static const ast_node *awaited_for(rule_cx *cx, const struct loop_shape *s, const ast_node *at)
{
    for (size_t i = 0; i < s->steps.count; i++) {
        const struct loop_step *step = &s->steps.at[i];
        if (step->kind != STEP_SET || sema_strip(step->value)->kind != AST_AWAIT)
            continue;
        const ast_node *call = spawned_call(at);
        for (uint32_t a = 0; call != NULL && a < sema_arg_count(call); a++) {
            const ast_node *root = tree_root(sema_arg(call, a));
            bool is_it = root != NULL && (step->lvalue->kind == AST_DECLARATOR
                                              ? root->ref != NULL && root->ref == step->lvalue->ref
                                              : tree_same(cx->fn->tree, root, step->lvalue));
            if (is_it)
                return sema_strip(step->value);
        }
    }
    return NULL;
}

const ast_node *unlimited_intake(rule_cx *cx, const ast_node *at, const ast_node **input)
{
    for (const ast_node *n = at->parent; n != NULL; n = n->parent) {
        if (!tree_is_loop(n))
            continue;
        const struct loop_shape *s = loop_shape_of(cx, n);
        *input = loop_input(cx, s);
        if (*input == NULL && is_spawn(at))
            *input = awaited_for(cx, s, at);
        bool is_limited = s->is_limited || s->kind == LOOP_COUNTED || s->kind == LOOP_ONCE ||
                          loop_is_held_back(cx, s);
        if (*input != NULL && !is_limited)
            return n;
        if (*input != NULL)
            return NULL;
    }
    return NULL;
}

/* ---- limits of tasks ----------------------------------------------------------------------------
 */

struct tree_visit_cx {
    rule_cx cx;
    void (*visit)(rule_cx *cx, const ast_node *n, void *context);
    void *context;
};

static void visit_config(void *context, sema_symbol *symbol)
{
    struct tree_visit_cx *t = context;
    struct sema_function *fn;
    const ctype *type = symbol->is_system ? NULL : sema_symbol_type(t->cx.sema, symbol);
    if (type == NULL || type->record == NULL || !sv_is(type->record->tag, "aw_config"))
        return;
    const ast_node *n = sema_symbol_initialiser(t->cx.sema, symbol, &fn);
    if (n == NULL)
        return;
    t->cx.fn = fn;
    t->visit(&t->cx, n, t->context);
}

void unit_each_tree(const rule_cx *cx, void (*visit)(rule_cx *cx, const ast_node *n, void *context),
                    void *context)
{
    uint32_t count;
    struct sema_function *const *all = sema_unit_functions(cx->sema, &count);
    struct tree_visit_cx t = {*cx, visit, context};
    for (uint32_t i = 0; i < count; i++) {
        t.cx.fn = all[i];
        if (all[i]->in_source)
            visit(&t.cx, all[i]->tree->root, context);
    }
    sema_each_symbol(cx->sema, SYMBOL_VARIABLE, visit_config, &t);
}

struct field_search {
    rule_cx *cx;
    bool found;
};

static bool visit_field(void *context, const ast_node *n)
{
    struct field_search *search = context;
    bool is_field = n->kind == AST_DESIG_FIELD || n->kind == AST_MEMBER;
    if (is_field && sv_is(ast_token_text(search->cx->fn->tree, n->name_token), "max_tasks"))
        search->found = true;
    return !search->found;
}

static void find_field(rule_cx *cx, const ast_node *n, void *context)
{
    struct field_search search = {.cx = cx};
    bool *found = context;
    tree_visit(n, visit_field, &search);
    *found = *found || search.found;
}

bool unit_limits_tasks(rule_cx *cx)
{
    bool found = false;
    unit_each_tree(cx, find_field, &found);
    return found;
}

struct scope_search {
    rule_cx *cx; /* of the function that is looked through */
    const char *key;
    int64_t limit;
    bool found;
};

static bool visit_scope_init(void *context, const ast_node *n)
{
    struct scope_search *search = context;
    rule_cx *cx = search->cx;
    if (n->kind != AST_CALL || sema_arg_count(n) != 2 ||
        !sv_is(sema_callee_name(cx->sema, cx->fn, n), "aw_scope_init"))
        return true;
    const ast_node *scope = sema_strip(sema_arg(n, 0));
    if (scope->kind == AST_UNARY)
        scope = scope->kid[0];
    const char *key = key_of(cx->mem, local_uses_of(cx->mem, cx->sema, cx->fn), scope);
    if (key != NULL && strcmp(key, search->key) == 0)
        search->found = sema_constant(cx->sema, cx->fn, sema_arg(n, 1), &search->limit);
    return true;
}

bool scope_limit(rule_cx *cx, const ast_node *scope_spawn, int64_t *limit)
{
    uint32_t count;
    struct sema_function *const *all = sema_unit_functions(cx->sema, &count);
    const ast_node *scope = sema_strip(scope_spawn->kid[0]);
    if (scope->kind == AST_UNARY)
        scope = scope->kid[0];
    struct scope_search search = {
        .key = key_of(cx->mem, local_uses_of(cx->mem, cx->sema, cx->fn), scope)};
    for (uint32_t i = 0; i < count && search.key != NULL && !search.found; i++) {
        rule_cx inner = *cx;
        inner.fn = all[i];
        search.cx = &inner;
        if (all[i]->in_source)
            tree_visit(all[i]->tree->root, visit_scope_init, &search);
    }
    *limit = search.limit;
    return search.found;
}

/* ---- functions ----------------------------------------------------------------------------------
 */

struct loop_shape body_shape(rule_cx *cx)
{
    return *loop_shape_of(cx, cx->fn->tree->root);
}
