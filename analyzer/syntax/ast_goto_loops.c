/* SPDX-License-Identifier: MIT */
/*
 * Which gotos are loops that C has words for? The linter's checks know loops by their kinds; those
 * that a label and a goto make get such a node, too:
 *
 *     next: S; goto next;                        for (;;) { next: S; }
 *     next: S; if (c) goto next;                 do { next: S; } while (c);
 *     next: S; if (c) { T; goto next; }          for (;;) { next: S; if (c) { T; } else break; }
 *
 * Label and goto must stand in one block, and nothing between them be cleaned up at its end. Other
 * gotos of the same label stay what they are.
 */
#include "analyzer/syntax/ast.h"

/* How a statement jumps back. */
struct tail {
    const ast_node *condition; /* NULL: always */
    ast_node *block;           /* what is done before the jump: the goto is its last statement */
    ast_node *branch;          /* the if */
};

static bool is_goto(const ast_node *n, const ast_decl *label)
{
    return n != NULL && n->kind == AST_GOTO && n->ref == label;
}

static bool read_tail(ast_node *n, const ast_decl *label, struct tail *out)
{
    *out = (struct tail){NULL, NULL, NULL};
    if (is_goto(n, label))
        return true;
    if (n->kind != AST_IF || n->kid[2] != NULL)
        return false;
    ast_node *then = n->kid[1];
    out->condition = n->kid[0];
    out->branch = n;
    if (is_goto(then, label))
        return true;
    if (then->kind != AST_COMPOUND || then->kid_count == 0 ||
        !is_goto(then->kid[then->kid_count - 1], label))
        return false;
    out->block = then->kid_count > 1 ? then : NULL;
    return true;
}

/* Would an earlier end of the block be noticed? */
static bool has_cleanup(const ast_node *n)
{
    if (n->kind == AST_DEFER)
        return true;
    for (uint32_t i = 1; n->kind == AST_DECL_STMT && i < n->kid_count; i++) {
        const ast_decl *d = n->kid[i] == NULL ? NULL : n->kid[i]->ref;
        if (d != NULL && d->cleanup != NULL)
            return true;
    }
    return false;
}

static ast_node *make(ast_function *fn, enum ast_kind kind, uint32_t first, uint32_t last,
                      uint32_t kid_count)
{
    ast_node *n = ARENA_NEW(fn->mem, ast_node);
    n->kind = kind;
    n->first = first;
    n->last = last;
    n->name_token = UINT32_MAX;
    n->kid = ARENA_ARRAY(fn->mem, ast_node *, kid_count + 1);
    n->kid_count = kid_count;
    fn->kinds[kind / 64] |= UINT64_C(1) << kind % 64;
    return n;
}

static void adopt(ast_node *parent, uint32_t at, ast_node *kid)
{
    parent->kid[at] = kid;
    kid->parent = parent;
}

/* The loop of the statements [from, to] of the block, the last of which jumps back. */
static ast_node *make_loop(ast_function *fn, ast_node *block, uint32_t from, uint32_t to,
                           struct tail tail)
{
    ast_node *jump = block->kid[to];
    bool keeps_jump = tail.block != NULL;
    uint32_t first = block->kid[from]->first, count = to - from + keeps_jump;
    ast_node *body =
        make(fn, AST_COMPOUND, first, keeps_jump ? jump->last : block->kid[to - 1]->last, count);
    for (uint32_t i = 0; i < count; i++)
        adopt(body, i, block->kid[from + i]);
    bool is_do = tail.condition != NULL && !keeps_jump;
    ast_node *loop = make(fn, is_do ? AST_DO : AST_FOR, first, jump->last, is_do ? 2 : 4);
    adopt(loop, is_do ? 0 : 3, body);
    if (is_do)
        adopt(loop, 1, tail.branch->kid[0]);
    if (keeps_jump) {
        tail.block->kid_count--;
        adopt(tail.branch, 2, make(fn, AST_BREAK, jump->last, jump->last, 0));
    }
    return loop;
}

static void loop_at(ast_function *fn, const ast_decl *label)
{
    ast_node *top = label->declarator;
    while (top->parent != NULL && top->parent->kind == AST_LABEL)
        top = top->parent;
    ast_node *block = top->parent;
    if (block == NULL || block->kind != AST_COMPOUND)
        return;
    uint32_t from = 0, to = 0;
    struct tail tail = {NULL, NULL, NULL}, last = tail;
    while (from < block->kid_count && block->kid[from] != top)
        from++;
    for (uint32_t i = from; i < block->kid_count && !has_cleanup(block->kid[i]); i++) {
        if (i > from && read_tail(block->kid[i], label, &tail)) {
            to = i;
            last = tail;
        }
    }
    if (to == 0)
        return;
    ast_node *loop = make_loop(fn, block, from, to, last);
    adopt(block, from, loop);
    for (uint32_t i = to + 1; i < block->kid_count; i++)
        block->kid[from + i - to] = block->kid[i];
    block->kid_count -= to - from;
}

void ast_find_goto_loops(ast_function *fn)
{
    for (size_t i = fn->labels.count; i-- > 0;) {
        const ast_decl *label = fn->labels.at[i];
        if (label->declarator != NULL && label->declarator->kind == AST_LABEL)
            loop_at(fn, label);
    }
}
