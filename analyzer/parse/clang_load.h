/* SPDX-License-Identifier: MIT */
/*
 * How does the tool get at libclang? By name, at run time: a unit without async never pays for
 * loading it, and the tool starts without it. The functions are members of one struct, spelled as
 * in libclang without the prefix: api->getCursorKind(c).
 */
#ifndef AWAITC_PARSE_CLANG_LOAD_H
#define AWAITC_PARSE_CLANG_LOAD_H

#include <clang-c/Index.h>

#include "analyzer/base/arena.h"

struct clang_api {
#define CLANG_FUNCTION(name) __typeof__(clang_##name) *name;
#include "analyzer/parse/clang_api.def"
#undef CLANG_FUNCTION
    const char *resource_dir; /* of the compiler's own headers (stddef.h); NULL: not found */
};

/*
 * Loads libclang: the file that the environment variable AWAITC_LIBCLANG names, else the first
 * that is found by its usual names. It stays loaded. NULL with a message in *failure.
 */
const struct clang_api *clang_load(arena *mem, const char **failure);

#endif
