/* SPDX-License-Identifier: MIT */
/*
 * A frame in DOT: one table, one row a field, with a bar for its share of the frame, and a column
 * for each state in which it is needed.
 */
#include <inttypes.h>

#include "analyzer/base/check.h"
#include "analyzer/diagram/dot_text.h"
#include "analyzer/diagram/frame_table.h"

enum { STATE_COLUMNS = 16, BAR_PIXELS = 120 };

struct frame_job {
    const state_graph *g;
    strbuf *out;
    uint32_t columns; /* of states */
};

static void cell(struct frame_job *j, const char *align, const char *text, bool is_muted)
{
    strbuf_fmt(j->out, "<TD ALIGN=\"%s\"%s>", align, is_muted ? "" : " BALIGN=\"LEFT\"");
    if (is_muted)
        strbuf_str(j->out, "<FONT COLOR=\"" DOT_MUTED "\">");
    dot_html(j->out, text);
    strbuf_str(j->out, is_muted ? "</FONT></TD>" : "</TD>");
}

static void head_row(struct frame_job *j)
{
    static const char *const titles[] = {"offset", "bytes", "", "name", "type", "where"};
    strbuf_str(j->out, "<TR>");
    for (size_t i = 0; i < COUNTOF(titles); i++)
        cell(j, i < 2 ? "RIGHT" : "LEFT", titles[i], true);
    for (uint32_t i = 0; i < j->columns; i++)
        strbuf_fmt(j->out, "<TD><FONT COLOR=\"" DOT_MUTED "\"><B>%u</B></FONT></TD>", i + 1);
    cell(j, "LEFT", "kept by", true);
    strbuf_str(j->out, "</TR><HR/>");
}

static void bar_cell(struct frame_job *j, const struct frame_row *r, uint32_t rows)
{
    uint64_t whole = j->g->m->frame_bytes == 0 ? 1 : j->g->m->frame_bytes;
    uint64_t width = r->slot_bytes * BAR_PIXELS / whole;
    width = width == 0 ? 1 : width;
    const char *colour = r->kind == ROW_LOCAL     ? DOT_BAR
                         : r->kind == ROW_PADDING ? DOT_RULE
                                                  : DOT_MUTED;
    strbuf_fmt(j->out,
               "<TD ALIGN=\"LEFT\" ROWSPAN=\"%u\"><TABLE BORDER=\"0\" CELLBORDER=\"0\" "
               "CELLSPACING=\"0\" CELLPADDING=\"0\"><TR><TD BGCOLOR=\"%s\" WIDTH=\"%" PRIu64
               "\" HEIGHT=\"9\" FIXEDSIZE=\"TRUE\"></TD>",
               rows, colour, width);
    if (width < BAR_PIXELS)
        strbuf_fmt(j->out, "<TD WIDTH=\"%" PRIu64 "\" HEIGHT=\"9\" FIXEDSIZE=\"TRUE\"></TD>",
                   BAR_PIXELS - width);
    strbuf_str(j->out, "</TR></TABLE></TD>");
}

static void state_cells(struct frame_job *j, const struct frame_row *r)
{
    for (uint32_t i = 0; i < j->columns; i++) {
        if (r->kind == ROW_LOCAL && bitset_has(&r->alive, i))
            strbuf_str(j->out,
                       "<TD CELLPADDING=\"2\"><FONT COLOR=\"" DOT_BAR "\">\u25cf</FONT></TD>");
        else
            strbuf_str(j->out,
                       "<TD CELLPADDING=\"2\"><FONT COLOR=\"" DOT_RULE "\">\u00b7</FONT></TD>");
    }
}

static void keeper_cell(struct frame_job *j, const struct frame_row *r)
{
    const struct state_node *n = r->keeper == 0 ? NULL : state_graph_state(j->g, r->keeper);
    const char *text = "";
    if (n != NULL)
        text = arena_printf(j->g->mem, "%u %s :%u, %s", r->keeper,
                            source_shorten(j->g->mem, n->title, 18), n->line, r->why);
    cell(j, "LEFT", text, true);
}

static const char *where_text(const struct frame_row *r)
{
    if (r->kind != ROW_LOCAL)
        return r->kind == ROW_PADDING ? "" : "fixed";
    return r->is_resident ? "lives here" : "saved on suspend";
}

static void body_row(struct frame_job *j, const struct frame_row *r)
{
    bool is_gap = r->kind == ROW_PADDING;
    strbuf_str(j->out, "<TR>");
    if (r->kind != ROW_LOCAL || r->is_first_sharer) {
        uint32_t rows = r->kind == ROW_LOCAL ? r->sharers : 1;
        strbuf_fmt(j->out, "<TD ALIGN=\"RIGHT\" ROWSPAN=\"%u\">%s</TD>", rows,
                   dot_bytes(j->g->mem, r->offset_bytes));
        strbuf_fmt(j->out, "<TD ALIGN=\"RIGHT\" ROWSPAN=\"%u\">%s</TD>", rows,
                   dot_bytes(j->g->mem, r->slot_bytes));
        bar_cell(j, r, rows);
    }
    if (is_gap) {
        strbuf_str(j->out,
                   "<TD ALIGN=\"LEFT\"><FONT COLOR=\"" DOT_MUTED "\"><I>padding</I></FONT></TD>");
    } else {
        strbuf_str(j->out, "<TD ALIGN=\"LEFT\"><FONT FACE=\"" DOT_MONO "\">");
        dot_html(j->out, source_shorten(j->g->mem, r->name, 26));
        strbuf_str(j->out, "</FONT></TD>");
    }
    cell(j, "LEFT", source_shorten(j->g->mem, r->type, 30), true);
    cell(j, "LEFT",
         r->sharers > 1 ? arena_printf(j->g->mem, "%s, shares", where_text(r)) : where_text(r),
         true);
    state_cells(j, r);
    keeper_cell(j, r);
    strbuf_str(j->out, "</TR>");
}

static const char *summary_text(const state_graph *g, const frame_table *t)
{
    const machine *m = g->m;
    strbuf out = strbuf_in(g->mem);
    strbuf_fmt(&out, "locals %s B, fixed %s B, padding %s B", dot_bytes(g->mem, t->local_bytes),
               dot_bytes(g->mem, t->field_bytes), dot_bytes(g->mem, t->padding_bytes));
    if (t->shared_bytes > 0)
        strbuf_fmt(&out, "; sharing saves %s B", dot_bytes(g->mem, t->shared_bytes));
    bool is_inside = m->need_bytes < m->frame_bytes + m->child_bytes;
    strbuf_fmt(&out, "\n%s it, room for what is awaited: %s B", is_inside ? "inside" : "behind",
               dot_bytes(g->mem, m->child_bytes));
    const struct state_node *worst =
        t->worst_state == 0 ? NULL : state_graph_state(g, t->worst_state);
    if (worst != NULL)
        strbuf_fmt(&out, ", most for state %u %s :%u", worst->number,
                   source_shorten(g->mem, worst->title, 24), worst->line);
    strbuf_fmt(&out, "; together %s B", dot_bytes(g->mem, frame_with_children(m)));
    return strbuf_text(&out);
}

void dot_frame(const graph_set *set, const state_graph *g, uint32_t index, strbuf *out)
{
    struct frame_job j = {.g = g, .out = out};
    frame_table t = frame_table_build(g);
    j.columns = g->m->state_count <= STATE_COLUMNS ? g->m->state_count : 0;
    uint32_t span = 7 + j.columns;
    strbuf_fmt(out,
               "  subgraph cluster_%u {\n    style=\"rounded\"; color=\"" DOT_RULE
               "\"; margin=12; label=\"\"; id=\"%s\";\n"
               "    f%u [class=\"frame\", id=\"%s.frame\", tooltip=",
               index, g->name, index, g->name);
    dot_quoted(out, g->signature);
    strbuf_fmt(out,
               ", label=<<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"4\">"
               "<TR><TD ALIGN=\"LEFT\" COLSPAN=\"%u\"><FONT FACE=\"" DOT_MONO
               "\" POINT-SIZE=\"13\"><B>%s</B></FONT>   <FONT COLOR=\"" DOT_MUTED "\">frame</FONT> "
               "<B>%s B</B>   <FONT COLOR=\"" DOT_MUTED "\">",
               span, g->name, dot_bytes(g->mem, g->m->frame_bytes));
    if (g->old_frame_bytes != 0 && g->old_frame_bytes != g->m->frame_bytes)
        strbuf_fmt(out, "was %s B   ", dot_bytes(g->mem, g->old_frame_bytes));
    dot_html(out, arena_printf(g->mem, "%s:%u", g->file->shown, g->line));
    strbuf_str(out, "</FONT></TD></TR>");
    head_row(&j);
    for (size_t i = 0; i < t.rows.count; i++)
        body_row(&j, &t.rows.at[i]);
    strbuf_fmt(out,
               "<HR/><TR><TD ALIGN=\"LEFT\" BALIGN=\"LEFT\" COLSPAN=\"%u\"><FONT COLOR=\"" DOT_MUTED
               "\">",
               span);
    dot_html(out, summary_text(g, &t));
    strbuf_str(out, "</FONT></TD></TR></TABLE>>];\n  }\n");
    if (index + 1 < set->function_count) /* frames below each other */
        strbuf_fmt(out, "  f%u -> f%u [style=invis];\n", index, index + 1);
}
