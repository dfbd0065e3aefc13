/* SPDX-License-Identifier: MIT */
/*
 * Where is an async function used in its own source? For fixes that change the function and all of
 * its callers.
 */
#ifndef AWAITC_RULES_FUNCTION_USES_H
#define AWAITC_RULES_FUNCTION_USES_H

#include "rules/rule.h"

/* How a function of the unit is used. */
struct function_uses {
    const sema_symbol *symbol;
    bool in_form;  /* a form starts it: its type is needed */
    bool is_plain; /* a call without await, or a use that is no call */
    VEC(const ast_node *) awaits;
    VEC(struct sema_function *) owners; /* of awaits */
};

struct function_uses function_uses_of(rule_cx *cx, const sema_symbol *symbol);

/* Is the name written nowhere but at its definition and `uses` times else? A prototype, a macro or
 * a comment that names it would be missed by a fix. */
bool function_is_named_only(rule_cx *cx, strview name, size_t uses);

#endif
