/* SPDX-License-Identifier: MIT */
/*
 * What may others know of a lowered function? Everything that analyzer/ir/machine.h lists, read
 * off the passes' results after the function's text was emitted.
 */
#ifndef AWAITC_TRANSFORMS_STATE_EXPORT_H
#define AWAITC_TRANSFORMS_STATE_EXPORT_H

#include "analyzer/ir/machine.h"
#include "transforms/lowering.h"

/* Sets l->machine; `l` has been emitted, and so have those whose frames it contains. */
void state_export(lowering *l);

/* The machines of a unit, in the order of its regions. */
machine_list state_export_list(const struct unit *u);

#endif
