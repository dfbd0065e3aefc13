/* SPDX-License-Identifier: MIT */
/*
 * Lays out expressions. A value's items are its operands' and then its own. A condition is taken
 * apart down to the operands that decide: each ends its block with an edge for true and one for
 * false, or with one edge if it is a constant.
 *
 * Chains that the parser builds in loops (left operands, `a ? b : c ? d : e`) are laid out in loops
 * here; the rest recurses as deep as the parser did.
 */
#include "analyzer/flow/tree_cfg_internal.h"

const ast_node *tree_bare(const ast_node *expression)
{
    while (expression->kind == AST_PAREN)
        expression = expression->kid[0];
    return expression;
}

static const ast_node *without_parens(const ast_node *n)
{
    return n == NULL ? NULL : tree_bare(n);
}

bool build_calls(const tree_builder *b, const ast_node *call, const char *name)
{
    return call->kind == AST_CALL && call->kid[0]->kind == AST_IDENT &&
           sv_is(ast_token_text(b->fn, call->kid[0]->name_token), name);
}

/* ---- what ends a way ------------------------------------------------------------------------ */

static bool is_noreturn(const tree_builder *b, const ast_node *call)
{
    if (build_calls(b, call, "__builtin_unreachable") || build_calls(b, call, "__builtin_trap"))
        return true;
    return b->hooks.is_noreturn != NULL && b->hooks.is_noreturn(b->hooks.context, call);
}

static void leave_for_good(tree_builder *b, const ast_node *n)
{
    build_edge(b, b->current, &(struct tree_edge){.to = b->exit, .kind = TREE_NORETURN, .jump = n});
    b->current = TREE_NONE;
}

/* Does the call run where it stands, not when something awaits it? */
static bool runs_here(const ast_node *call)
{
    const ast_node *parent = call->parent;
    while (parent->kind == AST_PAREN)
        parent = parent->parent;
    return parent->kind != AST_AWAIT && parent->kind != AST_FORM;
}

static void lay_cancel_edge(tree_builder *b, const ast_node *await)
{
    if (!b->hooks.has_cancel_edges || b->in_defer)
        return;
    uint32_t next = build_new_block(b), cancelled = build_new_block(b), from = b->current;
    build_edge(b, from, &(struct tree_edge){.to = next});
    build_edge(b, from, &(struct tree_edge){.to = cancelled, .kind = TREE_CANCEL, .jump = await});
    b->current = TREE_NONE;
    build_begin(b, cancelled);
    build_unwind(b, NULL);
    build_jump(b, b->exit, NULL);
    build_begin(b, next);
}

/* The item of a node whose operands are laid out. */
static void finish_value(tree_builder *b, const ast_node *n)
{
    build_emit(b, TREE_EXPR, n);
    if (n->kind == AST_CALL) {
        if (runs_here(n) && is_noreturn(b, n))
            leave_for_good(b, n);
    } else if (n->kind == AST_AWAIT) {
        const ast_node *operand = tree_bare(n->kid[0]);
        if (operand->kind == AST_CALL && is_noreturn(b, operand))
            leave_for_good(b, n);
        else
            lay_cancel_edge(b, n);
    }
}

/* ---- several ways to a value ---------------------------------------------------------------- */

/* `a && b` as a value: its item stands where the ways meet. */
static void lay_logical(tree_builder *b, const ast_node *n)
{
    uint32_t join = build_new_block(b);
    build_condition(b, n, join, join);
    build_begin(b, join);
    build_emit(b, TREE_EXPR, n);
}

/* The condition and the middle of `a ? b : c`; the current place is then where c is computed. */
static void lay_then(tree_builder *b, const ast_node *n, uint32_t join)
{
    uint32_t otherwise = build_new_block(b);
    uint32_t then = n->kid[1] == NULL ? join : build_new_block(b);
    build_condition(b, n->kid[0], then, otherwise);
    if (n->kid[1] != NULL) {
        build_begin(b, then);
        build_value(b, n->kid[1]);
        build_jump(b, join, NULL);
    }
    build_begin(b, otherwise);
}

static void lay_conditional(tree_builder *b, const ast_node *n)
{
    size_t mark = b->conditionals.count;
    while (n->kind == AST_CONDITIONAL) {
        uint32_t join = build_new_block(b);
        lay_then(b, n, join);
        VEC_PUSH(b->mem, &b->conditionals, (struct open_conditional){n, join});
        n = tree_bare(n->kid[2]);
    }
    build_value(b, n);
    while (b->conditionals.count > mark) {
        struct open_conditional open = b->conditionals.at[--b->conditionals.count];
        build_begin(b, open.join);
        build_emit(b, TREE_EXPR, open.node);
    }
}

/* The expression of an arm of _Generic or __builtin_choose_expr, if it may be the chosen one. */
static const ast_node *arm_of(const tree_builder *b, const ast_node *n, uint32_t kid)
{
    const ast_node *arm = n->kid[kid];
    int64_t condition;
    if (n->kind == AST_GENERIC)
        arm = arm->kid[1];
    else if (build_constant(b, n->kid[0], &condition) && (condition != 0) != (kid == 1))
        return NULL;
    return arm->is_unevaluated ? NULL : arm;
}

/* The only arm that may be chosen; NULL if the tree does not tell. */
static const ast_node *chosen_arm(const tree_builder *b, const ast_node *n)
{
    const ast_node *found = NULL;
    for (uint32_t i = 1; i < n->kid_count; i++) {
        const ast_node *arm = arm_of(b, n, i);
        if (arm != NULL && found != NULL)
            return NULL;
        if (arm != NULL)
            found = arm;
    }
    return found;
}

/* One of several arms, and nobody told which: a way for each. */
static void lay_arms(tree_builder *b, const ast_node *n)
{
    uint32_t from = b->current, join = build_new_block(b);
    for (uint32_t i = 1; i < n->kid_count; i++) {
        const ast_node *arm = arm_of(b, n, i);
        if (arm == NULL)
            continue;
        uint32_t block = build_new_block(b);
        build_edge(b, from, &(struct tree_edge){.to = block});
        b->current = TREE_NONE;
        build_begin(b, block);
        build_value(b, arm);
        build_jump(b, join, NULL);
    }
    build_begin(b, join);
}

static void lay_choice(tree_builder *b, const ast_node *n)
{
    const ast_node *arm = chosen_arm(b, n);
    if (arm != NULL)
        build_value(b, arm);
    else
        lay_arms(b, n);
    build_emit(b, TREE_EXPR, n);
}

/* ---- values --------------------------------------------------------------------------------- */

/* The operand that is laid out first, if a chain may grow there; NULL: none. */
static const ast_node *first_operand(const ast_node *n)
{
    switch (n->kind) {
    case AST_CALL:
    case AST_INDEX:
    case AST_MEMBER:
    case AST_POSTFIX:
    case AST_PREFIX:
    case AST_UNARY:
    case AST_AWAIT:
    case AST_BINARY:
    case AST_COMMA:
    case AST_VA_ARG:
        return without_parens(n->kid[0]);
    case AST_CAST:
        return without_parens(n->kid[1]);
    case AST_ASSIGN:
        return without_parens(n->kid[1]);
    default:
        return NULL;
    }
}

/* What follows the first operand, and the node itself. */
static void lay_rest(tree_builder *b, const ast_node *n)
{
    switch (n->kind) {
    case AST_CALL:
    case AST_INDEX:
    case AST_BINARY:
    case AST_COMMA:
        for (uint32_t i = 1; i < n->kid_count; i++)
            build_value(b, n->kid[i]);
        break;
    case AST_ASSIGN:
        build_value(b, n->kid[0]);
        break;
    case AST_CAST:
        build_bounds(b, n->kid[0]->kid[1]);
        break;
    default:
        break;
    }
    finish_value(b, n);
}

static void lay_kids(tree_builder *b, const ast_node *n)
{
    for (uint32_t i = 0; i < n->kid_count; i++)
        build_value(b, n->kid[i]);
}

/* A node without a first operand in first_operand's sense. */
static void lay_other(tree_builder *b, const ast_node *n)
{
    switch (n->kind) {
    case AST_AND_AND:
    case AST_OR_OR:
        lay_logical(b, n);
        return;
    case AST_CONDITIONAL:
        lay_conditional(b, n);
        return;
    case AST_GENERIC:
    case AST_CHOOSE_EXPR:
        lay_choice(b, n);
        return;
    case AST_INIT_LIST:
    case AST_DESIGNATED:
    case AST_DESIG_INDEX:
        lay_kids(b, n);
        return;
    case AST_STMT_EXPR:
        build_statement(b, n->kid[0]);
        break;
    case AST_COMPOUND_LITERAL:
        build_bounds(b, n->kid[0]->kid[1]);
        build_value(b, n->kid[1]);
        break;
    case AST_OFFSETOF:
    case AST_FORM:
        lay_kids(b, n);
        break;
    default: /* leaves, sizeof, parts of types */
        if (!ast_is_expression(n->kind) || n->kind == AST_DESIG_FIELD)
            return;
        break;
    }
    build_emit(b, TREE_EXPR, n);
}

void build_value(tree_builder *b, const ast_node *n)
{
    size_t mark = b->spine.count;
    n = without_parens(n);
    while (n != NULL && !n->is_unevaluated) {
        const ast_node *first = first_operand(n);
        if (first == NULL)
            break;
        VEC_PUSH(b->mem, &b->spine, n);
        n = first;
    }
    if (n != NULL && !n->is_unevaluated)
        lay_other(b, n);
    while (b->spine.count > mark)
        lay_rest(b, b->spine.at[--b->spine.count]);
}

void build_bounds(tree_builder *b, const ast_node *declarator)
{
    for (uint32_t i = 0; declarator != NULL && i < declarator->kid_count; i++) {
        const ast_node *part = declarator->kid[i];
        if (part != NULL && part->kind == AST_ARRAY_BOUND && part->kid[0] != NULL &&
            !part->kid[0]->is_const_expr)
            build_value(b, part->kid[0]);
    }
}

/* ---- conditions ----------------------------------------------------------------------------- */

/* Is the value 0 or 1, so that no cast changes whether it is 0? */
static bool is_truth_value(const tree_builder *b, const ast_node *n)
{
    n = tree_bare(n);
    return n->kind == AST_AND_AND || n->kind == AST_OR_OR ||
           (n->kind == AST_UNARY && n->op == OP_NOT) ||
           (n->kind == AST_BINARY && n->op >= OP_LT && n->op <= OP_NE) ||
           build_calls(b, n, "__builtin_expect");
}

static bool passes_truth_on(const tree_builder *b, const ast_node *n)
{
    return build_calls(b, n, "__builtin_expect") ||
           build_calls(b, n, "__builtin_expect_with_probability");
}

/* Takes off what does not decide: parentheses, `!`, what tells the compiler how likely it is. */
static const ast_node *decisive(const tree_builder *b, const ast_node *n, bool *is_negated)
{
    for (;;) {
        n = tree_bare(n);
        if (n->kind == AST_UNARY && n->op == OP_NOT)
            *is_negated = !*is_negated;
        if (n->kind == AST_UNARY && (n->op == OP_NOT || n->op == OP_EXTENSION))
            n = n->kid[0];
        else if (n->kind == AST_CALL && passes_truth_on(b, n) && n->kid_count > 1)
            n = n->kid[1];
        else if (n->kind == AST_CAST && is_truth_value(b, n->kid[1]))
            n = n->kid[1];
        else
            return n;
    }
}

/* All operands of a chain of the same operator but the last, which is returned. */
static const ast_node *lay_chain(tree_builder *b, const ast_node *n, uint32_t yes, uint32_t no)
{
    size_t mark = b->spine.count;
    enum ast_kind kind = n->kind;
    for (; n->kind == kind; n = tree_bare(n->kid[0]))
        VEC_PUSH(b->mem, &b->spine, n);
    for (;;) {
        uint32_t next = build_new_block(b);
        if (kind == AST_AND_AND)
            build_condition(b, n, next, no);
        else
            build_condition(b, n, yes, next);
        build_begin(b, next);
        n = b->spine.at[--b->spine.count]->kid[1];
        if (b->spine.count == mark)
            return n;
    }
}

/* The condition and the middle of `a ? b : c` as a condition; returns c. */
static const ast_node *lay_then_condition(tree_builder *b, const ast_node *n, uint32_t yes,
                                          uint32_t no)
{
    uint32_t otherwise = build_new_block(b);
    uint32_t then = n->kid[1] == NULL ? yes : build_new_block(b);
    build_condition(b, n->kid[0], then, otherwise);
    if (n->kid[1] != NULL) {
        build_begin(b, then);
        build_condition(b, n->kid[1], yes, no);
    }
    build_begin(b, otherwise);
    return n->kid[2];
}

static void lay_decision(tree_builder *b, const ast_node *n, uint32_t yes, uint32_t no)
{
    int64_t value;
    bool is_constant = build_constant(b, n, &value);
    build_value(b, n);
    if (is_constant) {
        build_jump(b, value != 0 ? yes : no, NULL);
        return;
    }
    uint32_t from = b->current;
    build_edge(b, from, &(struct tree_edge){.to = yes, .kind = TREE_TRUE, .cond = n});
    build_edge(b, from, &(struct tree_edge){.to = no, .kind = TREE_FALSE, .cond = n});
    b->current = TREE_NONE;
}

void build_condition(tree_builder *b, const ast_node *n, uint32_t yes, uint32_t no)
{
    for (;;) {
        bool is_negated = false;
        n = decisive(b, n, &is_negated);
        if (is_negated) {
            uint32_t swapped = yes;
            yes = no;
            no = swapped;
        }
        const ast_node *arm = NULL;
        if (n->kind == AST_AND_AND || n->kind == AST_OR_OR) {
            n = lay_chain(b, n, yes, no);
        } else if (n->kind == AST_CONDITIONAL) {
            n = lay_then_condition(b, n, yes, no);
        } else if (n->kind == AST_COMMA) {
            build_value(b, n->kid[0]);
            n = n->kid[1];
        } else {
            if (n->kind == AST_GENERIC || n->kind == AST_CHOOSE_EXPR)
                arm = chosen_arm(b, n);
            if (arm == NULL) {
                lay_decision(b, n, yes, no);
                return;
            }
            n = arm;
        }
    }
}
