/* SPDX-License-Identifier: MIT */
/*
 * Which conditions are constants? `while (1)`, `do ... while (0)`, assert(!"text") and what macros
 * make of them. Types are not known here, so whatever might wrap or compare a negative number with
 * an unsigned one counts as unknown; the hook tells the values of enumerators and sizeof.
 */
#include <errno.h>
#include <stdlib.h>

#include "analyzer/flow/tree_cfg_internal.h"

enum { MAX_DEPTH = 48 };

static bool evaluate(const tree_builder *b, const ast_node *n, int depth, int64_t *value);

static bool parse_number(strview text, int64_t *value)
{
    char digits[32];
    if (sv_is(text, "true") || sv_is(text, "false") || sv_is(text, "nullptr")) {
        *value = text.at[0] == 't';
        return true;
    }
    if (text.len >= sizeof digits)
        return false;
    memcpy(digits, text.at, text.len);
    digits[text.len] = '\0';
    bool is_binary = digits[0] == '0' && (digits[1] == 'b' || digits[1] == 'B');
    char *end;
    errno = 0;
    unsigned long long v = strtoull(digits + (is_binary ? 2 : 0), &end, is_binary ? 2 : 0);
    if (errno != 0 || end == digits || v > INT64_MAX || end[strspn(end, "uUlLzZ")] != '\0')
        return false;
    *value = (int64_t)v;
    return true;
}

static bool is_small(int64_t v)
{
    return -INT32_MAX <= v && v <= INT32_MAX;
}

/* Where a negative operand may have been an unsigned one. */
static bool compute_natural(enum ast_op op, int64_t x, int64_t y, int64_t *value)
{
    if (x < 0 || y < 0)
        return false;
    bool is_shift = op == OP_SHL || op == OP_SHR;
    if ((is_shift && y > 30) || ((op == OP_DIV || op == OP_MOD) && y == 0))
        return false;
    int64_t results[] = {
        [OP_DIV] = y == 0 ? 0 : x / y,
        [OP_MOD] = y == 0 ? 0 : x % y,
        [OP_SHL] = is_shift && is_small(x) ? (int64_t)((uint64_t)x << y) : 0,
        [OP_SHR] = is_shift ? x >> y : 0,
        [OP_LT] = x<y, [OP_GT] = x> y,
        [OP_LE] = x <= y,
        [OP_GE] = x >= y,
        [OP_EQ] = x == y,
        [OP_NE] = x != y,
    };
    *value = results[op];
    return op != OP_SHL || is_small(x);
}

static bool compute(enum ast_op op, int64_t x, int64_t y, int64_t *value)
{
    bool is_known = true;
    if (op == OP_ADD)
        is_known = !__builtin_add_overflow(x, y, value);
    else if (op == OP_SUB)
        is_known = !__builtin_sub_overflow(x, y, value);
    else if (op == OP_MUL)
        is_known = !__builtin_mul_overflow(x, y, value);
    else if (op == OP_AND)
        *value = x & y;
    else if (op == OP_OR)
        *value = x | y;
    else if (op == OP_XOR)
        *value = x ^ y;
    else
        is_known = compute_natural(op, x, y, value);
    return is_known && is_small(*value);
}

static bool evaluate_unary(const tree_builder *b, const ast_node *n, int depth, int64_t *value)
{
    int64_t v;
    enum ast_op op = (enum ast_op)n->op;
    if (op == OP_NOT && tree_bare(n->kid[0])->kind == AST_STRING)
        v = 1;
    else if (!evaluate(b, n->kid[0], depth, &v))
        return false;
    if (op == OP_NOT)
        *value = v == 0;
    else if (op == OP_MINUS)
        *value = -v;
    else if (op == OP_BITNOT)
        *value = ~v;
    else
        *value = v;
    return op == OP_NOT || op == OP_MINUS || op == OP_BITNOT || op == OP_PLUS || op == OP_EXTENSION;
}

/* One side of && and || can be enough. */
static bool evaluate_logical(const tree_builder *b, const ast_node *n, int depth, int64_t *value)
{
    int64_t x, y;
    bool decides = n->kind == AST_OR_OR;
    bool has_x = evaluate(b, n->kid[0], depth, &x);
    if (has_x && (x != 0) == decides) {
        *value = decides;
        return true;
    }
    bool has_y = evaluate(b, n->kid[1], depth, &y);
    *value = has_y && y != 0;
    return has_y && (has_x || (y != 0) == decides);
}

static bool evaluate(const tree_builder *b, const ast_node *n, int depth, int64_t *value)
{
    int64_t x, y;
    n = tree_bare(n);
    if (depth == 0)
        return false;
    switch (n->kind) {
    case AST_NUMBER:
        return parse_number(ast_node_text(b->fn, n), value);
    case AST_STRING:
        *value = 1;
        return true;
    case AST_UNARY:
        return evaluate_unary(b, n, depth - 1, value);
    case AST_BINARY:
        return evaluate(b, n->kid[0], depth - 1, &x) && evaluate(b, n->kid[1], depth - 1, &y) &&
               compute((enum ast_op)n->op, x, y, value);
    case AST_AND_AND:
    case AST_OR_OR:
        return evaluate_logical(b, n, depth - 1, value);
    case AST_CONDITIONAL:
        if (n->kid[1] == NULL || !evaluate(b, n->kid[0], depth - 1, &x))
            return false;
        return evaluate(b, n->kid[x != 0 ? 1 : 2], depth - 1, value);
    case AST_CAST: /* any type holds these */
        return evaluate(b, n->kid[1], depth - 1, value) && 0 <= *value && *value <= 127;
    default:
        return b->hooks.constant != NULL && b->hooks.constant(b->hooks.context, n, value);
    }
}

bool build_constant(const tree_builder *b, const ast_node *n, int64_t *value)
{
    return evaluate(b, n, MAX_DEPTH, value);
}
