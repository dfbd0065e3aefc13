/* SPDX-License-Identifier: MIT */
/*
 * Where do the functions stand that must be lowered? A region is the definition of an async
 * function, or of a plain function that uses a form. They are found by a lexer and a little
 * knowledge of external declarations, in the text as it was written (where macros and conditional
 * directives make the answer a guess that expand.c checks) or in expanded text (where it is exact).
 */
#ifndef AWAITC_PARSE_REGIONS_H
#define AWAITC_PARSE_REGIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/base/strview.h"
#include "analyzer/base/vec.h"
#include "analyzer/base/word_set.h"

enum region_words {
    REGION_WORDS_SOURCE, /* async, aw_async, await, spawn, aw_all, ..., and the given macros */
    REGION_WORDS_MARKERS /* __awaitc_async__ and the other names of awaitc's expansion mode */
};

struct region_options {
    enum region_words words;
    bool trigraphs;
    bool every_declaration; /* all external declarations, not only the functions wanted */
    /* REGION_WORDS_SOURCE: names of macros whose text holds such a word; those that the text itself
     * defines are added. May be NULL. */
    word_set *macros;
};

struct region_range {
    uint32_t begin, end; /* from the first token of the declaration to behind the brace */
    bool is_function;
    bool is_async;  /* async stands among the declaration specifiers */
    bool uses_form; /* another keyword, or a form, stands in the body */
};

struct region_list {
    struct region_range
        *at; /* ascending; in written text disjoint, and each holds whole #if groups */
    uint32_t count;
    bool complete; /* false: the text ends inside a declaration */
};

/* The ranges in `text`, in `mem`. Any bytes are survived. */
struct region_list regions_find(arena *mem, strview text, const struct region_options *options);

/* Is this one of awaitc's keywords or forms, with or without prefix? */
bool region_is_keyword(strview word);

/* Does the text hold such a word, or one of `macros` (may be NULL), outside comments and literals?
 * Macros that the text defines by such words are added to `macros`. */
bool regions_mention(arena *mem, strview text, word_set *macros);

#endif
