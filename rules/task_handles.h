/* SPDX-License-Identifier: MIT */
/*
 * Which handles of tasks does a function lose? A handle that spawn gives and a local keeps must be
 * joined, detached, or handed on: as an argument, a result, into other memory. Asking for it
 * (`if (t)`), cancelling it, or a cast to void does none of that.
 */
#ifndef AWAITC_RULES_TASK_HANDLES_H
#define AWAITC_RULES_TASK_HANDLES_H

#include "rules/rule.h"

/*
 * Calls `visit` for each spawn of cx->fn whose handle is lost.
 *
 * name            of the local that keeps it
 * is_overwritten  it is lost because the local is given another one
 */
void task_handles_lost(rule_cx *cx, void (*visit)(rule_cx *cx, const ast_node *spawn,
                                                  const char *name, bool is_overwritten));

#endif
