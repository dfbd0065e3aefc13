/* SPDX-License-Identifier: MIT */
/*
 * Which warnings of the preprocessor run would be lost? Those about directives and macros inside a
 * region: the lowered text holds neither, so the compiler cannot give them again.
 */
#ifndef AWAITC_TOOL_MESSAGES_H
#define AWAITC_TOOL_MESSAGES_H

#include "analyzer/parse/expand.h"

/* The messages, whole with their quoted lines, that stand in regions of `unit` and will not be
 * given again; in `mem`. */
strview messages_of_regions(arena *mem, strview messages, const expanded *unit);

#endif
