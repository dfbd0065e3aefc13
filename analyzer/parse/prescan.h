/* SPDX-License-Identifier: MIT */
/*
 * Can this source go straight to the compiler? It can unless it reaches <awaitc.h>, and it or a
 * header that it reaches (awaitc's own excepted) names a keyword or a form, or one of the async
 * functions of awaitc's own headers (a call of it without await must not pass). The answer is never
 * wrong in that direction; conditions are not evaluated, so a source may be looked at closer that
 * need not be.
 */
#ifndef AWAITC_PARSE_PRESCAN_H
#define AWAITC_PARSE_PRESCAN_H

#include "analyzer/parse/include_search.h"

struct prescan {
    bool reaches_keywords;           /* awaitc.h is, or may be, included */
    bool names_async;                /* and something names a keyword, a form or a leaf */
    bool names_leaf;                 /* no keyword and no form, but an async function of awaitc's */
    bool unresolved;                 /* an #include found no file, or its name could not be told */
    bool names_base_file;            /* __BASE_FILE__ occurs */
    word_set macros;                 /* names of macros whose text holds such a word */
    VEC(const char *) async_headers; /* those that define async functions, or seem to */
    VEC(const char *) headers;       /* all that were reached, as the compiler spells them */
    /* A header asks for "x.h", which is not beside it but beside the source, where the compiler
     * would not look: so -iquote for the source's directory would change what is found. */
    bool quotes_clash;
};

/* Scans `source`, which is the text of `path`; `search` keeps the texts of the headers. */
struct prescan prescan_unit(include_search *search, const char *path, strview source);

#endif
