/* SPDX-License-Identifier: MIT */
/*
 * Does a loop end early because something failed, or because something was found? A condition is
 * read by its pattern, and by what is returned behind it:
 *
 *     if (rc < 0) return rc;          failure       if (await try(i) == 0) break;    success
 *     if (!p) return NULL;            failure       if (found) return i;             success
 *     if (rc) return rc;              failure       if (n >= wanted) break;          success
 */
#ifndef AWAITC_RULES_EXIT_KIND_H
#define AWAITC_RULES_EXIT_KIND_H

#include "rules/rule.h"

/*
 * Does control leave by failure where the condition is `when`?
 *
 * jump  AST_BREAK, AST_RETURN, AST_GOTO that is taken then; NULL: the loop's own condition ends it.
 *
 * False wherever it cannot be told.
 */
bool exit_is_failure(rule_cx *cx, const ast_node *condition, bool when, const ast_node *jump);

#endif
