/* SPDX-License-Identifier: MIT */
/*
 * The page is its data (the JSON of graph_json, the sources), the pictures in <template> elements,
 * of which the browser draws only the one that is looked at, and the style sheet and script of
 * page/, which the build turns into page_text.def.
 */
#include "analyzer/diagram/graph_html.h"

#include "analyzer/base/check.h"
#include "analyzer/diagram/graph_fold.h"
#include "analyzer/diagram/graph_pictures.h"
#include "analyzer/diagram/json_text.h"
#include "analyzer/diagram/svg_finish.h"

enum { CANCEL_FUNCTIONS = 400 }; /* pages of more functions have no pictures of cancels */

struct page {
    const graph_set *set;
    strbuf *out;
    picture_maker *maker;
    const char **failure;
};

static const struct page_line {
    const char *page, *text; /* text NULL: the page starts */
} page_lines[] = {
#define PAGE(name) {name, NULL},
#define LINE(text) {NULL, text},
#include "analyzer/diagram/page_text.def"
#undef PAGE
#undef LINE
};

/* A file of page/, by its name without the ending. */
static void add_page_text(strbuf *out, const char *name)
{
    bool is_wanted = false;
    for (size_t i = 0; i < COUNTOF(page_lines); i++) {
        if (page_lines[i].text == NULL)
            is_wanted = strcmp(page_lines[i].page, name) == 0;
        else if (is_wanted)
            strbuf_fmt(out, "%s\n", page_lines[i].text);
    }
}

static bool add_template(struct page *p, const graph_set *set, uint32_t function,
                         const char *attributes)
{
    strview svg;
    const char *title =
        set->view == VIEW_CALLS ? "Who awaits whom" : set->functions[function]->name;
    if (!picture_render(p->maker, graph_dot_of(set, function), &svg, p->failure))
        return false;
    strbuf_fmt(p->out, "<template %s>\n", attributes);
    svg_inline(p->out, svg, title);
    strbuf_str(p->out, "</template>\n");
    return true;
}

/* The parts of a large function, one for each node of its summary. */
static bool add_parts(struct page *p, uint32_t function)
{
    graph_fold fold = graph_fold_of(p->set, p->set->functions[function]);
    for (size_t i = 0; i < fold.nodes.count; i++) {
        const struct fold_node *f = &fold.nodes.at[i];
        if (f->kind != FOLD_MANY || f->count == 0)
            continue;
        graph_set part = *p->set;
        part.view = VIEW_STATES;
        part.first_state = f->first_state;
        part.last_state = f->last_state;
        const char *range = arena_printf(p->set->mem, "%u-%u", f->first_state, f->last_state);
        if (!add_template(p, &part, function,
                          arena_printf(p->set->mem,
                                       "id=\"part-%u-%s\" data-part=\"%u\" data-range=\"%s\"",
                                       function, range, function, range)))
            return false;
    }
    return true;
}

static bool add_function(struct page *p, uint32_t i)
{
    graph_set set = *p->set;
    arena *mem = set.mem;
    set.first_state = set.last_state = 0;
    set.view = VIEW_STATES;
    set.show_cancel = false;
    if (!add_template(p, &set, i, arena_printf(mem, "id=\"states-%u\"", i)))
        return false;
    if (set.functions[i]->m->state_count > GRAPH_DETAIL_STATES && !add_parts(p, i))
        return false;
    set.show_cancel = true;
    if (set.function_count <= CANCEL_FUNCTIONS &&
        !add_template(p, &set, i, arena_printf(mem, "id=\"cancel-%u\"", i)))
        return false;
    set.view = VIEW_FRAME;
    return add_template(p, &set, i, arena_printf(mem, "id=\"frame-%u\"", i));
}

static void add_sources(const graph_set *set, strbuf *out)
{
    const char *comma = "";
    strbuf_char(out, '{');
    for (size_t i = 0; i < set->sources->files.count; i++) {
        const struct source_text *file = &set->sources->files.at[i];
        if (file->text.at == NULL)
            continue;
        strbuf_str(out, comma);
        json_quote(out, file->shown);
        strbuf_str(out, ": ");
        json_quote_view(out, file->text);
        comma = ",\n";
    }
    strbuf_char(out, '}');
}

bool graph_html(const graph_set *set, strbuf *out, const char **failure)
{
    struct page p = {.set = set, .out = out, .failure = failure};
    p.maker = picture_maker_new(set->mem, PICTURE_SVG, failure);
    if (p.maker == NULL)
        return false;
    strbuf_str(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
                    "<title>awaitc graph</title>\n<style>\n");
    svg_style(out, ":root");
    add_page_text(out, "style");
    strbuf_str(out, "</style>\n</head>\n<body>\n");
    add_page_text(out, "body");
    for (uint32_t i = 0; i < set->function_count; i++) {
        if (!add_function(&p, i))
            return false;
    }
    graph_set calls = *set;
    calls.view = VIEW_CALLS;
    if (!add_template(&p, &calls, 0, "id=\"calls\""))
        return false;
    strbuf_str(out, "<script type=\"application/json\" id=\"data\">\n");
    graph_json(set, out);
    strbuf_str(out, "</script>\n<script type=\"application/json\" id=\"sources\">\n");
    add_sources(set, out);
    strbuf_str(out, "\n</script>\n<script>\n");
    add_page_text(out, "script");
    strbuf_str(out, "</script>\n</body>\n</html>\n");
    return true;
}
