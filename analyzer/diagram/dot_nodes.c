/* SPDX-License-Identifier: MIT */
/*
 * The nodes of a state machine in DOT, with their labels: a box for each state, a hexagon for each
 * choice, and what the start and the ends look like.
 */
#include <inttypes.h>

#include "analyzer/base/check.h"
#include "analyzer/diagram/dot_states.h"

enum { TEXT_CHARS = 46, TYPE_CHARS = 24, NAME_CHARS = 20, SHOWN_LOCALS = 6 };

/* ---- labels
 * ------------------------------------------------------------------------------------- */

static void local_row(struct dot_job *j, const struct kept_local *k)
{
    const machine *m = j->g->m;
    const struct air_local *l = &m->air->locals.at[k->local];
    const struct machine_slot *slot = graph_slot(m, k->local);
    const char *type = arena_strndup(j->g->mem, l->type.at, l->type.len);
    strbuf_str(j->out, "<TR><TD ALIGN=\"LEFT\">");
    dot_html(j->out, source_shorten(j->g->mem, graph_local_name(m, k->local), NAME_CHARS));
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

const char *dot_change_word(enum graph_change change)
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

static bool is_only_cancelled(const struct dot_job *j, const struct state_node *n)
{
    for (size_t i = 0; i < j->g->edges.count; i++) {
        const struct state_edge *e = &j->g->edges.at[i];
        if (&j->g->nodes.at[e->to] == n && !e->is_cancel && j->g->nodes.at[e->from].is_reachable)
            return false;
    }
    return n->change != CHANGE_REMOVED;
}

/* Has no recorded run come here? */
static bool is_unused(const struct dot_job *j, const struct state_node *n)
{
    return j->g->has_run && n->passes == 0;
}

static void state_label(struct dot_job *j, const struct state_node *n)
{
    const char *border = n->is_reachable ? "1" : "1\" STYLE=\"DASHED";
    const char *colour = n->change == CHANGE_ADDED     ? DOT_ADDED
                         : n->change == CHANGE_REMOVED ? DOT_WARN
                         : is_unused(j, n)             ? DOT_MUTED
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
    const char *note = !n->is_reachable          ? "nothing leads here"
                       : is_only_cancelled(j, n) ? "only a cancel leads here"
                                                 : NULL;
    if (note != NULL)
        strbuf_fmt(j->out,
                   "<TR><TD ALIGN=\"LEFT\" CELLPADDING=\"5\"><FONT POINT-SIZE=\"9\" "
                   "COLOR=\"" DOT_MUTED "\"><I>%s</I></FONT></TD></TR>",
                   note);
    if (n->change != CHANGE_NONE)
        strbuf_fmt(j->out,
                   "<TR><TD ALIGN=\"LEFT\" CELLPADDING=\"5\"><FONT POINT-SIZE=\"9\" "
                   "COLOR=\"%s\"><B>%s</B></FONT></TD></TR>",
                   colour, dot_change_word(n->change));
    if (j->g->has_run)
        strbuf_fmt(j->out,
                   "<TR><TD ALIGN=\"LEFT\" CELLPADDING=\"5\"><FONT POINT-SIZE=\"9\" "
                   "COLOR=\"%s\">%s</FONT></TD></TR>",
                   is_unused(j, n) ? DOT_MUTED : DOT_RUN, graph_passes(j->g->mem, n));
    local_rows(j, n);
    finding_rows(j, n);
    strbuf_str(j->out, "</TABLE>>");
}

static void choice_label(struct dot_job *j, const struct state_node *n)
{
    const char *text = n->kind == NODE_LOOP ? n->question : n->title;
    strbuf_str(j->out, "<<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"1\">"
                       "<TR><TD BALIGN=\"LEFT\"><FONT FACE=\"" DOT_MONO "\" POINT-SIZE=\"10\">");
    dot_html(j->out, text[0] == '\0' ? "next round" : source_shorten(j->g->mem, text, 34));
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

void dot_node(struct dot_job *j, uint32_t index, const char *copy)
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
    dot_ready_nodes(j, index);
}
