/* SPDX-License-Identifier: MIT */
/*
 * What does a macro do with its arguments: evaluate each once, drop it, or repeat it? Read from the
 * #define lines of the file itself; of a few macros that everybody includes it is known. A macro
 * that is defined several times (with and without NDEBUG, say) does what any definition does.
 */
#ifndef AWAITC_QUERY_QUERY_MACROS_H
#define AWAITC_QUERY_QUERY_MACROS_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/base/strview.h"
#include "analyzer/base/vec.h"

enum macro_fate {
    MACRO_KEEPS,  /* once, or nothing is known of the name */
    MACRO_DROPS,  /* in some definition the argument is not evaluated */
    MACRO_REPEATS /* it is evaluated more than once */
};

/* A function-like macro. */
struct macro {
    strview name;
    VEC(strview) parameters; /* the last may be "__VA_ARGS__", or GNU's named one */
    bool variadic;
    strview body;
};

struct macro_table {
    VEC(struct macro) all;
};

/* The function-like macros that `text` defines; their texts are borrowed from it. */
struct macro_table macro_table_read(arena *mem, strview text);

/* What happens to argument `index` (from 0) of a use of `name`. */
enum macro_fate macro_argument_fate(arena *mem, const struct macro_table *table, strview name,
                                    uint32_t index);

#endif
