/* SPDX-License-Identifier: MIT */
/*
 * What does a call do with a pointer or descriptor that it is given: release it, keep it, or only
 * use it? Known from the tables, from the body if the unit has it, and else from types and names.
 */
#ifndef AWAITC_RULES_VALUE_FATE_H
#define AWAITC_RULES_VALUE_FATE_H

#include "rules/lvalue_path.h"

enum value_fate {
    FATE_USED,    /* the caller has it as before */
    FATE_KEPT,    /* somebody else has it now, or may have */
    FATE_RELEASED /* it is gone */
};

/* What becomes of argument i. `is_sure`, if not NULL: by a table or a body, not by a name. */
enum value_fate value_fate_of(const fn_view *v, const ast_node *call, uint32_t i, bool *is_sure);

/* A place that outlives a function, in which it stores its parameter. */
struct kept_param {
    uint32_t param;
    const char *place; /* path, in terms of the callee: "$0^.head", "queue" */
};

/* Where the function of a call stores its parameters; empty if the unit has no body of it. */
typedef VEC(struct kept_param) kept_param_list;
kept_param_list kept_params_of(const fn_view *v, const ast_node *call);

/* The body of a call's function, as a view; NULL: the unit has none, or it is v's own. */
const fn_view *view_of_callee(const fn_view *v, const ast_node *call);

#endif
