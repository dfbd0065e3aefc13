/* SPDX-License-Identifier: MIT */
/*
 * How are findings shown? Each format is one file and one line in renderers.def. A renderer writes
 * a whole report to a stream; it neither sorts nor drops (finding_list_sort before), and the same
 * input gives the same bytes: no times, no addresses, no paths of the machine.
 *
 * Paths: those below `root` are shown relative to it, others as they are.
 */
#ifndef AWAITC_REPORT_RENDER_H
#define AWAITC_REPORT_RENDER_H

#include "analyzer/report/finding.h"
#include "analyzer/source/source_cache.h"

/* What a report says of a check itself. */
struct render_rule {
    const char *id;      /* "awaitc-blocking-call" */
    const char *summary; /* one line */
    /* Gives its page, in Markdown, in `mem`: only some formats ask; NULL: it has none. */
    const char *(*help)(arena *mem, const char *id);
    enum diag_severity severity;
};

/* A file that could not be checked, and the like. */
struct render_notice {
    struct diag_place place;
    const char *text;
};

/* All borrowed for the call; what is not known is 0 or NULL. */
struct render_context {
    arena *mem;            /* for what the renderer builds */
    source_cache *sources; /* for quoted lines */
    const char *root;    /* absolute, without a / at the end: the folder that relative paths are of;
                            NULL: paths stay as they are */
    const char *version; /* of the tool */
    const struct render_rule *rules; /* all checks that ran, with findings or not */
    size_t rule_count;
    const struct render_notice *notices;
    size_t notice_count;
    uint32_t file_count;       /* sources that were checked */
    uint32_t suppressed_count; /* findings that NOLINT comments silenced */
    uint32_t baseline_count;   /* findings that the baseline knows */
    bool colour;               /* in the text form */
};

struct renderer {
    const char *name; /* for --format */
    void (*write)(FILE *to, const finding_list *findings, const struct render_context *cx);
};

/* The renderer of this name, or NULL. */
const struct renderer *renderer_find(const char *name);

/* All names, joined by '|', for the help text. */
const char *renderer_names(arena *mem);

/* --- for renderers --- */

#define RENDERER(name)                                                                             \
    void render_##name(FILE *, const finding_list *, const struct render_context *);
#include "analyzer/report/renderers.def"
#undef RENDERER

/* The path as reports show it: below `root` relative to it, without "./" and "x/..". */
const char *render_path(const struct render_context *cx, const char *file);

/* The text as a valid UTF-8 C string. */
const char *render_utf8(const struct render_context *cx, const char *text);

/* Number of findings of one severity. */
size_t render_count(const finding_list *findings, enum diag_severity severity);

/* Column, counted in characters, of a column counted in bytes; 0 stays 0. */
uint32_t render_char_column(const struct render_context *cx, const struct diag_place *place,
                            uint32_t column);

#endif
