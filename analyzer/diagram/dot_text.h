/* SPDX-License-Identifier: MIT */
/*
 * What do the pictures have in common? The palette, the type sizes, and how text gets into DOT.
 * Every colour says what a word or a line style says, too; svg_finish.c maps them to a dark
 * palette by their values, so a colour is used for one thing only.
 */
#ifndef AWAITC_DIAGRAM_DOT_TEXT_H
#define AWAITC_DIAGRAM_DOT_TEXT_H

#include "analyzer/diagram/graph_set.h"

#define DOT_INK    "#1d2433"
#define DOT_MUTED  "#667085"
#define DOT_RULE   "#d0d5dd"
#define DOT_PAPER  "#fffffe"
#define DOT_SHADE  "#f2f4f7"
#define DOT_WARN   "#b42318"
#define DOT_WARNBG "#fee4e2"
#define DOT_ADDED  "#067647"
#define DOT_BAR    "#2e6bd6"
#define DOT_RUN    "#6941c6"

#define DOT_MONO "Courier"
#define DOT_SANS "Helvetica"

/* Text inside an HTML-like label: markup escaped, line breaks as <BR/>, no control characters. */
void dot_html(strbuf *out, const char *text);
void dot_html_view(strbuf *out, strview text);
/* A quoted DOT string. */
void dot_quoted(strbuf *out, const char *text);
/* The fill of a state's head, by what it waits for. */
const char *dot_kind_colour(const char *what);
/* "4,096": digits in groups. */
const char *dot_bytes(arena *mem, uint64_t bytes);
/* Breaks text into lines of at most `width` characters, after commas, else at blanks;
 * at most `lines`, with an ellipsis. */
const char *dot_wrap(arena *mem, const char *text, size_t width, uint32_t lines);
/* Opens a digraph with the defaults that all pictures share. */
void dot_begin(strbuf *out, const char *name, const char *more);

/* The bodies of the views. */
void dot_states(const graph_set *set, const state_graph *g, uint32_t index, strbuf *out);
void dot_frame(const graph_set *set, const state_graph *g, uint32_t index, strbuf *out);
void dot_calls(const graph_set *set, strbuf *out);

#endif
