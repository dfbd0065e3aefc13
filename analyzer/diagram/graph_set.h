/* SPDX-License-Identifier: MIT */
/*
 * What is drawn, and how? All graphs of one run of the tool with the options that concern looks;
 * each renderer turns it into one text.
 *
 *     machines --> state graphs, await graph --> dot --> svg, png, pdf
 *                                            `-> mermaid, json, text, html
 */
#ifndef AWAITC_DIAGRAM_GRAPH_SET_H
#define AWAITC_DIAGRAM_GRAPH_SET_H

#include "analyzer/base/strbuf.h"
#include "analyzer/diagram/await_graph.h"
#include "analyzer/diagram/state_graph.h"

enum graph_view { VIEW_STATES, VIEW_CALLS, VIEW_FRAME };

typedef struct graph_set {
    arena *mem;
    source_table *sources;
    state_graph **functions; /* async ones, in source order */
    uint32_t function_count;
    await_graph *calls;
    enum graph_view view;
    bool show_cancel;          /* cancel edges with their clean-ups */
    bool show_ready;           /* the two ways through an await apart: ready at once, suspended */
    bool show_locals;          /* what each state keeps */
    bool is_diff;              /* changes are marked */
    VEC(const char *) removed; /* --diff: functions that are gone */
    uint32_t dots_per_inch;    /* of pixels; 0: the default */
    uint32_t first_state, last_state; /* only these of each function; 0: all */
} graph_set;

/* Above this many states a picture is a summary: neighbouring states fold into one node. */
enum { GRAPH_DETAIL_STATES = 80 };

void graph_json(const graph_set *set, strbuf *out);
void graph_text(const graph_set *set, strbuf *out);
void graph_mermaid(const graph_set *set, strbuf *out);
void graph_dot(const graph_set *set, strbuf *out);

#endif
