/* SPDX-License-Identifier: MIT */
/*
 * Has this source been read before? A folder of facts files, one for each source, command and
 * configuration, each with the sizes and times of all files that it came from. An entry counts only
 * if none of them changed.
 *
 *     cache     FILE  BYTES  NANOSECONDS       one line a file
 *     awaitc-facts ...                         the facts (facts_io.h)
 */
#ifndef AWAITC_TOOL_LINT_CACHE_H
#define AWAITC_TOOL_LINT_CACHE_H

#include "analyzer/base/strbuf.h"
#include "analyzer/tool/lint_files.h"

/* What besides the files decides the facts: tool, configuration, options. */
struct lint_cache {
    const char *dir;
    uint64_t settings; /* a hash */
};

/* A hash to go on with; start with 0. */
uint64_t lint_cache_hash(uint64_t hash, const void *bytes, size_t len);

/* Says which build of the tool this is. */
const char *lint_cache_tool_stamp(arena *mem);

/* The facts of a file, or a view with at NULL. */
strview lint_cache_find(arena *mem, const struct lint_cache *cache, const struct lint_file *file);

/* Keeps facts; a cache that cannot be written is no error. `depends` are the files as shown. */
void lint_cache_keep(arena *mem, const struct lint_cache *cache, const struct lint_file *file,
                     const char *const *depends, size_t depend_count, strview facts);

#endif
