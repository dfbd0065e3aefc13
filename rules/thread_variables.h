/* SPDX-License-Identifier: MIT */
/*
 * What a function puts into a thread's variable before an await, does it read it behind one, as if
 * the variable were the task's? For awaitc-thread-local-across-await.
 */
#ifndef AWAITC_RULES_THREAD_VARIABLES_H
#define AWAITC_RULES_THREAD_VARIABLES_H

#include "rules/lvalue_path.h"

/* Is the expression the name of a variable of the thread? */
bool is_thread_variable(const fn_view *v, const ast_node *n);

/* Reports reads at which a variable may hold what another thread put there. Returns the names of
 * the variables that were reported. */
typedef VEC(strview) thread_variable_names;
thread_variable_names thread_variables_check(const fn_view *v);

#endif
