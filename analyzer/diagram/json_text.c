/* SPDX-License-Identifier: MIT */
/*
 * Byte by byte; sequences of UTF-8 are copied whole.
 */
#include "analyzer/diagram/json_text.h"

uint32_t utf8_length(strview text, size_t i)
{
    unsigned char c = (unsigned char)text.at[i];
    uint32_t len = c < 0x80 ? 1 : c >= 0xf0 && c < 0xf5 ? 4 : c >= 0xe0 ? 3 : c >= 0xc2 ? 2 : 0;
    if (c >= 0xf5 || len == 0 || len > text.len - i)
        return 0;
    for (uint32_t k = 1; k < len; k++) {
        if (((unsigned char)text.at[i + k] & 0xc0) != 0x80)
            return 0;
    }
    return len;
}

static void json_char(strbuf *out, char c)
{
    switch (c) {
    case '"':
    case '\\':
        strbuf_fmt(out, "\\%c", c);
        return;
    case '\n':
        strbuf_str(out, "\\n");
        return;
    case '\t':
        strbuf_str(out, "\\t");
        return;
    default:
        break;
    }
    if ((unsigned char)c < 0x20 || c == '<' || c == 0x7f)
        strbuf_fmt(out, "\\u%04x", (unsigned)(unsigned char)c);
    else
        strbuf_char(out, c);
}

void json_quote_view(strbuf *out, strview text)
{
    strbuf_char(out, '"');
    for (size_t i = 0; i < text.len;) {
        uint32_t len = utf8_length(text, i);
        if (len == 1)
            json_char(out, text.at[i]);
        else if (len == 0)
            strbuf_str(out, "\\ufffd");
        else
            strbuf_add(out, text.at + i, len);
        i += len == 0 ? 1 : len;
    }
    strbuf_char(out, '"');
}

void json_quote(strbuf *out, const char *text)
{
    json_quote_view(out, sv_from(text));
}
