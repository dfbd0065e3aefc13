/* SPDX-License-Identifier: MIT */
/* The growing text of strbuf.h: capacity doubles, old arrays stay in the arena. */
#include "analyzer/base/strbuf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/base/check.h"

strbuf strbuf_in(arena *mem)
{
    return (strbuf){.mem = mem};
}

static void reserve(strbuf *b, size_t more)
{
    if (b->len + more + 1 <= b->capacity)
        return;
    size_t grown = b->capacity == 0 ? 128 : b->capacity * 2;
    if (grown < b->len + more + 1)
        grown = b->len + more + 1;
    char *moved = arena_alloc(b->mem, grown);
    if (b->len != 0)
        memcpy(moved, b->at, b->len);
    b->at = moved;
    b->capacity = grown;
}

void strbuf_add(strbuf *b, const char *text, size_t len)
{
    reserve(b, len);
    if (len != 0)
        memcpy(b->at + b->len, text, len);
    b->len += len;
    b->at[b->len] = '\0';
}

void strbuf_str(strbuf *b, const char *text)
{
    strbuf_add(b, text, strlen(text));
}

void strbuf_sv(strbuf *b, strview text)
{
    strbuf_add(b, text.at, text.len);
}

void strbuf_char(strbuf *b, char c)
{
    reserve(b, 1);
    b->at[b->len++] = c;
    b->at[b->len] = '\0';
}

void strbuf_number(strbuf *b, int64_t n)
{
    char digits[24];
    size_t at = sizeof digits;
    uint64_t rest = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
    do
        digits[--at] = (char)('0' + rest % 10);
    while ((rest /= 10) != 0);
    if (n < 0)
        digits[--at] = '-';
    strbuf_add(b, digits + at, sizeof digits - at);
}

void strbuf_fmt(strbuf *b, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    size_t room = b->capacity - b->len;
    int len = vsnprintf(room == 0 ? NULL : b->at + b->len, room, format, args);
    va_end(args);
    AWC_ASSERT(len >= 0);
    if ((size_t)len >= room) {
        reserve(b, (size_t)len);
        vsnprintf(b->at + b->len, (size_t)len + 1, format, again);
    }
    va_end(again);
    b->len += (size_t)len;
}

const char *strbuf_text(const strbuf *b)
{
    return b->at == NULL ? "" : b->at;
}

strview strbuf_view(const strbuf *b)
{
    return (strview){strbuf_text(b), b->len};
}
