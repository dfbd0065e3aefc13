/* SPDX-License-Identifier: MIT */
/*
 * Are the rounds of a loop independent, so that they could wait all at once? A round must work on
 * something of its own (an element, a list's node, a number), need nothing that another round's
 * await gave, and not decide whether there is a next one, except by failing.
 */
#ifndef AWAITC_RULES_LOOP_AWAITS_H
#define AWAITC_RULES_LOOP_AWAITS_H

#include "rules/await_sites.h"

/* The first await of a loop (AST_FOR, AST_WHILE, AST_DO of cx->fn) whose rounds are independent;
 * NULL: they are not, or the loop awaits nothing, or an inner loop does. */
const struct await_site *loop_awaits_site(rule_cx *cx, const ast_node *loop);

#endif
