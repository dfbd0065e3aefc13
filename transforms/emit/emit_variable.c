/* SPDX-License-Identifier: MIT */
/*
 * How is a temporary read that holds a pointer to an array of variable size? It is a `void *`,
 * since the frame has no name for its type; each read casts it to the type that the expression had
 * which it stands for. That type is told by an expression that does nothing: of `(row += k)[i]` all
 * that matters is `row`, of any element the first one.
 *
 *     int (*row)[n];  row + await f()      ((__typeof__(((int (*)[aw__n1])aw__v)))aw__t1) + aw__t2
 */
#include "transforms/emit/emit.h"

static bool is_variable(const lowering *l, const ast_node *n)
{
    return n->type != TYPE_NONE && type_of(l, n->type)->is_variable;
}

static void print_bare(struct printer *p, ast_node *n);

/* The operand among these children that has such a type. */
static void print_operand(struct printer *p, ast_node *n)
{
    for (uint32_t i = n->kid_count; i-- > 0;) {
        ast_node *k = n->kid[i];
        if (k == NULL || !ast_is_expression(k->kind) || !is_variable(p->l, k))
            continue;
        bool decays = type_of(p->l, k->type)->cls == TYPE_ARRAY &&
                      type_of(p->l, n->type)->cls == TYPE_POINTER;
        print_text(p, "(");
        print_bare(p, k);
        print_text(p, decays ? "+ 0)" : ")");
        return;
    }
    lower_error(
        p->l, DIAG_VLA_ACROSS_AWAIT, n,
        "the type of this value depends on a run-time value, and the value would have to be "
        "kept over an await; assign it to a variable of its type first");
}

/* (int (*)[n])p: any address will do for the operand. */
static void print_bare_cast(struct printer *p, ast_node *n)
{
    const ast_node *operand = ast_strip(n->kid[1]);
    bool is_address = operand->kind == AST_UNARY && operand->op == OP_ADDR;
    if (is_address)
        operand = ast_strip(operand->kid[0]);
    print_text(p, "((");
    print_node(p, n->kid[0]);
    print_text(p, ")");
    if (operand->kind == AST_IDENT && operand->ref != NULL && operand->ref->local != UINT32_MAX)
        print_fmt(p, "%s%s)", is_address ? "&" : "", local_ref(p->l, operand->ref, false));
    else
        print_text(p, "(void *)16)");
}

/* An expression without effects of the same type. */
static void print_bare(struct printer *p, ast_node *n)
{
    switch (n->kind) {
    case AST_CAST:
        print_bare_cast(p, n);
        break;
    case AST_INDEX:
        print_operand(p, n);
        print_text(p, "[0]");
        break;
    case AST_UNARY:
        print_text(p, n->op == OP_DEREF ? "(*" : n->op == OP_ADDR ? "(&" : "(");
        print_operand(p, n);
        print_text(p, ")");
        break;
    default:
        print_operand(p, n);
        break;
    }
}

void print_variable_read(struct printer *p, ast_node *n, const struct replacement *r)
{
    bool is_array = type_of(p->l, n->type)->cls == TYPE_ARRAY;
    print_text(p, r->deref ? "(*(__typeof__(&" : is_array ? "((__typeof__(&" : "((__typeof__(");
    print_bare(p, n);
    print_fmt(p, "%s))%s)", is_array && !r->deref ? "[0]" : "", local_ref(p->l, r->temp, false));
}
