/* SPDX-License-Identifier: MIT */
/*
 * How does the tool build text? A growing buffer in an arena that is always NUL-terminated.
 */
#ifndef AWAITC_BASE_STRBUF_H
#define AWAITC_BASE_STRBUF_H

#include <stdint.h>

#include "analyzer/base/arena.h"
#include "analyzer/base/strview.h"

typedef struct strbuf {
    arena *mem;
    char *at; /* NULL only while nothing was appended */
    size_t len;
    size_t capacity;
} strbuf;

/* An empty buffer whose text lives in `mem`. */
strbuf strbuf_in(arena *mem);

void strbuf_add(strbuf *b, const char *text, size_t len);
void strbuf_str(strbuf *b, const char *text);
void strbuf_sv(strbuf *b, strview text);
void strbuf_char(strbuf *b, char c);
/* In decimal. */
void strbuf_number(strbuf *b, int64_t n);
void strbuf_fmt(strbuf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The text so far; never NULL, valid until the next append. */
const char *strbuf_text(const strbuf *b);

/* The text so far as a view, valid until the next append. */
strview strbuf_view(const strbuf *b);

#endif
