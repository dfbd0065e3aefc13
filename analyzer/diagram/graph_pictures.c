/* SPDX-License-Identifier: MIT */
/*
 * Pictures are laid out one by one and put below each other as nested <svg> elements.
 */
#include "analyzer/diagram/graph_pictures.h"

#include "analyzer/diagram/svg_finish.h"

enum { GAP = 20 };

const char *graph_dot_of(const graph_set *set, uint32_t function)
{
    strbuf dot = strbuf_in(set->mem);
    graph_set one = *set;
    if (set->view != VIEW_CALLS) {
        one.functions = set->functions + function;
        one.function_count = 1;
    }
    graph_dot(&one, &dot);
    return strbuf_text(&dot);
}

static const char *view_title(const graph_set *set)
{
    static const char *const titles[] = {[VIEW_STATES] = "State machines",
                                         [VIEW_CALLS] = "Who awaits whom",
                                         [VIEW_FRAME] = "Frames"};
    if (set->function_count == 1 && set->view != VIEW_CALLS)
        return arena_printf(set->mem, "%s of %s",
                            set->view == VIEW_FRAME ? "Frame" : "State machine",
                            set->functions[0]->name);
    return titles[set->view];
}

bool graph_svg_document(const graph_set *set, strbuf *out, const char **failure)
{
    uint32_t count = set->view == VIEW_CALLS ? 1 : set->function_count;
    strview *pictures = ARENA_ARRAY(set->mem, strview, count + 1);
    strbuf words = strbuf_in(set->mem);
    struct svg_size all = {0, 0};
    picture_maker *maker = picture_maker_new(set->mem, PICTURE_SVG, failure);
    if (maker == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!picture_render(maker, graph_dot_of(set, i), &pictures[i], failure))
            return false;
        struct svg_size size = svg_size_of(pictures[i]);
        all.width = size.width > all.width ? size.width : all.width;
        all.height += size.height + (i > 0 ? GAP : 0);
    }
    graph_text(set, &words);
    svg_begin(out, all, view_title(set), strbuf_text(&words));
    uint32_t y = 0;
    for (uint32_t i = 0; i < count; i++) {
        svg_nested(out, pictures[i], y);
        y += svg_size_of(pictures[i]).height + GAP;
    }
    strbuf_str(out, "</svg>\n");
    return true;
}
