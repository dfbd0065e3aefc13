/* SPDX-License-Identifier: MIT */
/*
 * What are the characters of a text whose bytes may be anything? Sources come in any encoding;
 * reports are UTF-8. A byte that is not part of well-formed UTF-8 counts as one character, U+FFFD.
 */
#ifndef AWAITC_BASE_UTF8_H
#define AWAITC_BASE_UTF8_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/base/arena.h"
#include "analyzer/base/strview.h"

/* Decodes the first character of a text that is not empty; returns how many bytes it takes. */
size_t utf8_next(strview text, uint32_t *code);

/* Columns of a terminal that the character takes: 0 (combining), 1, or 2 (East Asian, emoji). */
unsigned utf8_width_cols(uint32_t code);

/* How many characters the text has. */
size_t utf8_count(strview text);

bool utf8_is_valid(strview text);

/* The text itself if it is valid, otherwise a copy in `mem` with U+FFFD for each stray byte. */
strview utf8_clean(arena *mem, strview text);

#endif
