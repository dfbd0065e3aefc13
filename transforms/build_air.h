/* SPDX-License-Identifier: MIT */
/*
 * What do the two halves of build_air share? The function under construction and where in it the
 * next op goes. Statements (build_air.c) make blocks; expressions (build_air_expr.c) make ops, and
 * blocks where an operand is lazy.
 */
#ifndef AWAITC_TRANSFORMS_BUILD_AIR_H
#define AWAITC_TRANSFORMS_BUILD_AIR_H

#include "transforms/lowering.h"

/* The blocks that `break` and `continue` go to, per loop or switch. */
struct air_target {
    ast_node *node;
    uint32_t on_break, on_continue;
    struct air_target *outer;
};

struct air_case {
    ast_node *node; /* CASE, DEFAULT */
    uint32_t block;
};

struct air_builder {
    lowering *l;
    air_func *fn;
    uint32_t block; /* where ops go */
    bool is_open;   /* false: after a terminator, until the next block starts */
    struct air_target *targets;
    uint32_t *label_block;   /* [decl id] of labels; AIR_NONE */
    uint32_t *cleanup_block; /* [cleanup number - 1] */
    uint32_t *scope_id;      /* not used by analyses but shown: [decl id] */
    VEC(struct air_case) cases;
    VEC(uint32_t) address_labels;
    /* of the await being built */
    VEC(uint32_t) * holds;
};

uint32_t air_block_new(struct air_builder *b);
void air_block_start(struct air_builder *b, uint32_t block);
void air_emit(struct air_builder *b, enum air_op_kind kind, const ast_decl *local, uint32_t token);
void air_goto(struct air_builder *b, uint32_t block);
void air_branch(struct air_builder *b, const uint32_t *targets, uint32_t count);
void air_point(struct air_builder *b, struct point *p);
void air_items(struct air_builder *b, const struct item_list *items);
void air_statement(struct air_builder *b, ast_node *s);
void air_compound(struct air_builder *b, ast_node *block);

enum air_access { AIR_READ, AIR_WRITE, AIR_UPDATE, AIR_ADDRESS, AIR_LENDING, AIR_HOLDING };

/* The ops of evaluating an expression. */
void air_value(struct air_builder *b, ast_node *e);
void air_object(struct air_builder *b, ast_node *e, enum air_access access);
/* The callee and arguments of a call; `awaited`: buffers lent are held by the await. */
void air_call(struct air_builder *b, ast_node *call, bool awaited);
/* Reads the locals in the array bounds of a type name, a declaration, an operand. */
void air_bounds(struct air_builder *b, ast_node *n, bool in_bound);
/* Whether this declaration is an AIR local. */
bool air_is_local(const ast_decl *d);

#endif
