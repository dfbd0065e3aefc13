/* SPDX-License-Identifier: MIT */
/*
 * Graphviz writes colours as attributes; the style sheet overrides them by value, one variable a
 * colour of dot_text.h. What Graphviz adds for itself (prologue, comments, ids of its own) goes.
 */
#include "analyzer/diagram/svg_finish.h"

#include "analyzer/base/check.h"
#include "analyzer/diagram/dot_text.h"

/* A colour of the palette, and what it is on dark paper. */
static const struct shade {
    const char *name, *light, *dark;
} shades[] = {
    {"ink", DOT_INK, "#e7eaf0"},       {"muted", DOT_MUTED, "#9aa4b5"},
    {"rule", DOT_RULE, "#3b4455"},     {"paper", DOT_PAPER, "#1b2130"},
    {"shade", DOT_SHADE, "#262e3f"},   {"warn", DOT_WARN, "#ff9b90"},
    {"warnbg", DOT_WARNBG, "#4a211e"}, {"added", DOT_ADDED, "#5fd39a"},
    {"bar", DOT_BAR, "#78a6ff"},       {"io", "#dbeafe", "#1d3a66"},
    {"timer", "#fef0c7", "#54420f"},   {"call", "#e4e7ec", "#3a4353"},
    {"group", "#ebe9fe", "#3b3170"},   {"pool", "#d1fadf", "#14482c"},
    {"join", "#fce7f6", "#59204a"},    {"pointer", "#ffead5", "#5a3413"},
    {"other", "#e0f2fe", "#15425a"},   {"run", DOT_RUN, "#b692f6"},
};

static void variables(strbuf *out, bool dark)
{
    for (size_t i = 0; i < COUNTOF(shades); i++)
        strbuf_fmt(out, "--%s:%s;", shades[i].name, dark ? shades[i].dark : shades[i].light);
}

void svg_style(strbuf *out, const char *root)
{
    strbuf_fmt(out, "%s{", root);
    variables(out, false);
    strbuf_str(out, "}\n");
    if (strcmp(root, "svg") == 0) {
        strbuf_str(out, "@media (prefers-color-scheme:dark){svg{background:#12161f;");
        variables(out, true);
        strbuf_str(out, "}}\n@media print{svg{background:none;");
        variables(out, false);
        strbuf_str(out, "}}\n");
    } else {
        strbuf_fmt(out, "%s[data-theme=dark]{color-scheme:dark;", root);
        variables(out, true);
        strbuf_str(out, "}\n");
    }
    for (size_t i = 0; i < COUNTOF(shades); i++)
        strbuf_fmt(out, "svg [fill=\"%s\"]{fill:var(--%s)}svg [stroke=\"%s\"]{stroke:var(--%s)}\n",
                   shades[i].light, shades[i].name, shades[i].light, shades[i].name);
    strbuf_str(out, "svg text{font-family:Arial,Helvetica,\"Liberation Sans\",sans-serif;"
                    "white-space:pre}\n"
                    "svg text[font-family^=\"Courier\"]{font-family:\"Liberation Mono\","
                    "\"DejaVu Sans Mono\",Menlo,Consolas,\"Courier New\",monospace}\n");
}

/* An id that Graphviz made up: these repeat when a page holds several pictures. */
static bool is_made_id(strview rest)
{
    return sv_starts(rest, " id=\"graph") || sv_starts(rest, " id=\"clust") ||
           sv_starts(rest, " id=\"a_");
}

/* The end of what is left out at rest, or 0. */
static size_t left_out(strview rest)
{
    if (sv_starts(rest, "<!--")) {
        const char *end = memmem(rest.at, rest.len, "-->", 3);
        size_t len = end == NULL ? rest.len : (size_t)(end - rest.at) + 3;
        return len + (len < rest.len && rest.at[len] == '\n');
    }
    if (is_made_id(rest)) {
        const char *end = memchr(rest.at + 5, '"', rest.len - 5);
        return end == NULL ? 0 : (size_t)(end - rest.at) + 1;
    }
    return 0;
}

static void add_text(strbuf *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '<')
            strbuf_str(out, "&lt;");
        else if (*text == '&')
            strbuf_str(out, "&amp;");
        else
            strbuf_char(out, *text);
    }
}

/* From the first byte behind the opening tag on. */
static void add_rest(strbuf *out, strview rest)
{
    for (size_t i = 0; i < rest.len;) {
        char c = rest.at[i];
        strview here = {rest.at + i, rest.len - i};
        size_t skip = c == '<' || c == ' ' ? left_out(here) : 0;
        if (skip == 0)
            strbuf_char(out, c);
        i += skip == 0 ? 1 : skip;
    }
}

/* Splits into the opening tag, from "<svg" on, and the rest. */
static strview opening_tag(strview svg, strview *rest)
{
    const char *begin = memmem(svg.at, svg.len, "<svg", 4);
    if (begin == NULL)
        begin = svg.at;
    size_t left = svg.len - (size_t)(begin - svg.at);
    const char *end = memchr(begin, '>', left);
    size_t len = end == NULL ? left : (size_t)(end - begin);
    *rest = (strview){begin + len, left - len};
    return (strview){begin, len};
}

static void add_opening(strbuf *out, strview tag)
{
    for (size_t i = 0; i < tag.len; i++) /* it stands on two lines */
        strbuf_char(out, tag.at[i] == '\n' ? ' ' : tag.at[i]);
}

void svg_inline(strbuf *out, strview svg, const char *title)
{
    strview rest, tag = opening_tag(svg, &rest);
    add_opening(out, tag);
    strbuf_str(out, " role=\"img\" aria-label=\"");
    for (const char *c = title; *c != '\0'; c++)
        strbuf_char(out, *c == '"' || *c == '<' || *c == '&' ? ' ' : *c);
    strbuf_char(out, '"');
    add_rest(out, rest);
}

static uint32_t number_behind(strview tag, const char *name)
{
    const char *at = memmem(tag.at, tag.len, name, strlen(name));
    uint32_t value = 0;
    for (at = at == NULL ? NULL : at + strlen(name); at != NULL && *at >= '0' && *at <= '9'; at++)
        value = value * 10 + (uint32_t)(*at - '0');
    return value;
}

struct svg_size svg_size_of(strview svg)
{
    strview rest, tag = opening_tag(svg, &rest);
    return (struct svg_size){number_behind(tag, " width=\""), number_behind(tag, " height=\"")};
}

void svg_begin(strbuf *out, struct svg_size size, const char *title, const char *description)
{
    strbuf_fmt(out,
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
               "<svg xmlns=\"http://www.w3.org/2000/svg\" "
               "xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"%upt\" height=\"%upt\" "
               "viewBox=\"0 0 %u %u\" role=\"img\">\n<title>",
               size.width, size.height, size.width, size.height);
    add_text(out, title);
    strbuf_str(out, "</title>\n<desc>");
    add_text(out, description);
    strbuf_str(out, "</desc>\n<style>\n");
    svg_style(out, "svg");
    strbuf_str(out, "</style>\n");
}

void svg_nested(strbuf *out, strview svg, uint32_t y)
{
    strview rest;
    struct svg_size size = svg_size_of(svg);
    opening_tag(svg, &rest);
    strbuf_fmt(out, "<svg y=\"%u\" width=\"%u\" height=\"%u\">\n", y, size.width, size.height);
    add_rest(out, (strview){rest.at + 1, rest.len - 1});
}
