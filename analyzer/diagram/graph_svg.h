/* SPDX-License-Identifier: MIT */
/*
 * How does DOT become a picture? Through Graphviz's library, loaded when it is first needed, so
 * that the compiler's wrapper does not pay for it. SVG uses its layout and output plug-ins only,
 * with the metrics built into it: the same bytes on every machine, whatever fonts it has. PNG and
 * PDF use what is installed.
 */
#ifndef AWAITC_DIAGRAM_GRAPH_SVG_H
#define AWAITC_DIAGRAM_GRAPH_SVG_H

#include <stdbool.h>

#include "analyzer/base/strbuf.h"

enum picture_format { PICTURE_SVG, PICTURE_PNG, PICTURE_PDF };

typedef struct picture_maker picture_maker;

/* Loads what the format needs; NULL with *failure (what is missing, and how to get it). */
picture_maker *picture_maker_new(arena *mem, enum picture_format format, const char **failure);

/* Lays out one DOT graph and renders it; false with *failure. An SVG is as Graphviz writes it:
 * svg_finish makes a document of it. */
bool picture_render(picture_maker *maker, const char *dot, strview *picture, const char **failure);

#endif
