/* SPDX-License-Identifier: MIT */
/*
 * A function's state machine in DOT: a cluster with its signature; within it a box for each state,
 * a hexagon for each choice, a dashed cluster for each loop or switch. Nodes are printed in source
 * order, and an edge back to an earlier state is turned around with its arrow at the tail, so that
 * the picture reads from top to bottom in the order of the source.
 */
#include <inttypes.h>

#include "analyzer/base/check.h"
#include "analyzer/diagram/dot_text.h"
#include "analyzer/diagram/graph_fold.h"

enum {
    TEXT_CHARS = 46,
    TYPE_CHARS = 24,
    NAME_CHARS = 20,
    SHOWN_LOCALS = 6,
    MANY_WAYS = 7 /* an end that more edges lead to is drawn at each of them */
};

struct dot_job {
    const graph_set *set;
    const state_graph *g;
    const graph_fold *fold;
    uint32_t index; /* of the function */
    strbuf *out;
};

/* ---- labels
 * ------------------------------------------------------------------------------------- */

static void local_row(struct dot_job *j, const struct kept_local *k)
{
    const machine *m = j->g->m;
    const struct air_local *l = &m->air->locals.at[k->local];
    const struct machine_slot *slot = graph_slot(m, k->local);
    const char *type = arena_strndup(j->g->mem, l->type.at, l->type.len);
    strbuf_str(j->out, "<TR><TD ALIGN=\"LEFT\">");
    dot_html(j->out,
             source_shorten(j->g->mem, graph_local_name(j->g->mem, m, k->local), NAME_CHARS));
    strbuf_str(j->out, "</TD><TD ALIGN=\"LEFT\"><FONT COLOR=\"" DOT_MUTED "\">");
    dot_html(j->out, source_shorten(j->g->mem, type, TYPE_CHARS));
    strbuf_fmt(j->out, "</FONT></TD><TD ALIGN=\"RIGHT\">%s B</TD>",
               dot_bytes(j->g->mem, l->size_bytes));
    if (slot != NULL)
        strbuf_fmt(j->out, "<TD ALIGN=\"RIGHT\"><FONT COLOR=\"" DOT_MUTED "\">at %s</FONT></TD>",
                   dot_bytes(j->g->mem, slot->offset_bytes));
    strbuf_str(j->out, "</TR>");
}

static void local_rows(struct dot_job *j, const struct state_node *n)
{
    if (!j->set->show_locals || n->keeps.count == 0)
        return;
    strbuf_str(j->out, "<HR/><TR><TD ALIGN=\"LEFT\" CELLPADDING=\"3\"><FONT POINT-SIZE=\"9\">"
                       "<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"3\">");
    size_t shown = n->keeps.count <= SHOWN_LOCALS + 1 ? n->keeps.count : SHOWN_LOCALS;
    for (size_t i = 0; i < shown; i++)
        local_row(j, &n->keeps.at[i]);
    if (shown < n->keeps.count)
        strbuf_fmt(j->out,
                   "<TR><TD ALIGN=\"LEFT\" COLSPAN=\"4\"><FONT COLOR=\"" DOT_MUTED
                   "\">and %zu more; all keep %s B</FONT></TD></TR>",
                   n->keeps.count - shown, dot_bytes(j->g->mem, n->kept_bytes));
    strbuf_str(j->out, "</TABLE></FONT></TD></TR>");
}

static void finding_rows(struct dot_job *j, const struct state_node *n)
{
    for (size_t i = 0; i < n->findings.count; i++) {
        strbuf_str(j->out, "<HR/><TR><TD ALIGN=\"LEFT\" CELLPADDING=\"5\" BGCOLOR=\"" DOT_WARNBG
                           "\"><FONT POINT-SIZE=\"9\" COLOR=\"" DOT_WARN "\">! ");
        dot_html(j->out, n->findings.at[i]->rule);
        strbuf_str(j->out, "</FONT></TD></TR>");
    }
}

static const char *change_word(enum graph_change change)
{
    static const char *const words[] = {[CHANGE_NONE] = "",
                                        [CHANGE_ADDED] = "+ added",
                                        [CHANGE_REMOVED] = "\u2212 removed",
                                        [CHANGE_GROWN] = "\u25b2 grown",
                                        [CHANGE_SHRUNK] = "\u25bc smaller"};
    return words[change];
}

static void state_head(struct dot_job *j, const struct state_node *n)
{
    strbuf_fmt(j->out,
               "<TR><TD BGCOLOR=\"%s\" CELLPADDING=\"0\"><TABLE BORDER=\"0\" CELLBORDER=\"0\" "
               "CELLSPACING=\"0\" CELLPADDING=\"5\"><TR><TD ALIGN=\"LEFT\"><B>%u&#160;&#160;",
               dot_kind_colour(n->what), n->number);
    dot_html(j->out, source_shorten(j->g->mem, n->title, 30));
    strbuf_str(j->out, "</B></TD><TD ALIGN=\"RIGHT\" WIDTH=\"64\"><FONT POINT-SIZE=\"9\">");
    dot_html(j->out, n->what == NULL ? "" : n->what);
    if (n->line != 0)
        strbuf_fmt(j->out, "  :%u", n->line);
    strbuf_str(j->out, "</FONT></TD></TR></TABLE></TD></TR>");
}

static void state_label(struct dot_job *j, const struct state_node *n)
{
    const char *border = n->is_reachable ? "1" : "1\" STYLE=\"DASHED";
    const char *colour = n->change == CHANGE_ADDED     ? DOT_ADDED
                         : n->change == CHANGE_REMOVED ? DOT_WARN
                         : n->is_reachable             ? DOT_INK
                                                       : DOT_MUTED;
    strbuf_fmt(j->out,
               "<<TABLE BORDER=\"%s\" COLOR=\"%s\" CELLBORDER=\"0\" CELLSPACING=\"0\" "
               "CELLPADDING=\"0\" BGCOLOR=\"" DOT_PAPER "\">",
               border, colour);
    state_head(j, n);
    strbuf_str(j->out,
               "<TR><TD ALIGN=\"LEFT\" CELLPADDING=\"6\" BALIGN=\"LEFT\"><FONT FACE=\"" DOT_MONO
               "\" POINT-SIZE=\"10\">");
    dot_html(j->out, dot_wrap(j->g->mem, n->text, TEXT_CHARS, 3));
    strbuf_str(j->out, "</FONT></TD></TR>");
    if (!n->is_reachable)
        strbuf_str(
            j->out,
            "<TR><TD ALIGN=\"LEFT\" CELLPADDING=\"5\"><FONT POINT-SIZE=\"9\" COLOR=\"" DOT_MUTED
            "\"><I>nothing leads here</I></FONT></TD></TR>");
    if (n->change != CHANGE_NONE)
        strbuf_fmt(j->out,
                   "<TR><TD ALIGN=\"LEFT\" CELLPADDING=\"5\"><FONT POINT-SIZE=\"9\" "
                   "COLOR=\"%s\"><B>%s</B></FONT></TD></TR>",
                   colour, change_word(n->change));
    local_rows(j, n);
    finding_rows(j, n);
    strbuf_str(j->out, "</TABLE>>");
}

/* "keep_alive" of "while (keep_alive)"; "i < n" of a for; "" of for (;;). */
static const char *loop_question(arena *mem, const char *title)
{
    const char *open = strchr(title, '('), *close = strrchr(title, ')');
    if (open == NULL || close == NULL || close < open)
        return title;
    const char *inner = arena_strndup(mem, open + 1, (size_t)(close - open - 1));
    if (strncmp(title, "for", 3) != 0)
        return inner;
    const char *first = strchr(inner, ';'), *second = strrchr(inner, ';');
    if (first == NULL || second == first)
        return title;
    first++;
    while (first < second && *first == ' ')
        first++;
    return arena_strndup(mem, first, (size_t)(second - first));
}

static void choice_label(struct dot_job *j, const struct state_node *n)
{
    const char *text = n->title;
    if (n->kind == NODE_LOOP)
        text = loop_question(j->g->mem, n->title);
    strbuf_str(j->out, "<<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"1\">"
                       "<TR><TD BALIGN=\"LEFT\"><FONT FACE=\"" DOT_MONO "\" POINT-SIZE=\"10\">");
    dot_html(j->out, text[0] == '\0' ? "next round" : dot_wrap(j->g->mem, text, 34, 2));
    if (n->kind == NODE_LOOP && text[0] != '\0')
        strbuf_str(j->out, " ?");
    strbuf_str(j->out, "</FONT></TD></TR></TABLE>>");
}

static void many_label(struct dot_job *j, const struct fold_node *f)
{
    const state_graph *g = j->g;
    const struct state_node *first = state_graph_state(g, f->first_state);
    const struct state_node *last = state_graph_state(g, f->last_state);
    strbuf_str(j->out, "<<TABLE BORDER=\"1\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"5\" "
                       "BGCOLOR=\"" DOT_SHADE "\">");
    if (first == NULL || last == NULL) {
        strbuf_str(j->out, "<TR><TD>choices</TD></TR></TABLE>>");
        return;
    }
    strbuf_fmt(j->out, "<TR><TD ALIGN=\"LEFT\"><B>%u \u2013 %u</B>   %u states</TD></TR>",
               f->first_state, f->last_state, f->count);
    strbuf_str(j->out, "<TR><TD ALIGN=\"LEFT\"><FONT POINT-SIZE=\"9\">");
    dot_html(j->out, source_shorten(g->mem, first->title, 18));
    strbuf_str(j->out, " \u2026 ");
    dot_html(j->out, source_shorten(g->mem, last->title, 18));
    strbuf_fmt(j->out,
               "</FONT></TD></TR><TR><TD ALIGN=\"LEFT\"><FONT POINT-SIZE=\"9\" COLOR=\"" DOT_MUTED
               "\">:%u \u2013 :%u, keeps up to %s B</FONT></TD></TR></TABLE>>",
               first->line, last->line, dot_bytes(g->mem, f->kept_bytes));
}

/* ---- nodes
 * -------------------------------------------------------------------------------------- */

static const char *node_class(const struct state_node *n)
{
    static const char *const names[] = {
        [NODE_START] = "start",   [NODE_STATE] = "state",  [NODE_LOOP] = "choice",
        [NODE_SWITCH] = "choice", [NODE_RETURNED] = "end", [NODE_CANCELLED] = "end cancel",
        [NODE_STOPPED] = "end"};
    return names[n->kind];
}

static void node_shape(struct dot_job *j, const struct state_node *n)
{
    switch (n->kind) {
    case NODE_START:
        strbuf_str(j->out, "shape=circle, style=filled, fillcolor=\"" DOT_INK
                           "\", label=\"\", width=0.2, height=0.2, fixedsize=true");
        return;
    case NODE_STATE:
        strbuf_str(j->out, "label=");
        state_label(j, n);
        return;
    case NODE_LOOP:
    case NODE_SWITCH:
        strbuf_str(j->out, "shape=hexagon, style=filled, fillcolor=\"" DOT_SHADE
                           "\", margin=\"0.06,0.02\", height=0.3, label=");
        choice_label(j, n);
        return;
    case NODE_RETURNED:
        strbuf_str(j->out,
                   "shape=box, style=\"rounded,filled\", fillcolor=\"" DOT_PAPER
                   "\", peripheries=2, height=0.3, margin=\"0.14,0.05\", label=\"returned\"");
        return;
    case NODE_CANCELLED:
        strbuf_str(j->out, "shape=octagon, style=\"filled\", fillcolor=\"" DOT_PAPER
                           "\", color=\"" DOT_MUTED
                           "\", height=0.3, margin=\"0.1,0.03\", label=\"cancelled\"");
        return;
    case NODE_STOPPED:
        strbuf_str(j->out, "shape=box, style=\"filled,dashed\", fillcolor=\"" DOT_PAPER
                           "\", height=0.3, margin=\"0.14,0.05\", label=\"does not return\"");
        return;
    }
}

static const char *tooltip(struct dot_job *j, const struct state_node *n)
{
    if (n->kind == NODE_STATE)
        return arena_printf(j->g->mem, "%s:%u  %s", n->file == NULL ? "" : n->file->shown, n->line,
                            n->text);
    return arena_printf(j->g->mem, "%s:%u  %s", n->file == NULL ? "" : n->file->shown, n->line,
                        n->title);
}

/* copy: "", or what tells one of several drawings of the node from the others. */
static void print_node(struct dot_job *j, uint32_t index, const char *copy)
{
    const struct fold_node *f = &j->fold->nodes.at[index];
    const struct state_node *n = &j->g->nodes.at[f->node];
    strbuf_fmt(j->out, "    n%u_%u%s [", j->index, index, copy);
    if (f->kind == FOLD_STUB) {
        strbuf_str(j->out,
                   "shape=box, style=\"dashed,rounded\", color=\"" DOT_MUTED
                   "\", fontcolor=\"" DOT_MUTED "\", margin=\"0.1,0.04\", height=0.3, label=");
        dot_quoted(j->out, n->kind == NODE_STATE
                               ? arena_printf(j->g->mem, "%u %s", n->number, n->title)
                               : source_shorten(j->g->mem, n->title, 30));
    } else if (f->kind == FOLD_MANY) {
        strbuf_str(j->out, "label=");
        many_label(j, f);
    } else {
        node_shape(j, n);
    }
    strbuf_fmt(j->out, ", id=\"%s.%s%s\", class=\"%s\", tooltip=", j->g->name,
               f->kind == FOLD_MANY ? arena_printf(j->g->mem, "fold%u", f->first_state) : n->id,
               copy, node_class(n));
    dot_quoted(j->out, tooltip(j, n));
    strbuf_str(j->out, "];\n");
    if (j->set->show_ready && n->kind == NODE_STATE && f->kind == FOLD_ONE) {
        strbuf_fmt(j->out,
                   "    n%u_%uc [shape=box, style=\"rounded,filled\", fillcolor=\"" DOT_SHADE
                   "\", height=0.25, margin=\"0.1,0.03\", label=\"call %u\"];\n"
                   "    n%u_%ur [shape=point, width=0.08, label=\"\"];\n",
                   j->index, index, n->number, j->index, index);
    }
}

/* Is this end drawn once for each edge that leads to it? Hundreds of long edges to one node hide
 * the rest, and take a layout minutes. */
static bool is_repeated(const struct dot_job *j, uint32_t index)
{
    const struct fold_node *f = &j->fold->nodes.at[index];
    uint32_t ways = 0;
    if (f->kind != FOLD_ONE || j->g->nodes.at[f->node].kind < NODE_RETURNED)
        return false;
    for (size_t i = 0; i < j->fold->edges.count; i++)
        ways += j->fold->edges.at[i].to == index;
    return ways > MANY_WAYS;
}

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
        if (own == scope && !is_repeated(j, i))
            print_node(j, i, "");
    }
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

/* ---- edges
 * -------------------------------------------------------------------------------------- */

static const char *edge_label(struct dot_job *j, const struct fold_edge *f)
{
    const state_graph *g = j->g;
    const struct state_edge *e = &g->edges.at[f->edge];
    strbuf out = strbuf_in(g->mem);
    if (f->count > 1)
        return arena_printf(g->mem, "%u\u00d7", f->count);
    strbuf_str(&out, e->label);
    if (e->is_back && e->label[0] == '\0' && g->nodes.at[e->to].kind == NODE_STATE)
        strbuf_fmt(&out, "again :%u", g->scope_line[e->back_scope]);
    for (uint32_t i = 0; i < e->cleanup_count; i++) {
        const struct machine_cleanup *c = &g->m->cleanups[e->cleanups[i]];
        strbuf_str(&out, out.len > 0 ? "\n" : "");
        if (c->kind == MACHINE_DEFER)
            strbuf_fmt(&out, "runs defer :%u", g->cleanup_line[e->cleanups[i]]);
        else if (c->kind == MACHINE_VARIABLE)
            strbuf_fmt(&out, "runs %s",
                       source_shorten(g->mem, g->cleanup_text[e->cleanups[i]], 30));
    }
    return strbuf_text(&out);
}

static void print_edge(struct dot_job *j, const struct fold_edge *f)
{
    const struct state_edge *e = &j->g->edges.at[f->edge];
    const struct state_node *from = &j->g->nodes.at[e->from], *to = &j->g->nodes.at[e->to];
    bool splits = j->set->show_ready;
    const char *tail = splits && from->kind == NODE_STATE &&
                               j->fold->nodes.at[f->from].kind == FOLD_ONE && !e->is_cancel
                           ? "r"
                           : "";
    const char *head =
        splits && to->kind == NODE_STATE && j->fold->nodes.at[f->to].kind == FOLD_ONE ? "c" : "";
    bool turns = e->is_back && f->from >= f->to && f->from != f->to;
    if (is_repeated(j, f->to)) {
        head = arena_printf(j->g->mem, "e%u", f->edge);
        print_node(j, f->to, head);
    }
    if (turns)
        strbuf_fmt(j->out, "    n%u_%u%s -> n%u_%u%s [dir=back, ", j->index, f->to, head, j->index,
                   f->from, tail);
    else
        strbuf_fmt(j->out, "    n%u_%u%s -> n%u_%u%s [", j->index, f->from, tail, j->index, f->to,
                   head);
    const char *label = edge_label(j, f);
    if (e->is_cancel)
        strbuf_str(j->out, "style=dotted, color=\"" DOT_MUTED "\", fontcolor=\"" DOT_MUTED
                           "\", arrowhead=open, class=\"cancel\", ");
    else if (e->is_back)
        strbuf_str(j->out, "style=dashed, class=\"back\", ");
    if (label[0] != '\0') {
        strbuf_str(j->out, "label=<<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLPADDING=\"2\" "
                           "CELLSPACING=\"0\"><TR><TD BALIGN=\"LEFT\">");
        dot_html(j->out, label);
        strbuf_str(j->out, "</TD></TR></TABLE>>, ");
    }
    strbuf_fmt(j->out, "id=\"%s.e%u\", tooltip=", j->g->name, f->edge);
    dot_quoted(j->out, e->condition[0] == '\0' ? "always" : e->condition);
    strbuf_str(j->out, "];\n");
}

static void print_ready(struct dot_job *j, uint32_t index)
{
    const struct fold_node *f = &j->fold->nodes.at[index];
    if (j->g->nodes.at[f->node].kind != NODE_STATE || f->kind != FOLD_ONE)
        return;
    strbuf_fmt(j->out,
               "    n%u_%uc -> n%u_%u [label=\" not ready: suspends\", style=dashed];\n"
               "    n%u_%u -> n%u_%ur [label=\" resumed\", style=dashed, arrowhead=none];\n"
               "    n%u_%uc -> n%u_%ur [label=\" ready at once\", arrowhead=none];\n",
               j->index, index, j->index, index, j->index, index, j->index, index, j->index, index,
               j->index, index);
}

/* ---- the function
 * -------------------------------------------------------------------------------- */

static void print_title(struct dot_job *j)
{
    const state_graph *g = j->g;
    strbuf_str(j->out,
               "    label=<<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" "
               "CELLPADDING=\"2\"><TR><TD ALIGN=\"LEFT\" BALIGN=\"LEFT\"><FONT FACE=\"" DOT_MONO
               "\" POINT-SIZE=\"13\"><B>");
    dot_html(j->out, dot_wrap(g->mem, g->signature, 64, 3));
    strbuf_str(
        j->out,
        "</B></FONT></TD></TR><TR><TD ALIGN=\"LEFT\"><FONT POINT-SIZE=\"10\" COLOR=\"" DOT_MUTED
        "\">");
    dot_html(j->out,
             arena_printf(g->mem, "%s:%u   %u state%s   frame %s B, with children %s B",
                          g->file->shown, g->line, g->m->state_count,
                          g->m->state_count == 1 ? "" : "s", dot_bytes(g->mem, g->m->frame_bytes),
                          dot_bytes(g->mem, g->m->need_bytes)));
    if (g->old_frame_bytes != 0 && g->old_frame_bytes != g->m->frame_bytes)
        strbuf_fmt(j->out, "  (was %s B)", dot_bytes(g->mem, g->old_frame_bytes));
    if (g->change != CHANGE_NONE)
        strbuf_fmt(j->out, "  %s", change_word(g->change));
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
    print_title(&j);
    print_inside(&j, AIR_NONE);
    strbuf_str(out, is_alone ? "" : "  }\n");
    for (uint32_t i = 0; set->show_ready && i < fold.nodes.count; i++)
        print_ready(&j, i);
    for (size_t i = 0; i < fold.edges.count; i++)
        print_edge(&j, &fold.edges.at[i]);
    for (uint32_t i = 0; index + 1 < set->function_count && i < fold.nodes.count; i++) {
        bool is_last = fold.nodes.at[i].kind != FOLD_ONE || !leads_on(&fold, i);
        if (is_last && !is_repeated(&j, i)) /* functions below each other */
            strbuf_fmt(out, "  n%u_%u -> n%u_0 [style=invis];\n", index, i, index + 1);
    }
}
