/* SPDX-License-Identifier: MIT */
/*
 * How is a way down to a waiting call told? One sentence at the top, one note a call, the same in
 * all checks that are about effects.
 */
#ifndef AWAITC_RULES_EFFECT_CHAIN_H
#define AWAITC_RULES_EFFECT_CHAIN_H

#include "analyzer/program/block_effects.h"

/* "waits for the network", "is declared AW_BLOCKS": what the leaf does, to follow its name. */
const char *effect_leaf_words(arena *mem, const struct effect *e);
/* The leaf's name. */
const char *effect_leaf_name(const struct effect *e);
/* "the event loop", "its worker, with every task on it": what is held up in this function. */
const char *effect_victim(const program_function *root);

/* Adds a note for each call below the one at which the finding stands, and sets its leaf. */
void effect_chain_notes(program *p, struct finding *f, const struct effect *e);

#endif
