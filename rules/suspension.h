/* SPDX-License-Identifier: MIT */
/*
 * Where may a function give its worker to others, so that it goes on later, perhaps in another
 * thread? At its awaits, but those of functions that never wait themselves; and, in functions that
 * are async by an annotation only, at their calls of async functions.
 */
#ifndef AWAITC_RULES_SUSPENSION_H
#define AWAITC_RULES_SUSPENSION_H

#include "rules/rule.h"

/* Is it one? */
bool suspends_at(rule_cx *cx, const struct sema_function *fn, const struct tree_item *item);
/* Has the function any? */
bool function_suspends(rule_cx *cx, struct sema_function *fn);

/* What a node that suspends runs: calls `visit` for the awaited call, or for each branch of the
 * form. */
void each_awaited_call(const ast_node *at, void (*visit)(void *context, const ast_node *call),
                       void *context);
/* The node at which an async call's work is done: the AWAIT that it is the operand of, or a branch
 * of; else the call itself. */
const ast_node *call_is_done_at(const ast_node *call);
/* The form in which a call is an argument (spawn, aw_blocking, ...), parentheses and an assignment
 * aside; NULL. */
const ast_node *form_of_call(const ast_node *call);
/* Is the call the start of a task: an argument of spawn or aw_scope_spawn? */
bool form_starts_task(const ast_node *call);

#endif
