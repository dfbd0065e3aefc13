/* SPDX-License-Identifier: MIT */
/*
 * How does async C look to a parser that only knows C? Each word that awaitc adds becomes C of the
 * same length, so that every offset stays and the tree keeps a node for it:
 *
 *     async   aw_async          const          type_qualifier
 *     await   aw_await          +              unary_expression
 *     defer   aw_defer          if(1)          if_statement
 *     coroutine_fn, ...         const          what the configuration calls an async annotation
 *     AW_BLOCKS, AW_NOESCAPE    blanks
 *
 * Done by a lexer: comments, literals and directives stay, and so do the same words where they are
 * ordinary names (`x->async`, `int await = 0;`).
 */
#ifndef AWAITC_QUERY_QUERY_MASK_H
#define AWAITC_QUERY_QUERY_MASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/base/strview.h"
#include "analyzer/base/vec.h"

typedef VEC(uint32_t) offset_list;

struct masked_text {
    strview text;       /* as long as the source */
    offset_list awaits; /* where the awaits stand; ascending */
    offset_list asyncs; /* the words that make a function async; ascending */
};

/*
 * Masks `source` (at most UINT32_MAX bytes; any bytes at all) into `mem`.
 *
 * annotations  `count` more words that make a function async; borrowed for the call
 */
struct masked_text query_mask(arena *mem, strview source, const char *const *annotations,
                              size_t count);

/* Does the list hold an offset in [begin, end)? */
bool offset_list_meets(const offset_list *list, uint32_t begin, uint32_t end);

#endif
