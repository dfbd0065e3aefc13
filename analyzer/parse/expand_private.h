/* SPDX-License-Identifier: MIT */
/*
 * What do the files of expand share? A fence: a range of the original text that goes through the
 * preprocessor, with all that came out of it.
 */
#ifndef AWAITC_PARSE_EXPAND_PRIVATE_H
#define AWAITC_PARSE_EXPAND_PRIVATE_H

#include "analyzer/base/strbuf.h"
#include "analyzer/parse/cpp_output.h"
#include "analyzer/parse/expand.h"
#include "analyzer/parse/raw_lex.h"
#include "analyzer/parse/regions.h"

/* From this offset on lines count up from file:line. */
struct line_anchor {
    uint32_t offset;
    const char *file;
    uint32_t line;
};

typedef VEC(struct line_anchor) line_anchors;
typedef VEC(uint32_t) line_ends; /* the offset of each line end of a text */

/* The expanded text of one fence, cleaned: no markers, no definitions. */
struct clean_text {
    strview text;         /* ends in a line end */
    line_anchors anchors; /* the first one at offset 0 */
    strview restated;     /* #define and #undef lines of the fence, to be repeated behind it */
};

struct fence {
    uint32_t begin, end; /* of the original */
    bool known_place;    /* begin_at and end_at are from an earlier run */
    struct diag_place begin_at, end_at;
    word_set protect; /* macros that stay unexpanded here */
    word_set needed;  /* macros that those need; no guards for them */
    struct clean_text clean;
    struct region_list functions; /* in clean.text */
    uint32_t counter_uses;        /* of __COUNTER__ */
    bool kept;                    /* holds a function to lower */
    uint32_t cpp_begin;           /* offset in the preprocessor's output, for "defined before" */
    uint32_t first_region;
};

typedef VEC(struct fence) fence_list;

struct expand_impl {
    arena *mem;
    struct expand_request request;
    strview text; /* the original, headers inlined */
    fence_list fences;
    struct cpp_output *cpp;
    word_set inlined;     /* paths of headers */
    line_anchors anchors; /* of the buffer */
    line_ends buffer_ends, text_ends;
};

/* ---- expand_lines.c */

/* Cleans the output between begin and end of a fence. */
struct clean_text expand_clean(arena *mem, const struct cpp_output *cpp,
                               const struct cpp_fence *fence);
/* Puts the original's comments back into the fence's clean text. */
void expand_restore_comments(arena *mem, strview original, struct fence *fence, bool trigraphs);
/* Writes `#line N "file"` and a line end. */
void expand_line_directive(strbuf *out, struct diag_place place);
/* File and line of an offset; anchors must not be empty. */
struct diag_place expand_anchor_place(const line_anchors *anchors, const char *text,
                                      uint32_t offset);
/* Adds anchors for the #line directives that `text` holds; it stands at `base` of the whole. */
void expand_note_lines(arena *mem, line_anchors *anchors, strview text, uint32_t base,
                       const char *file);

/* ---- expand_guard.c */

/* Finds the macros of compiler-private headers that the fence's original uses, directly or through
 * other macros, and adds them to fence->protect; true if there are new ones. */
bool expand_find_protected(struct expand_impl *impl, struct fence *fence, bool *counter);
/* Collects the words of `text` that are macros here and must not be expanded again. */
word_set expand_guarded(const struct expand_impl *impl, const struct fence *fence, strview text);
/* push_macro and undef for each, and pop_macro. */
void expand_guard_push(strbuf *out, const word_set *names);
void expand_guard_pop(strbuf *out, const word_set *names);

/* ---- expand_place.c */

/* Notes where the lines of the buffer and of the original end; expand_place needs it. */
void expand_index_lines(struct expand_impl *impl, strview buffer);
/* The spelling under which a marker stands in the source, without its prefix. */
strview expand_source_word(strview word);

/* ---- expand_stray.c */

/* Reports awaits and forms of the source that stand in no function. */
void expand_find_strays(const struct expand_impl *impl, diag_sink *sink);

/* ---- expand_compose.c */

/* Makes the buffer and the regions. */
void expand_compose(struct expand_impl *impl, expanded *out);

#endif
