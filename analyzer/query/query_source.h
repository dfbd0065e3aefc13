/* SPDX-License-Identifier: MIT */
/*
 * What does tree-sitter see in one source? The tree of the masked text, its functions, and answers
 * about nodes that no pattern can give: does an await stand in it, is it in an async function, is a
 * lock held. Headers, flags and macros are not needed, and any bytes are survived.
 *
 * Only files of this folder know tree-sitter.
 */
#ifndef AWAITC_QUERY_QUERY_SOURCE_H
#define AWAITC_QUERY_QUERY_SOURCE_H

#include <tree_sitter/api.h>

#include "analyzer/query/query_macros.h"
#include "analyzer/query/query_mask.h"

struct source_function {
    TSNode node;
    uint32_t begin, end; /* the definition, specifiers included */
    strview name;        /* empty: not known */
    bool is_async;
};

struct query_source {
    arena *mem;
    const char *file;
    strview text; /* as written */
    struct masked_text masked;
    TSTree *tree;
    VEC(struct source_function) functions; /* ascending, disjoint */
    struct macro_table macros;             /* read when first asked for */
    bool macros_read;
};

enum query_source_status { QUERY_SOURCE_OK, QUERY_SOURCE_TOO_LARGE, QUERY_SOURCE_TOO_DEEP };

/* Deeper trees, and longer rows of mere tokens (in broken code), are refused: trying patterns on
 * them takes the square of it. */
enum { QUERY_DEEPEST = 3000 };

/* tree-sitter's description of C. */
const TSLanguage *tree_sitter_c(void);

/*
 * Masks and parses a source. `s` has its mem, file, text and masked text; text and file are
 * borrowed as long as the source is used. On any status but OK there is nothing to close.
 */
enum query_source_status query_source_parse(struct query_source *s);
void query_source_close(struct query_source *s);

/* The text of a node as it was written. */
strview query_node_text(const struct query_source *s, TSNode node);

/* The function that a node stands in, or NULL. */
const struct source_function *query_function_of(const struct query_source *s, TSNode node);

typedef VEC(TSNode) node_list;

/* The nodes around a node, outermost first, from its function (or the file) to its parent. */
node_list query_ancestors(arena *mem, const struct query_source *s, TSNode node);

bool query_has_await(const struct query_source *s, TSNode node);

/* Is the node an argument of a call of one of these functions, parentheses and the left side of an
 * assignment put aside: aw_blocking(x = (NODE))? */
bool query_is_argument_of(arena *mem, const struct query_source *s, TSNode node,
                          const strview *names, size_t count);

/* Is it the only thing in the node around it, comments aside? */
bool query_is_only_child(arena *mem, const struct query_source *s, TSNode node);

/*
 * Does a call statement `acquire(...)` stand before the node in a block around it, with no call of
 * `release` between? Both name functions.
 */
bool query_is_held(arena *mem, const struct query_source *s, TSNode node, strview acquire,
                   strview release);

/* What the macro that `call` uses, if it is one, does with an argument in which an await stands:
 * the worst for any argument. */
enum macro_fate query_await_fate(struct query_source *s, TSNode call);

#endif
