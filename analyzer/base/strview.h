/* SPDX-License-Identifier: MIT */
/*
 * How does the tool name a piece of text? By a borrowed pointer and a length; nothing here owns
 * or copies. The text need not end in NUL.
 */
#ifndef AWAITC_BASE_STRVIEW_H
#define AWAITC_BASE_STRVIEW_H

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct strview {
    const char *at;
    size_t len;
} strview;

/* For printf's "%.*s". */
#define SV_ARG(s) (int)(s).len, (s).at
/* A view of a string literal. */
#define SV(literal) ((strview){(literal), sizeof(literal) - 1})

static inline strview sv_from(const char *text)
{
    return (strview){text, strlen(text)};
}

static inline bool sv_equal(strview a, strview b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.at, b.at, a.len) == 0);
}

static inline bool sv_is(strview a, const char *text)
{
    return sv_equal(a, sv_from(text));
}

static inline bool sv_starts(strview a, const char *prefix)
{
    size_t n = strlen(prefix);
    return a.len >= n && memcmp(a.at, prefix, n) == 0;
}

static inline bool sv_ends(strview a, const char *suffix)
{
    size_t n = strlen(suffix);
    return a.len >= n && memcmp(a.at + a.len - n, suffix, n) == 0;
}

/* May the character stand in a name? Bytes of other alphabets may. */
static inline bool sv_is_word_char(char c)
{
    return c == '_' || c == '$' || isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

#endif
