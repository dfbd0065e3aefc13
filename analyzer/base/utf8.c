/* SPDX-License-Identifier: MIT */
/*
 * Well-formed is what RFC 3629 says: shortest forms only, no surrogates, nothing above U+10FFFF.
 */
#include "analyzer/base/utf8.h"

#include "analyzer/base/check.h"
#include "analyzer/base/strbuf.h"

enum { REPLACEMENT = 0xfffd };

/* Number of bytes that a first byte announces, and the smallest code that needs so many. */
static size_t announced(unsigned char first, uint32_t *least)
{
    if (first < 0x80) {
        *least = 0;
        return 1;
    }
    if (first >= 0xc2 && first < 0xe0) {
        *least = 0x80;
        return 2;
    }
    if (first >= 0xe0 && first < 0xf0) {
        *least = 0x800;
        return 3;
    }
    *least = 0x10000;
    return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

size_t utf8_next(strview text, uint32_t *code)
{
    static const unsigned char payload[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    unsigned char first = (unsigned char)text.at[0];
    uint32_t least;
    size_t len = announced(first, &least);
    *code = REPLACEMENT;
    if (len == 0 || len > text.len)
        return 1;
    uint32_t value = first & payload[len];
    for (size_t i = 1; i < len; i++) {
        unsigned char c = (unsigned char)text.at[i];
        if ((c & 0xc0) != 0x80)
            return 1;
        value = value << 6 | (c & 0x3f);
    }
    if (value < least || value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
        return 1;
    *code = value;
    return len;
}

static const struct range {
    uint32_t first, last;
    unsigned cols;
} ranges[] = {
    {0x300, 0x36f, 0},     {0x200b, 0x200f, 0}, {0x20d0, 0x20ff, 0},   {0xfe00, 0xfe0f, 0},
    {0xfe20, 0xfe2f, 0},   {0xfeff, 0xfeff, 0}, {0x1100, 0x115f, 2},   {0x2e80, 0x303e, 2},
    {0x3041, 0xa4cf, 2},   {0xac00, 0xd7a3, 2}, {0xf900, 0xfaff, 2},   {0xfe30, 0xfe6f, 2},
    {0xff00, 0xff60, 2},   {0xffe0, 0xffe6, 2}, {0x1f300, 0x1f64f, 2}, {0x1f900, 0x1f9ff, 2},
    {0x20000, 0x3fffd, 2},
};

unsigned utf8_width_cols(uint32_t code)
{
    for (size_t i = 0; code >= 0x300 && i < COUNTOF(ranges); i++) {
        if (code >= ranges[i].first && code <= ranges[i].last)
            return ranges[i].cols;
    }
    return 1;
}

size_t utf8_count(strview text)
{
    size_t count = 0;
    while (text.len > 0) {
        uint32_t code;
        size_t n = utf8_next(text, &code);
        text = (strview){text.at + n, text.len - n};
        count++;
    }
    return count;
}

/* A stray byte gives U+FFFD in one byte, the character U+FFFD itself takes three. */
static bool is_stray(uint32_t code, size_t len)
{
    return code == REPLACEMENT && len == 1;
}

bool utf8_is_valid(strview text)
{
    while (text.len > 0) {
        uint32_t code;
        size_t n = utf8_next(text, &code);
        if (is_stray(code, n))
            return false;
        text = (strview){text.at + n, text.len - n};
    }
    return true;
}

strview utf8_clean(arena *mem, strview text)
{
    if (utf8_is_valid(text))
        return text;
    strbuf clean = strbuf_in(mem);
    while (text.len > 0) {
        uint32_t code;
        size_t n = utf8_next(text, &code);
        if (is_stray(code, n))
            strbuf_str(&clean, "\xef\xbf\xbd");
        else
            strbuf_add(&clean, text.at, n);
        text = (strview){text.at + n, text.len - n};
    }
    return strbuf_view(&clean);
}
