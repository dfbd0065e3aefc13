/* SPDX-License-Identifier: MIT */
/*
 * What have the checks already found out about a function? Several ask the same of the same loops,
 * calls and variables; each answer that costs a walk is kept here, with the function.
 */
#ifndef AWAITC_RULES_FUNCTION_MEMO_H
#define AWAITC_RULES_FUNCTION_MEMO_H

#include "analyzer/syntax/node_table.h"
#include "rules/work_estimate.h"

enum { MEMO_DEPTHS = 6, MEMO_UNKNOWN = 0, MEMO_NO = 1, MEMO_YES = 2 };

struct memo_nodes {
    VEC(const ast_node *) all;
};

struct function_memo {
    bool has_loops, has_calls;
    struct memo_nodes loops;       /* loops_of_function */
    struct memo_nodes calls;       /* calls_of_function */
    struct node_table shapes;      /* of loops: struct loop_shape */
    void *changes;                 /* loop_bound.c: where lvalues are changed or compared */
    uint8_t runs_loop;             /* local_escapes.c: itself, by a call */
    uint8_t suspends;              /* function_suspends: MEMO_ */
    uint8_t asks[MEMO_DEPTHS];     /* event_source.c: at a depth of calls */
    struct work work[MEMO_DEPTHS]; /* work_estimate.c: of its body, at a depth of calls */
    bool has_work[MEMO_DEPTHS];
};

/* The function's memo, made now if need be; it lives as long as the unit. */
struct function_memo *function_memo_of(const rule_cx *cx, struct sema_function *fn);

/* All calls of the function that are evaluated, outer ones first, in the order of the text. */
const struct memo_nodes *calls_of_function(const rule_cx *cx, struct sema_function *fn);

#endif
