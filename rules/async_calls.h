/* SPDX-License-Identifier: MIT */
/*
 * Which async calls and forms of a function does nobody wait for? A call is waited for if it is the
 * operand of an await, or a branch of a form. A form that waits needs an await of its own, unless
 * it is a branch itself. In plain code only aw_block_on and spawn can take an async call.
 */
#ifndef AWAITC_RULES_ASYNC_CALLS_H
#define AWAITC_RULES_ASYNC_CALLS_H

#include "rules/rule.h"

/* Calls `visit` for each; n is an AST_CALL or AST_FORM. */
void async_calls_unwaited(rule_cx *cx, void (*visit)(rule_cx *cx, const ast_node *n));

/* Is the function async by the keyword? */
bool async_is_keyword(const struct sema_function *fn);
/* Is it async at all, also by a mere annotation? */
bool async_is_any(const struct sema_function *fn);
/* The name of what a call calls, or its callee's text: for messages. */
const char *async_call_name(rule_cx *cx, const ast_node *call);
/* Is a call async by the keyword, not by a mere annotation? */
bool async_call_is_keyword(rule_cx *cx, const ast_node *call);

#endif
