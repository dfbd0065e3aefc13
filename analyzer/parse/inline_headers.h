/* SPDX-License-Identifier: MIT */
/*
 * What becomes of a header that defines async functions? Its text takes the place of the #include
 * line, since only the source's own text can be lowered; and so does each header on the way to it.
 */
#ifndef AWAITC_PARSE_INLINE_HEADERS_H
#define AWAITC_PARSE_INLINE_HEADERS_H

#include "analyzer/parse/include_search.h"

/*
 * The text of `path` in which every #include of one of `headers` (by include_plain_path) is
 * replaced by that header's text, between #line directives. Guards stay; `#pragma once` becomes
 * one; quoted names inside are rewritten so that they find the same files from here. Returns
 * `source` itself if nothing was replaced.
 */
strview inline_headers(include_search *search, const char *path, strview source,
                       const word_set *headers);

#endif
