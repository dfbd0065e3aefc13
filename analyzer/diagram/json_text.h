/* SPDX-License-Identifier: MIT */
/*
 * How does text become a JSON string? Quoted and escaped; bytes that are not UTF-8 become U+FFFD,
 * and '<' is escaped, so that the result may stand in a page's script.
 */
#ifndef AWAITC_DIAGRAM_JSON_TEXT_H
#define AWAITC_DIAGRAM_JSON_TEXT_H

#include <stdint.h>

#include "analyzer/base/strbuf.h"

void json_quote(strbuf *out, const char *text);
void json_quote_view(strbuf *out, strview text);

/* The length of the UTF-8 sequence at text[i], or 0 if it is none. */
uint32_t utf8_length(strview text, size_t i);

#endif
