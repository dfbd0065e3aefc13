/* SPDX-License-Identifier: MIT */
/*
 * How does a source become text that can be parsed and edited? One run of the target's own
 * preprocessor over a copy in which every region is fenced by pragmas; the expanded regions are cut
 * out and put in place of the original ones ("half-expanded"): headers stay headers, and inside a
 * region there are no macros any more (but protected ones).
 *
 *     original:  #include <x.h>   async int f(int a) { return MAX(a, await g(a)); }   int h;
 *     buffer:    #include <x.h>   guards  __awaitc_async__ int f(int a) { ... }  guards   int h;
 *     output:    #include <x.h>   guards  what the lowering made of it           guards   int h;
 */
#ifndef AWAITC_PARSE_EXPAND_H
#define AWAITC_PARSE_EXPAND_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/base/strview.h"
#include "analyzer/base/vec.h"
#include "analyzer/base/word_set.h"
#include "analyzer/diag/diag.h"
#include "analyzer/parse/include_search.h"

/* One async function, or one plain function that uses a form. Several functions made by one macro
 * call are one region each, too (they share an original range: the first has it, the rest are
 * empty). */
struct region {
    uint32_t original_begin, original_end;
    uint32_t buffer_begin, buffer_end; /* the function's text in the buffer */
};

typedef struct expanded {
    const char *path;       /* as the user named it */
    strview original;       /* headers with async definitions already inlined */
    strview buffer;         /* half-expanded, NUL-terminated */
    struct region *regions; /* ascending */
    uint32_t region_count;
    void *impl; /* line tables and guards, private to expand.c */
} expanded;

/* Whose header is this? Answered by who runs the preprocessor, and knows its directories. */
enum header_owner { HEADER_PLAIN, HEADER_OF_COMPILER, HEADER_OF_AWAITC };

struct expand_request {
    const char *path;       /* as #line shall name it; outlives the result */
    strview source;         /* outlives the result */
    bool trigraphs;         /* the language has them */
    bool line_directives;   /* for expand_splice; the buffer always has them */
    include_search *search; /* for headers that must be inlined */
    word_set *macros;       /* names of macros that hold keywords, from the pre-scan; may be NULL */
    const char *const *async_headers; /* headers known to define async functions */
    uint32_t async_header_count;
    bool names_leaf; /* an async function of awaitc's headers is named: never EXPAND_PLAIN */
    void *context;   /* passed to the two below */
    /* Runs `CC -E -dD -D__AWAITC_EXPAND__` with the user's flags on this text; false if it failed,
     * after its messages were shown. */
    bool (*preprocess)(void *context, strview text, strview *output);
    enum header_owner (*owner)(void *context, const char *header_path);
};

enum expand_status {
    EXPAND_DONE,  /* *out is set; it may have no regions, but async declarations */
    EXPAND_PLAIN, /* nothing is async after all: the source can be compiled as it stands */
    EXPAND_FAILED /* reported, to the sink or by the preprocessor */
};

/* Expands the regions of a source. *out and all that it refers to is in `mem`. */
enum expand_status expand_unit(arena *mem, const struct expand_request *request, diag_sink *sink,
                               expanded *out);

/* Where a byte of the buffer comes from (after #line and line markers, as the compiler would say).
 */
struct diag_place expand_place(const expanded *unit, uint32_t buffer_offset);
/* The same without the column, which costs more than the rest. */
struct diag_place expand_line(const expanded *unit, uint32_t buffer_offset);

/* Does this line of a file belong to a region? */
bool expand_covers(const expanded *unit, strview file, uint32_t line);

/*
 * The final text: `prelude` first, then the original with every region replaced by texts[i] (and
 * its guards), with #line directives so that everything else keeps its place.
 */
strview expand_splice(const expanded *unit, arena *mem, strview prelude, const strview *texts);

#endif
