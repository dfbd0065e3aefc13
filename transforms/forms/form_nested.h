/* SPDX-License-Identifier: MIT */
/*
 * How does a form run inside another one? As a call: before anything is lowered, each form that is
 * an argument of a group becomes an async function of its own in front of the user's, and what the
 * rest of the lowering sees has no nested forms any more:
 *
 *     async int f(int x)
 *     { int a, rc; return await aw_timeout(9, rc = aw_try_all(a = g(x), h())) + rc + a; }
 *
 *     static async int f__nest_1(int aw_v1, int *aw_p2)
 *     { return await aw_try_all(*aw_p2 = g(aw_v1), h()); }
 *     async int f(int x)
 *     { int a, rc; return await aw_timeout(9, rc = f__nest_1(x, &(a))) + rc + a; }
 *
 * All arguments and lvalues are evaluated where the user wrote them, from left to right, as the
 * arguments of that call. The new text is parsed again: see rewrite.h.
 */
#ifndef AWAITC_TRANSFORMS_FORM_NESTED_H
#define AWAITC_TRANSFORMS_FORM_NESTED_H

#include "transforms/lowering.h"

/* Is the form an argument of a group (aw_all, aw_try_all, aw_race, the call of aw_timeout), or the
 * right side of an assignment that is one? */
bool nested_is_argument(const ast_node *form);
bool nested_is_group(const ast_node *n);

/* One argument of a group: `target = run`, or `run` with target NULL. */
ast_node *nested_split(ast_node *argument, ast_node **target);

/* Rewrites the unit with every nested form made a call; false: it has none, or one was reported.
 * Takes parsed and checked functions. */
bool nested_rewrite(struct unit *u);

#endif
