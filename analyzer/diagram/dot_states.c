/* SPDX-License-Identifier: MIT */
/*
 * A function's state machine in DOT: a cluster with its signature; within it the nodes, a dashed
 * cluster for each loop or switch, and the edges with what stands on them. All is printed in source
 * order, so that the picture reads from top to bottom in that order.
 */
#include "analyzer/diagram/dot_states.h"

static bool is_in_picture(const struct dot_job *j, uint32_t scope)
{
    for (size_t i = 0; i < j->fold->nodes.count; i++) {
        const struct fold_node *f = &j->fold->nodes.at[i];
        for (uint32_t s = j->g->nodes.at[f->node].scope; f->kind == FOLD_ONE && s != AIR_NONE;
             s = j->g->m->scopes[s].parent) {
            if (s == scope)
                return true;
        }
    }
    return false;
}

static bool has_choice(const struct dot_job *j, uint32_t scope)
{
    for (size_t i = 0; i < j->g->nodes.count; i++) {
        const struct state_node *n = &j->g->nodes.at[i];
        if (n->kind == NODE_LOOP && n->scope == scope)
            return true;
        if (n->kind == NODE_SWITCH && n->scope == scope &&
            j->g->m->scopes[scope].kind == MACHINE_SWITCH_BODY)
            return true;
    }
    return false;
}

static void print_scope(struct dot_job *j, uint32_t scope);

static void print_inside(struct dot_job *j, uint32_t scope)
{
    for (uint32_t i = 0; i < j->fold->nodes.count; i++) {
        const struct fold_node *f = &j->fold->nodes.at[i];
        uint32_t own = f->kind == FOLD_ONE ? j->g->nodes.at[f->node].scope : AIR_NONE;
        if (own == scope && !dot_is_repeated(j, i))
            dot_node(j, i, "");
    }
    dot_words(j, scope);
    for (uint32_t s = 0; s < j->g->m->scope_count; s++) {
        if (j->g->m->scopes[s].parent == scope && is_in_picture(j, s))
            print_scope(j, s);
    }
}

static void print_scope(struct dot_job *j, uint32_t scope)
{
    const char *title = j->g->scope_text[scope];
    bool is_switch = j->g->m->scopes[scope].kind == MACHINE_SWITCH_BODY;
    if (has_choice(j, scope))
        title = is_switch ? "switch" : "loop";
    strbuf_fmt(j->out,
               "    subgraph cluster_%u_%u {\n"
               "    style=\"dashed,rounded\"; color=\"" DOT_MUTED "\"; fontcolor=\"" DOT_MUTED
               "\"; fontsize=9; labeljust=l; margin=10; label=",
               j->index, scope);
    dot_quoted(j->out,
               arena_printf(j->g->mem, "%s  :%u \u2013 %u", source_shorten(j->g->mem, title, 40),
                            j->g->scope_line[scope], j->g->m->scopes[scope].last_line));
    strbuf_str(j->out, ";\n");
    print_inside(j, scope);
    strbuf_str(j->out, "    }\n");
}

/* ---- the function
 * -------------------------------------------------------------------------------- */

static void title_lines(strbuf *out, const char *text)
{
    while (text[0] != '\0') {
        size_t len = strcspn(text, "\n");
        strbuf_str(out, "<TR><TD ALIGN=\"LEFT\"><FONT FACE=\"" DOT_MONO "\" POINT-SIZE=\"13\"><B>");
        dot_html_view(out, (strview){text, len});
        strbuf_str(out, "</B></FONT></TD></TR>");
        text += len + (text[len] == '\n');
    }
}

static void print_title(struct dot_job *j)
{
    const state_graph *g = j->g;
    strbuf_str(j->out, "    label=<<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" "
                       "CELLPADDING=\"2\">");
    title_lines(j->out, dot_wrap(g->mem, g->signature, 64, 3));
    strbuf_str(j->out, "<TR><TD ALIGN=\"LEFT\"><FONT POINT-SIZE=\"10\" COLOR=\"" DOT_MUTED "\">");
    dot_html(j->out,
             arena_printf(g->mem, "%s:%u   %u state%s   frame %s B, with children %s B",
                          g->file->shown, g->line, g->m->state_count,
                          g->m->state_count == 1 ? "" : "s", dot_bytes(g->mem, g->m->frame_bytes),
                          dot_bytes(g->mem, frame_with_children(g->m))));
    if (g->old_frame_bytes != 0 && g->old_frame_bytes != g->m->frame_bytes)
        strbuf_fmt(j->out, "  (was %s B)", dot_bytes(g->mem, g->old_frame_bytes));
    if (g->change != CHANGE_NONE)
        strbuf_fmt(j->out, "  %s", dot_change_word(g->change));
    if (g->has_run)
        strbuf_fmt(j->out, "   started %s", graph_times(g->mem, g->nodes.at[0].passes));
    if (j->fold->is_summary)
        strbuf_str(j->out, "   summary; --states=FIRST-LAST shows a part");
    strbuf_str(j->out, "</FONT></TD></TR></TABLE>>;\n");
}

static bool leads_on(const graph_fold *fold, uint32_t node)
{
    for (size_t i = 0; i < fold->edges.count; i++) {
        if (fold->edges.at[i].from == node && fold->edges.at[i].to > node)
            return true;
    }
    return false;
}

void dot_states(const graph_set *set, const state_graph *g, uint32_t index, strbuf *out)
{
    graph_fold fold = graph_fold_of(set, g);
    struct dot_job j = {.set = set, .g = g, .fold = &fold, .index = index, .out = out};
    bool is_alone = set->function_count == 1; /* then the picture's frame is its frame */
    if (is_alone)
        strbuf_str(out, "  labelloc=t; labeljust=l;\n");
    else
        strbuf_fmt(out,
                   "  subgraph cluster_%u {\n    style=\"rounded\"; color=\"" DOT_RULE
                   "\"; margin=24; labeljust=l; id=\"%s\";\n",
                   index, g->name);
    dot_edge_words(&j);
    print_title(&j);
    print_inside(&j, AIR_NONE);
    strbuf_str(out, is_alone ? "" : "  }\n");
    dot_edges(&j);
    for (uint32_t i = 0; index + 1 < set->function_count && i < fold.nodes.count; i++) {
        bool is_last = fold.nodes.at[i].kind != FOLD_ONE || !leads_on(&fold, i);
        if (is_last && !dot_is_repeated(&j, i)) /* functions below each other */
            strbuf_fmt(out, "  n%u_%u -> n%u_0 [style=invis];\n", index, i, index + 1);
    }
}
