/* SPDX-License-Identifier: MIT */
/*
 * Does a loop take in work from outside, and does anything hold it back? For the checks of tasks
 * and queues without limit.
 */
#ifndef AWAITC_RULES_INTAKE_H
#define AWAITC_RULES_INTAKE_H

#include "rules/event_source.h"

/*
 * The loop around `at` that outside input drives and that nothing limits; NULL.
 *
 * *input  what drives it, for a note
 */
const ast_node *unlimited_intake(rule_cx *cx, const ast_node *at, const ast_node **input);

/* Does anything in the loop hold it back: a semaphore, a count that is compared, a join? */
bool loop_is_held_back(rule_cx *cx, const struct loop_shape *s);
/* The same for any part of a function. `s`: the shape of a loop around it, or of the function's
 * body with `loop` set to that. */
struct loop_shape body_shape(rule_cx *cx);

/* Visits, with cx->fn set, the tree of each function of the source, and of each initialiser of a
 * file-scope aw_config. */
void unit_each_tree(const rule_cx *cx, void (*visit)(rule_cx *cx, const ast_node *n, void *context),
                    void *context);
/* Does the unit set the limit of tasks, aw_config.max_tasks? */
bool unit_limits_tasks(rule_cx *cx);
/* The limit of the scope that aw_scope_spawn is given: the constant of its aw_scope_init in the
 * unit; false: not known. */
bool scope_limit(rule_cx *cx, const ast_node *scope_spawn, int64_t *limit);

/* The call that a spawn's form starts; NULL. */
const ast_node *spawned_call(const ast_node *form);
bool is_spawn(const ast_node *n);

/* Is a call below the node that makes memory larger: realloc, or a function that says so? */
bool grows_memory(rule_cx *cx, const ast_node *n);

#endif
