/* SPDX-License-Identifier: MIT */
/*
 * What makes a loop end, and what happens in a round? For the checks of loops that may run long.
 * The loop's exits are read off: the operands of its condition and of every `if` that leaves it.
 *
 *     for (i = 0; i < n && budget-- > 0; i++)      COUNTED by i to n; bounded by the budget
 *     while ((e = t->first) != NULL)               EMPTIES t
 *     for (r = first(t); r; r = next(r))           ITERATES with next
 *     while ((n = recv(fd, b, 64, 0)) > 0)         ITERATES with recv
 */
#ifndef AWAITC_RULES_LOOP_SHAPE_H
#define AWAITC_RULES_LOOP_SHAPE_H

#include "rules/rule.h"
#include "rules/tree_terms.h"

/* Up to so many rounds a loop is short whatever it does. */
#define LOOP_FEW_ROUNDS 4096

enum loop_kind_of {
    LOOP_OTHER,    /* ended by something else */
    LOOP_ENDLESS,  /* nothing ends it */
    LOOP_COUNTED,  /* a number is stepped until it meets `count` */
    LOOP_SCANS,    /* a pointer goes through memory */
    LOOP_LIST,     /* p = p->next */
    LOOP_EMPTIES,  /* takes from `container` until nothing is left */
    LOOP_ITERATES, /* a call, `source`, gives the next one, or says that there is none */
    LOOP_ONCE      /* do { } while (0), or it leaves at the end of its body */
};

enum loop_step_kind { STEP_SET, STEP_UP, STEP_DOWN, STEP_PASSED /* its address to a call */ };

/* Something that the loop changes. */
struct loop_step {
    enum loop_step_kind kind;
    const ast_node *lvalue; /* or the AST_DECLARATOR */
    const ast_node *value;  /* SET: the value; UP, DOWN: by how much, NULL: 1; PASSED: the call */
};

struct loop_shape {
    const ast_node *loop;
    enum loop_kind_of kind;
    const ast_node *counter, *count; /* COUNTED; count NULL: down to zero, from an unknown value */
    const ast_node *container;       /* EMPTIES: the expression that names it */
    const ast_node *source;          /* ITERATES, EMPTIES by a call: the AST_CALL */
    const ast_node *item;            /* LIST, ITERATES, EMPTIES: the variable of a round; NULL */
    bool steps_by_result; /* COUNTED: each round tells how far it steps: it goes through data */
    uint64_t rounds;      /* at most; UINT64_MAX: not known */
    bool is_limited;      /* ends early by a counter, a budget or a clock besides */

    bool has_break; /* a break or goto leaves it */

    struct tree_terms exits; /* the loop's own condition's first */
    size_t condition_count;  /* how many those are */
    VEC(struct loop_step) steps;
    VEC(const ast_node *) calls;  /* AST_CALL, those of inner loops included */
    VEC(const ast_node *) awaits; /* AST_AWAIT */
    VEC(const ast_node *) inner;  /* loops directly inside */
};

/* The shape of a loop of cx->fn. */
const struct loop_shape *loop_shape_of(rule_cx *cx, const ast_node *loop);

/* At most how many rounds the loop makes in a call from cx->from; UINT64_MAX: not known. */
uint64_t loop_rounds(rule_cx *cx, const struct loop_shape *s);

/* All loops of cx->fn that are statements, outer ones first. */
struct loop_list {
    VEC(const ast_node *) all;
};
struct loop_list loops_of_function(rule_cx *cx);

/* The last thing that the loop does to an lvalue (or declarator); NULL: it leaves it as it is. */
const struct loop_step *loop_step_of(rule_cx *cx, const struct loop_shape *s,
                                     const ast_node *lvalue);
/* The call in whose result a term of an exit ends, directly or through a variable that the loop
 * sets to it; NULL. An awaited call counts as the AST_AWAIT's. */
const ast_node *loop_exit_call(rule_cx *cx, const struct loop_shape *s, const ast_node *term);

/* Can a round pass without an await? */
bool loop_round_without_await(rule_cx *cx, const struct loop_shape *s);

/* Does it give others their turn now and then: an await of aw_yield, a sleep, and their like? */
bool loop_yields(rule_cx *cx, const struct loop_shape *s);

/* The largest value that an expression can have, as far as can be told: constants, masks, minima,
 * sizes of the buffer that was read into, clamps by an `if` before; UINT64_MAX: not known. */
uint64_t upper_bound(rule_cx *cx, const ast_node *n);
/* How far can a count be from where its counter starts: the end itself, or what is added to the
 * counter for it (end = at + 64)? */
uint64_t upper_distance(rule_cx *cx, const ast_node *counter, const ast_node *end);

#endif
