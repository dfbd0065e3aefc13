/* SPDX-License-Identifier: MIT */
/*
 * Who runs the checks? The engine: over one source, and over a whole program.
 */
#ifndef AWAITC_RULES_RULE_ENGINE_H
#define AWAITC_RULES_RULE_ENGINE_H

#include "rules/rule.h"

/*
 * Runs the checks that look at one source, and adds their candidates to `facts`.
 *
 * enabled  [rules]: which checks run; NULL: all. Checks that are off by configuration may run, if
 *          the facts are to serve several configurations.
 */
void rules_run_unit(arena *mem, sema_unit *sema, const struct lint_settings *settings,
                    const bool *enabled, struct unit_facts *facts);

/* Runs the checks that look at the whole program; their findings go to the program's list. */
void rules_run_program(struct program *p, const bool *enabled);

#endif
