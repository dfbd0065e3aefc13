/* SPDX-License-Identifier: MIT */
/*
 * Under which of the function's parameters is a call made, and does it insist on its whole size?
 *
 *     int pop(struct q *q, bool wait) { while (q->n == 0 && wait) cond_wait(...); }
 *     while (left > 0) { k = read(fd, at, left); at += k; left -= k; }
 *
 * The first call is made only where parameter 1 is not 0; a caller that passes 0 does not wait. The
 * second one comes back until it has all, whatever the descriptor's mode is thought to be.
 */
#include <errno.h>

#include "analyzer/program/collect_private.h"

/* ---- conditions ------------------------------------------------------------------------------ */

typedef VEC(struct fact_condition) condition_list;

static void push_condition(struct collect *c, condition_list *out, const struct value *v,
                           bool equal, int64_t number)
{
    if (v->kind != VALUE_PARAM || v->with != 0)
        return;
    struct fact_condition condition = {
        .param = (uint32_t)v->number, .equal = equal, .number = number};
    VEC_PUSH(c->mem, out, condition);
}

/* The condition that __builtin_expect wraps. */
static const ast_node *plain_condition(const struct collect *c, const ast_node *n)
{
    n = sema_strip(n);
    bool is_expect = n->kind == AST_CALL && sema_arg_count(n) == 2 &&
                     sv_is(sema_callee_name(c->sema, c->fn, n), "__builtin_expect");
    return is_expect ? plain_condition(c, sema_arg(n, 0)) : n;
}

/* Adds what the condition says of parameters where it holds, or where it does not. */
static void add_condition(struct collect *c, condition_list *out, const ast_node *condition,
                          bool holds)
{
    const ast_node *n = plain_condition(c, condition);
    int64_t number;
    if (n->kind == AST_AND_AND || n->kind == AST_OR_OR) {
        if ((n->kind == AST_AND_AND) != holds)
            return;
        add_condition(c, out, n->kid[0], holds);
        add_condition(c, out, n->kid[1], holds);
    } else if (n->kind == AST_UNARY && n->op == OP_NOT) {
        add_condition(c, out, n->kid[0], !holds);
    } else if (n->kind == AST_BINARY && (n->op == OP_EQ || n->op == OP_NE)) {
        bool equal = (n->op == OP_EQ) == holds;
        for (uint32_t i = 0; i < 2; i++) {
            struct value v = collect_value(c, n->kid[i]);
            if (sema_constant(c->sema, c->fn, n->kid[1 - i], &number))
                push_condition(c, out, &v, equal, number);
        }
    } else {
        struct value v = collect_value(c, n);
        push_condition(c, out, &v, !holds, 0);
    }
}

/* Does control leave the statements around this one behind it? */
static bool leaves(const struct collect *c, const ast_node *n)
{
    if (n->kind == AST_COMPOUND)
        return n->kid_count != 0 && n->kid[n->kid_count - 1] != NULL &&
               leaves(c, n->kid[n->kid_count - 1]);
    if (n->kind == AST_EXPR_STMT)
        return n->kid[0] != NULL && n->kid[0]->kind == AST_CALL &&
               sema_call_is_noreturn(c->sema, c->fn, n->kid[0]);
    return n->kind == AST_RETURN || n->kind == AST_BREAK || n->kind == AST_CONTINUE ||
           n->kind == AST_GOTO;
}

static bool is_target(const ast_node *n)
{
    return n->kind == AST_LABEL || n->kind == AST_CASE || n->kind == AST_DEFAULT;
}

/* An `if` with a branch that leaves, so that what follows runs under a condition. */
struct way_out {
    uint32_t index; /* of the statement in its block */
    condition_list when;
};

/* What a block's statements tell of those behind them. */
struct block_ways {
    VEC(struct way_out) outs; /* with conditions on parameters */
    VEC(uint32_t) targets;    /* statements to which control may jump */
    struct node_table index;  /* statement -> 1 + its index, as a pointer's value */
};

static void note_way_out(struct collect *c, struct block_ways *ways, const ast_node *n,
                         uint32_t index)
{
    struct way_out out = {.index = index};
    if (leaves(c, n->kid[1]))
        add_condition(c, &out.when, n->kid[0], false);
    else if (n->kid[2] != NULL && leaves(c, n->kid[2]))
        add_condition(c, &out.when, n->kid[0], true);
    if (out.when.count != 0)
        VEC_PUSH(c->mem, &ways->outs, out);
}

static struct block_ways *ways_of(struct collect *c, const ast_node *block)
{
    void **known = node_table_at(c->mem, &c->blocks, block);
    if (*known != NULL)
        return *known;
    struct block_ways *ways = ARENA_NEW(c->mem, struct block_ways);
    *known = ways;
    for (uint32_t i = 0; i < block->kid_count; i++) {
        const ast_node *n = block->kid[i];
        if (n == NULL)
            continue;
        *node_table_at(c->mem, &ways->index, n) = (void *)(uintptr_t)(i + 1);
        if (is_target(n))
            VEC_PUSH(c->mem, &ways->targets, i);
        if (n->kind == AST_IF)
            note_way_out(c, ways, n, i);
    }
    return ways;
}

/* `if (!wait) return;` before the statement, in the same block, and no label between. */
static void add_earlier(struct collect *c, condition_list *out, const ast_node *block,
                        const ast_node *statement)
{
    struct block_ways *ways = ways_of(c, block);
    uintptr_t known = (uintptr_t)*node_table_at(c->mem, &ways->index, statement);
    uint32_t at = known == 0 ? block->kid_count : (uint32_t)known - 1, from = 0;
    for (size_t i = ways->targets.count; i-- > 0 && from == 0;)
        from = ways->targets.at[i] <= at ? ways->targets.at[i] : 0;
    for (size_t i = ways->outs.count; i-- > 0;) {
        const struct way_out *way = &ways->outs.at[i];
        for (size_t k = 0; way->index < at && way->index >= from && k < way->when.count; k++)
            VEC_PUSH(c->mem, out, way->when.at[k]);
    }
}

/* The parameter that the expression is, or -1. */
static int64_t param_of(struct collect *c, const ast_node *n)
{
    struct value v = collect_value(c, n);
    return v.kind == VALUE_PARAM && v.with == 0 ? v.number : -1;
}

/* `switch (h->kind) { case PIPE: close_pipe((struct pipe *)h); }`: only where h is a pipe. */
static void add_kind(struct collect *c, condition_list *out, const ast_node *node,
                     const ast_node *selector)
{
    selector = sema_strip(selector);
    int64_t param = selector->kind == AST_MEMBER ? param_of(c, selector->kid[0]) : -1;
    for (uint32_t i = 0; param >= 0 && i < sema_arg_count(node); i++) {
        const ast_node *arg = sema_strip_parens(sema_arg(node, i));
        const ctype *type = sema_type(c->sema, c->fn, arg);
        bool is_record = arg->kind == AST_CAST && type->cls == CTYPE_POINTER &&
                         type->elem != NULL && type->elem->record != NULL &&
                         type->elem->record->tag.len != 0;
        if (!is_record || param_of(c, arg) != param)
            continue;
        struct fact_condition is = {
            .param = (uint32_t)param,
            .equal = true,
            .record = arena_printf(c->mem, "%.*s", SV_ARG(type->elem->record->tag))};
        VEC_PUSH(c->mem, out, is);
    }
}

static void add_around(struct collect *c, condition_list *out, const ast_node *n)
{
    const ast_node *call_node = n;
    for (const ast_node *p = n->parent; p != NULL; n = p, p = p->parent) {
        switch (p->kind) {
        case AST_IF:
        case AST_CONDITIONAL:
            if (n != p->kid[0])
                add_condition(c, out, p->kid[0], n == p->kid[1]);
            break;
        case AST_WHILE:
            if (n != p->kid[0])
                add_condition(c, out, p->kid[0], true);
            break;
        case AST_FOR:
            if (n != p->kid[0] && n != p->kid[1] && p->kid[1] != NULL)
                add_condition(c, out, p->kid[1], true);
            break;
        case AST_AND_AND:
        case AST_OR_OR:
            if (n == p->kid[1])
                add_condition(c, out, p->kid[0], p->kind == AST_AND_AND);
            break;
        case AST_SWITCH:
            add_kind(c, out, call_node, p->kid[0]);
            break;
        case AST_COMPOUND:
            add_earlier(c, out, p, n);
            break;
        default:
            break;
        }
    }
}

/* ---- calls that want all of their size ------------------------------------------------------- */

static const ast_node *loop_around(const ast_node *n)
{
    for (n = n->parent; n != NULL; n = n->parent) {
        if (n->kind == AST_WHILE || n->kind == AST_DO || n->kind == AST_FOR)
            return n;
    }
    return NULL;
}

/* Are two expressions the same local, or a field of the same name? */
static bool is_same_thing(const struct collect *c, const ast_node *a, const ast_node *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == AST_IDENT)
        return a->ref != NULL && a->ref == b->ref;
    return a->kind == AST_MEMBER && sv_equal(ast_token_text(c->fn->tree, a->name_token),
                                             ast_token_text(c->fn->tree, b->name_token));
}

/* Does the tree name the thing, other than inside `without`? */
static bool names(const struct collect *c, const ast_node *n, const ast_node *thing,
                  const ast_node *without)
{
    if (n == without)
        return false;
    if (is_same_thing(c, n, thing))
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && names(c, n->kid[i], thing, without))
            return true;
    }
    return false;
}

/* Assignments of a loop that may add to something, or take from it, by more than a step of one. */
struct loop_steps {
    VEC(const ast_node *) all;
};

static void find_steps(struct collect *c, struct loop_steps *steps, const ast_node *n)
{
    bool is_step = n->kind == AST_ASSIGN &&
                   (n->op == OP_ADD || n->op == OP_SUB ||
                    (n->op == OP_ASSIGN && sema_strip(n->kid[1])->kind == AST_BINARY));
    if (is_step)
        VEC_PUSH(c->mem, &steps->all, n);
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            find_steps(c, steps, n->kid[i]);
    }
}

/* Does the loop advance the thing? */
static bool advances(struct collect *c, const ast_node *loop, const ast_node *thing)
{
    void **known = node_table_at(c->mem, &c->loops, loop);
    struct loop_steps *steps = *known;
    if (steps == NULL) {
        *known = steps = ARENA_NEW(c->mem, struct loop_steps);
        find_steps(c, steps, loop);
    }
    for (size_t i = 0; i < steps->all.count; i++) {
        const ast_node *n = steps->all.at[i];
        if (is_same_thing(c, sema_strip(n->kid[0]), thing) &&
            (n->op != OP_ASSIGN || names(c, n->kid[1], thing, NULL)))
            return true;
    }
    return false;
}

/* Does the thing decide whether the loop goes on? */
static bool ends_loop(const struct collect *c, const ast_node *n, const ast_node *thing,
                      const ast_node *call)
{
    const ast_node *condition = n->kind == AST_WHILE || n->kind == AST_IF ? n->kid[0]
                                : n->kind == AST_DO || n->kind == AST_FOR ? n->kid[1]
                                                                          : NULL;
    bool decides =
        n->kind != AST_IF || leaves(c, n->kid[1]) || (n->kid[2] != NULL && leaves(c, n->kid[2]));
    if (condition != NULL && decides && names(c, condition, thing, call))
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && ends_loop(c, n->kid[i], thing, call))
            return true;
    }
    return false;
}

/* Is there something in the argument that the loop advances until it is done? */
static bool is_filled(struct collect *c, const ast_node *loop, const ast_node *call,
                      const ast_node *n)
{
    if ((n->kind == AST_IDENT || n->kind == AST_MEMBER) && advances(c, loop, n) &&
        ends_loop(c, loop, n, call))
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && is_filled(c, loop, call, n->kid[i]))
            return true;
    }
    return false;
}

/* Does the function look for EAGAIN? Then it counts on a mode that does not wait. */
static bool asks_for_eagain(const struct collect *c, const ast_node *n)
{
    bool compares =
        n->kind == AST_CASE || (n->kind == AST_BINARY && (n->op == OP_EQ || n->op == OP_NE));
    for (uint32_t i = 0; i < n->kid_count; i++) {
        int64_t number;
        if (n->kid[i] == NULL)
            continue;
        if (compares && i < 2 && sema_constant(c->sema, c->fn, n->kid[i], &number) &&
            (number == EAGAIN || number == -EAGAIN))
            return true;
        if (asks_for_eagain(c, n->kid[i]))
            return true;
    }
    return false;
}

static bool wants_all(struct collect *c, const ast_node *call)
{
    const ast_node *loop = sema_arg_count(call) < 2 ? NULL : loop_around(call);
    bool is = false;
    for (uint32_t i = 1; loop != NULL && !is && i < sema_arg_count(call); i++)
        is = is_filled(c, loop, call, sema_arg(call, i));
    if (is && c->asks_for_eagain == 0)
        c->asks_for_eagain = asks_for_eagain(c, c->fn->tree->root) ? 2 : 1;
    return is && c->asks_for_eagain == 1;
}

void collect_when(struct collect *c)
{
    c->blocks = c->loops = (struct node_table){0};
    c->asks_for_eagain = 0;
    for (size_t i = 0; i < c->calls.count; i++) {
        condition_list when = {0};
        add_around(c, &when, c->calls.at[i]);
        for (size_t k = 0; k < when.count; k++)
            VEC_PUSH(c->mem, &c->function->calls.at[i].when, when.at[k]);
        c->function->calls.at[i].wants_all = wants_all(c, c->calls.at[i]);
    }
}
