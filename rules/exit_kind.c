/* SPDX-License-Identifier: MIT */
/*
 * Patterns of a condition's value v, which may be an await or an assignment of one:
 * v < 0, v == -1, v != 0, v == NULL, ... Conjunctions fail if a part fails, disjunctions if all do.
 */
#include "rules/exit_kind.h"

enum pattern {
    PATTERN_OTHER,
    PATTERN_POSITIVE, /* v >= 0, v > 0: there is something */
    PATTERN_NEGATIVE, /* v < 0, v == -1; v <= 0 may be the end of what there is */
    PATTERN_NULL,     /* a pointer is NULL */
    PATTERN_NONZERO,  /* an integer is not 0 */
    PATTERN_ZERO,     /* an integer is 0 */
    PATTERN_FALSE,    /* a bool is false */
    PATTERN_SHORT     /* v != n: not what was asked for; v < n may be the last page */
};

/* What comes back: a call, an await, or a variable of such a value. */
static const ast_node *value_of_test(const ast_node *n)
{
    n = sema_strip(n);
    while (n->kind == AST_ASSIGN || n->kind == AST_COMMA)
        n = sema_strip(n->kid[n->kind == AST_ASSIGN ? 0 : 1]);
    return n;
}

static enum ast_op negated(enum ast_op op)
{
    switch (op) {
    case OP_LT:
        return OP_GE;
    case OP_GE:
        return OP_LT;
    case OP_GT:
        return OP_LE;
    case OP_LE:
        return OP_GT;
    case OP_EQ:
        return OP_NE;
    case OP_NE:
        return OP_EQ;
    default:
        return op;
    }
}

static enum ast_op mirrored(enum ast_op op)
{
    switch (op) {
    case OP_LT:
        return OP_GT;
    case OP_GT:
        return OP_LT;
    case OP_LE:
        return OP_GE;
    case OP_GE:
        return OP_LE;
    default:
        return op;
    }
}

static bool is_pointer(rule_cx *cx, const ast_node *n)
{
    return sema_type(cx->sema, cx->fn, n)->cls == CTYPE_POINTER;
}

/* Of a value by itself: is it true, or false? */
static enum pattern truth_pattern(rule_cx *cx, const ast_node *n, bool is_true)
{
    const ctype *type = sema_type(cx->sema, cx->fn, n);
    if (type->cls == CTYPE_POINTER)
        return is_true ? PATTERN_OTHER : PATTERN_NULL;
    if (type->cls == CTYPE_BOOL || sv_is(type->name, "bool"))
        return is_true ? PATTERN_OTHER : PATTERN_FALSE;
    return is_true ? PATTERN_NONZERO : PATTERN_ZERO;
}

static enum pattern number_pattern(enum ast_op op, int64_t k)
{
    bool below = (op == OP_LT && k <= 0) || (op == OP_LE && k < 0) || (op == OP_EQ && k < 0);
    if (below)
        return PATTERN_NEGATIVE;
    if ((op == OP_GE || op == OP_GT) && k >= 0)
        return PATTERN_POSITIVE;
    if (op == OP_NE && k == 0)
        return PATTERN_NONZERO;
    if (op == OP_EQ && k == 0)
        return PATTERN_ZERO;
    return op == OP_NE && k > 0 ? PATTERN_SHORT : PATTERN_OTHER;
}

static enum pattern comparison_pattern(rule_cx *cx, const ast_node *n, bool when)
{
    const ast_node *left = n->kid[0], *right = n->kid[1];
    enum ast_op op = (enum ast_op)n->op;
    int64_t k;
    if (sema_constant(cx->sema, cx->fn, left, &k) || sema_is_null(cx->sema, cx->fn, left)) {
        const ast_node *swap = left;
        left = right;
        right = swap;
        op = mirrored(op);
    }
    op = when ? op : negated(op);
    left = value_of_test(left);
    if (is_pointer(cx, left) && sema_is_null(cx->sema, cx->fn, right))
        return op == OP_EQ ? PATTERN_NULL : PATTERN_OTHER;
    if (sema_constant(cx->sema, cx->fn, right, &k))
        return number_pattern(op, k);
    bool is_awaited = sema_strip(n->kid[0])->kind == AST_AWAIT || left->kind == AST_IDENT;
    return is_awaited && op == OP_NE ? PATTERN_SHORT : PATTERN_OTHER;
}

static bool is_status_name(rule_cx *cx, const ast_node *n)
{
    static const char *const names[] = {"rc",     "err", "error", "ret",    "status",  "rv",  "res",
                                        "result", "r",   "e",     "failed", "failure", "code"};
    n = value_of_test(n);
    if (n->kind != AST_IDENT && n->kind != AST_MEMBER)
        return n->kind == AST_AWAIT || n->kind == AST_CALL;
    strview name = n->kind == AST_IDENT ? ast_node_text(cx->fn->tree, n)
                                        : ast_token_text(cx->fn->tree, n->name_token);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (sv_is(name, names[i]))
            return true;
    }
    return sv_ends(name, "_rc") || sv_ends(name, "_err") || sv_ends(name, "_status");
}

enum verdict { VERDICT_UNKNOWN, VERDICT_FAILURE, VERDICT_SUCCESS };

/* What a return's value says, where the test of `tested` has found p. */
static enum verdict returned(rule_cx *cx, enum pattern p, const ast_node *jump,
                             const ast_node *tested)
{
    const ast_node *n = jump != NULL && jump->kind == AST_RETURN ? jump->kid[0] : NULL;
    int64_t k;
    if (n == NULL)
        return VERDICT_UNKNOWN;
    n = sema_strip(n);
    if (is_pointer(cx, n) || sema_is_null(cx->sema, cx->fn, n)) {
        const ctype *type = sema_type(cx->sema, cx->fn, cx->fn->tree->root->kid[1]);
        bool gives_pointer =
            type->cls == CTYPE_FUNCTION && type->elem != NULL && type->elem->cls == CTYPE_POINTER;
        if (gives_pointer)
            return sema_is_null(cx->sema, cx->fn, n) ? VERDICT_FAILURE : VERDICT_SUCCESS;
    }
    if (sema_constant(cx->sema, cx->fn, n, &k))
        return k < 0 ? VERDICT_FAILURE : VERDICT_UNKNOWN;
    if (n->kind == AST_UNARY && n->op == OP_MINUS)
        return VERDICT_FAILURE;
    bool same = n->kind == AST_IDENT && value_of_test(tested)->kind == AST_IDENT &&
                n->ref == value_of_test(tested)->ref;
    if (same && (p == PATTERN_POSITIVE || p == PATTERN_ZERO))
        return VERDICT_SUCCESS;
    if (same)
        return is_status_name(cx, n) ? VERDICT_FAILURE : VERDICT_UNKNOWN;
    return VERDICT_UNKNOWN;
}

static bool leads_to_error_label(rule_cx *cx, const ast_node *jump)
{
    if (jump == NULL || jump->kind != AST_GOTO)
        return false;
    strview label = ast_token_text(cx->fn->tree, jump->name_token);
    return sv_starts(label, "err") || sv_starts(label, "fail") || sv_starts(label, "bad") ||
           sv_ends(label, "error") || sv_ends(label, "fail") || sv_starts(label, "abort");
}

static bool pattern_fails(rule_cx *cx, enum pattern p, const ast_node *tested, const ast_node *jump)
{
    enum verdict said = returned(cx, p, jump, tested);
    if (said != VERDICT_UNKNOWN)
        return said == VERDICT_FAILURE;
    switch (p) {
    case PATTERN_NEGATIVE:
    case PATTERN_NULL:
    case PATTERN_FALSE:
    case PATTERN_SHORT:
        return true;
    case PATTERN_NONZERO:
        return is_status_name(cx, tested) || leads_to_error_label(cx, jump);
    case PATTERN_ZERO:
    case PATTERN_POSITIVE:
    case PATTERN_OTHER:
        return leads_to_error_label(cx, jump);
    }
    return false;
}

bool exit_is_failure(rule_cx *cx, const ast_node *n, bool when, const ast_node *jump)
{
    n = sema_strip_parens(n);
    while (n->kind == AST_UNARY && n->op == OP_NOT) {
        when = !when;
        n = sema_strip_parens(n->kid[0]);
    }
    bool is_and = n->kind == AST_AND_AND, is_or = n->kind == AST_OR_OR;
    if (is_and || is_or) {
        bool left = exit_is_failure(cx, n->kid[0], when, jump);
        bool right = exit_is_failure(cx, n->kid[1], when, jump);
        return is_and == when ? left || right : left && right;
    }
    if (n->kind == AST_BINARY)
        return pattern_fails(cx, comparison_pattern(cx, n, when), n->kid[0], jump);
    const ast_node *v = value_of_test(n);
    return pattern_fails(cx, truth_pattern(cx, v, when), v, jump);
}
