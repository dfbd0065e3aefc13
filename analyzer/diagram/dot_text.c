/* SPDX-License-Identifier: MIT */
/*
 * Text comes from sources of any bytes; Graphviz wants UTF-8 and markup of its own.
 */
#include "analyzer/diagram/dot_text.h"

#include <inttypes.h>
#include <stdio.h>

#include "analyzer/base/check.h"
#include "analyzer/diagram/json_text.h"

static void html_char(strbuf *out, char c)
{
    switch (c) {
    case '&':
        strbuf_str(out, "&amp;");
        break;
    case '<':
        strbuf_str(out, "&lt;");
        break;
    case '>':
        strbuf_str(out, "&gt;");
        break;
    case '"':
        strbuf_str(out, "&quot;");
        break;
    case '\n':
        strbuf_str(out, "<BR ALIGN=\"LEFT\"/>");
        break;
    default:
        strbuf_char(out, (unsigned char)c < 0x20 || c == 0x7f ? ' ' : c);
        break;
    }
}

void dot_html_view(strbuf *out, strview view)
{
    if (view.len == 0)
        strbuf_char(out, ' ');
    for (size_t i = 0; i < view.len;) {
        uint32_t len = utf8_length(view, i);
        if (len == 1)
            html_char(out, view.at[i]);
        else if (len == 0)
            strbuf_str(out, "\ufffd");
        else
            strbuf_add(out, view.at + i, len);
        i += len == 0 ? 1 : len;
    }
    if (memchr(view.at, '\n', view.len) != NULL)
        strbuf_str(out, "<BR ALIGN=\"LEFT\"/>");
}

void dot_html(strbuf *out, const char *text)
{
    dot_html_view(out, sv_from(text));
}

void dot_quoted(strbuf *out, const char *text)
{
    strview view = sv_from(text);
    strbuf_char(out, '"');
    for (size_t i = 0; i < view.len;) {
        uint32_t len = utf8_length(view, i);
        char c = view.at[i];
        if (len == 0)
            strbuf_str(out, "\ufffd");
        else if (len > 1)
            strbuf_add(out, view.at + i, len);
        else if (c == '"' || c == '\\')
            strbuf_fmt(out, "\\%c", c);
        else if (c == '\n')
            strbuf_str(out, "\\n");
        else if (c == '&')
            strbuf_str(out, "&amp;"); /* Graphviz reads entities in all strings */
        else
            strbuf_char(out, (unsigned char)c < 0x20 || c == 0x7f ? ' ' : c);
        i += len == 0 ? 1 : len;
    }
    strbuf_char(out, '"');
}

const char *dot_kind_colour(const char *what)
{
    static const char *const colours[][2] = {
        {"io", "#dbeafe"},      {"timer", "#fef0c7"}, {"call", "#e4e7ec"},    {"all", "#ebe9fe"},
        {"try_all", "#ebe9fe"}, {"race", "#ebe9fe"},  {"timeout", "#ebe9fe"}, {"pool", "#d1fadf"},
        {"join", "#fce7f6"},    {"scope", "#fce7f6"}, {"pointer", "#ffead5"}};
    for (size_t i = 0; what != NULL && i < COUNTOF(colours); i++) {
        if (strcmp(what, colours[i][0]) == 0)
            return colours[i][1];
    }
    return "#e0f2fe";
}

const char *dot_bytes(arena *mem, uint64_t bytes)
{
    char digits[32];
    strbuf out = strbuf_in(mem);
    int len = snprintf(digits, sizeof digits, "%" PRIu64, bytes);
    for (int i = 0; i < len; i++) {
        strbuf_char(&out, digits[i]);
        if (i + 1 < len && (len - i - 1) % 3 == 0)
            strbuf_char(&out, ',');
    }
    return strbuf_text(&out);
}

/* How many bytes of the text go on one line of `width` characters. */
static size_t line_length(const char *text, size_t width)
{
    size_t shown = 0, best = 0, comma = 0, i = 0;
    for (; text[i] != '\0' && shown <= width; i++) {
        if (((unsigned char)text[i] & 0xc0) == 0x80)
            continue;
        if (shown == width && comma > width / 2)
            return comma;
        if (shown == width)
            return best > width / 2 ? best : i;
        shown++;
        if (text[i] == ',')
            comma = i + 1;
        if (text[i] == ' ' || text[i] == ',')
            best = i + 1;
    }
    return i;
}

const char *dot_wrap(arena *mem, const char *text, size_t width, uint32_t lines)
{
    strbuf out = strbuf_in(mem);
    for (uint32_t n = 0; text[0] != '\0'; n++) {
        size_t len = line_length(text, width);
        bool is_last = n + 1 == lines && text[len] != '\0';
        if (n > 0)
            strbuf_char(&out, '\n');
        if (is_last) {
            strbuf_str(&out, source_shorten(mem, text, width));
            break;
        }
        strbuf_add(&out, text, len);
        text += len;
        while (text[0] == ' ')
            text++;
    }
    return strbuf_text(&out);
}

void dot_begin(strbuf *out, const char *name, const char *more)
{
    strbuf_str(out, "digraph ");
    dot_quoted(out, name);
    strbuf_fmt(out,
               " {\n"
               "  graph [fontname=\"" DOT_SANS "\", fontsize=11, fontcolor=\"" DOT_INK
               "\", bgcolor=\"transparent\", pad=\"0.2\", %s];\n"
               "  node [fontname=\"" DOT_SANS "\", fontsize=11, fontcolor=\"" DOT_INK
               "\", color=\"" DOT_INK "\", shape=\"plain\"];\n"
               "  edge [fontname=\"" DOT_SANS "\", fontsize=10, fontcolor=\"" DOT_INK
               "\", color=\"" DOT_INK "\", arrowsize=0.7, penwidth=1.1];\n",
               more);
}

/* nslimit: how long the layout may look for shorter edges, in rounds for each node. */
static const char *graph_defaults(const graph_set *set)
{
    const char *spacing = set->view == VIEW_CALLS ? "rankdir=\"LR\", nodesep=0.25, ranksep=0.5"
                                                  : "rankdir=\"TB\", nodesep=0.35, ranksep=0.3";
    const char *dpi =
        set->dots_per_inch == 0 ? "" : arena_printf(set->mem, ", dpi=%u", set->dots_per_inch);
    return arena_printf(set->mem, "%s, nslimit=4, nslimit1=4%s", spacing, dpi);
}

void graph_dot(const graph_set *set, strbuf *out)
{
    static const char *const names[] = {
        [VIEW_STATES] = "states", [VIEW_CALLS] = "calls", [VIEW_FRAME] = "frames"};
    dot_begin(out, names[set->view], graph_defaults(set));
    if (set->view == VIEW_CALLS)
        dot_calls(set, out);
    for (uint32_t i = 0; set->view != VIEW_CALLS && i < set->function_count; i++) {
        if (set->view == VIEW_FRAME)
            dot_frame(set, set->functions[i], i, out);
        else
            dot_states(set, set->functions[i], i, out);
    }
    strbuf_str(out, "}\n");
}
