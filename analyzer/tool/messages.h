/* SPDX-License-Identifier: MIT */
/*
 * Which messages are shown? Of the preprocessor run, the warnings about directives and macros
 * inside a region: lowered text holds neither, so a compiler cannot give them again. Of the tool's
 * own, all but those that the compiler has given already.
 */
#ifndef AWAITC_TOOL_MESSAGES_H
#define AWAITC_TOOL_MESSAGES_H

#include "analyzer/parse/expand.h"

/* The messages, whole with their quoted lines, that stand in regions of `unit` and will not be
 * given again; in `mem`. */
strview messages_of_regions(arena *mem, strview messages, const expanded *unit);

/* The tool's own messages without those of one id ("awaitc-parse"), their notes included. */
strview messages_without(arena *mem, strview messages, const char *id);

#endif
