/* SPDX-License-Identifier: MIT */
/*
 * What becomes of an array whose size is computed, when an await comes while it is in scope? Its
 * storage must outlive the C stack, and no state may be entered in the scope of such a type: so
 * before anything is lowered, it becomes memory of its own, freed by a clean-up, and its type is
 * written where it is used, with sizes that were kept when it was declared:
 *
 *     int a[n][m];                   __typeof__(sizeof 0) aw__n1_a_7 = (n), aw__n2_a_7 = (m);
 *                                    void *aw__v_a_7 __attribute__((cleanup(aw_array_free))) = 0;
 *                                    aw__v_a_7 = await aw_array_new(sizeof(int [..][..]), ...);
 *     a[i][0] = sizeof a;            (*(int (*)[aw__n1_a_7][aw__n2_a_7])aw__v_a_7)[i][0] = sizeof
 * ...;
 *
 * Pointers to such arrays become `void *`, cast where they are used; typedefs of such types are
 * written out; parameters keep their name, and are `void *` in all that is generated (as each such
 * pointer's entry of the type table says). Declarations that no await can see stay as they are.
 */
#ifndef AWAITC_TRANSFORMS_VARIABLE_ARRAYS_H
#define AWAITC_TRANSFORMS_VARIABLE_ARRAYS_H

#include "transforms/lowering.h"

/* Reports a declaration that would have to be rewritten and cannot be: its type is not spelled out.
 */
void variable_array_check(lowering *l, const ast_decl *d);

/* What the user calls a local that the rewriting made: "line", "line (storage)", "line (a size)";
 * any other name as it is. For diagrams. */
const char *variable_array_shown(arena *mem, strview made);

/* Rewrites the unit so that no type of variable size is in scope at an await; false: it has none
 * such. Takes parsed and checked functions. */
bool variable_arrays_rewrite(struct unit *u);

#endif
