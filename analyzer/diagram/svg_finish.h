/* SPDX-License-Identifier: MIT */
/*
 * What turns Graphviz's SVG into a document of its own? A title and a description for those who
 * listen, fonts that every system has, a style sheet that follows the reader's light or dark
 * scheme, and nothing that names a version or a machine.
 */
#ifndef AWAITC_DIAGRAM_SVG_FINISH_H
#define AWAITC_DIAGRAM_SVG_FINISH_H

#include <stdint.h>

#include "analyzer/base/strbuf.h"

struct svg_size {
    uint32_t width, height;
};

/* The size that the opening tag says. */
struct svg_size svg_size_of(strview svg);

/* Opens a stand-alone document with its style sheet; "</svg>" closes it. */
void svg_begin(strbuf *out, struct svg_size size, const char *title, const char *description);

/* One picture in it. */
void svg_nested(strbuf *out, strview svg, uint32_t y);

/* The <svg> element alone, for a page that has the style sheet. */
void svg_inline(strbuf *out, strview svg, const char *title);

/* The style sheet: rules for pictures; `root`: what the variables are set on. */
void svg_style(strbuf *out, const char *root);

#endif
