/* SPDX-License-Identifier: MIT */
/*
 * How do a source's trees become facts? One walk over each function: its calls with their
 * arguments' values, what it stores, what it returns, whose address it takes; and over the static
 * initialisers, where tables of functions stand.
 */
#ifndef AWAITC_PROGRAM_COLLECT_H
#define AWAITC_PROGRAM_COLLECT_H

#include "analyzer/program/lint_settings.h"
#include "analyzer/program/unit_facts.h"
#include "analyzer/sema/sema.h"

/* The facts of a unit, without candidates. */
struct unit_facts *collect_facts(arena *mem, sema_unit *sema, const struct lint_settings *settings);

#endif
