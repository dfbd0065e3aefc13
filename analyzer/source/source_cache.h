/* SPDX-License-Identifier: MIT */
/*
 * What stands on line 12 of this file? Each file is read once, whole, when it is first asked for;
 * its lines are found by a table. What cannot be read has no text and no lines.
 */
#ifndef AWAITC_SOURCE_SOURCE_CACHE_H
#define AWAITC_SOURCE_SOURCE_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/base/arena.h"
#include "analyzer/base/strview.h"

typedef struct source_cache source_cache;

/* An empty cache in `mem`; the texts that it gives live as long. Not for several threads. */
source_cache *source_cache_new(arena *mem);

/* All bytes of a regular file; false if it cannot be read. */
bool source_cache_text(source_cache *cache, const char *path, strview *text);

/* A line (1-based) without its end, be it LF or CR LF; false if there is none. */
bool source_cache_line(source_cache *cache, const char *path, uint32_t number, strview *line);

/* Number of lines; an unfinished last one counts. 0 if the file cannot be read. */
uint32_t source_cache_line_count(source_cache *cache, const char *path);

/* Where a line begins in the file's text, in bytes. `number` is 1 .. line count. */
size_t source_cache_line_start(source_cache *cache, const char *path, uint32_t number);

/* The line (1-based) in which the byte at `offset` stands; the last line for offsets behind. */
uint32_t source_cache_line_at(source_cache *cache, const char *path, size_t offset);

#endif
