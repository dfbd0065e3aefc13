/* SPDX-License-Identifier: MIT */
/*
 * Does a loop read from outside, and does that end it? The sources are those of event_sources.def,
 * the functions of the unit that ask one of them, and, for tasks, what they await.
 */
#ifndef AWAITC_RULES_EVENT_SOURCE_H
#define AWAITC_RULES_EVENT_SOURCE_H

#include "rules/loop_shape.h"

/* Does the call, directly or through functions of the unit, ask an event source once? */
bool asks_event_source(rule_cx *cx, const ast_node *call);

/*
 * The plain call of an event source whose result ends the loop, if the loop goes on until there is
 * nothing more; NULL. A loop that wants a certain amount, looks at what it read, or only empties a
 * wake-up pipe is none.
 */
const ast_node *loop_drains(rule_cx *cx, const struct loop_shape *s);

/* The await or call in the loop that takes the next piece from outside: a connection, data, a
 * message; NULL: nothing outside drives the loop. */
const ast_node *loop_input(rule_cx *cx, const struct loop_shape *s);

#endif
