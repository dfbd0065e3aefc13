/* SPDX-License-Identifier: MIT */
/*
 * Does an edge run through the title of a loop's frame? Graphviz puts titles into the corner and
 * leads edges in without a look at them.
 */
#ifndef AWAITC_DIAGRAM_SVG_TITLES_H
#define AWAITC_DIAGRAM_SVG_TITLES_H

#include "analyzer/base/arena.h"
#include "analyzer/base/strview.h"

/* The picture with each such title moved along its border to where no edge is, or cut, if that
 * helps. */
strview svg_clear_titles(arena *mem, strview svg);

#endif
