/* SPDX-License-Identifier: MIT */
/*
 * How does source text get into an HTML page? Escaped, as valid UTF-8, without control characters,
 * with the place that is meant marked.
 */
#ifndef AWAITC_REPORT_HTML_CODE_H
#define AWAITC_REPORT_HTML_CODE_H

#include "analyzer/report/render.h"

/* Writes text for an element or a quoted attribute. */
void html_text(FILE *to, strview text);

/* Writes the line of a place, what is meant marked, with `around` lines above and below; nothing if
 * there is no such line. `end_column` as in a finding. */
void html_source(FILE *to, const struct render_context *cx, const struct diag_place *place,
                 uint32_t end_column, uint32_t around);

/* Writes what the first fix of a finding changes, as a diff with coloured lines. */
void html_fix(FILE *to, const struct render_context *cx, struct finding *f);

#endif
