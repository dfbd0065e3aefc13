/* SPDX-License-Identifier: MIT */
/*
 * What becomes of a struct, union or enum that the parameter list of an async function defines?
 * The frame and the entry need the type, and stand in front of the function: so the definition
 * moves there, and the parameter names it.
 *
 *     async int f(struct pair { int a, b; } *p)      struct pair { int a, b; };
 *                                                    async int f(struct pair *p)
 *
 * A name that the rest of the unit uses, too, becomes `f__in_pair` in all of the function.
 */
#ifndef AWAITC_TRANSFORMS_PARAMETER_TYPES_H
#define AWAITC_TRANSFORMS_PARAMETER_TYPES_H

#include "transforms/lowering.h"

/* Does the parameter list define the type that this parameter has, is made of or points to? */
bool parameter_type_is_defined(const lowering *l, const ast_decl *param);

/* Rewrites the unit so that no async function's parameter list defines a type; false: none does.
 * Takes parsed and checked functions. */
bool parameter_types_rewrite(struct unit *u);

#endif
