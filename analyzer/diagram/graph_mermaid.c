/* SPDX-License-Identifier: MIT */
/*
 * For pages that draw Mermaid themselves: code reviews, wikis, READMEs. States and frames of each
 * function are flowcharts, as state diagrams cannot style what they must; text is quoted, with
 * Mermaid's own entities for what it would read as syntax. Several functions are one flowchart with
 * a subgraph each.
 */
#include <inttypes.h>

#include "analyzer/base/check.h"
#include "analyzer/diagram/dot_text.h"
#include "analyzer/diagram/frame_table.h"
#include "analyzer/diagram/graph_fold.h"
#include "analyzer/diagram/graph_set.h"
#include "analyzer/diagram/json_text.h"

enum { TEXT_CHARS = 60 };

/* Inside quotes. */
static void mermaid_text(strbuf *out, const char *text)
{
    strview view = sv_from(text);
    for (size_t i = 0; i < view.len;) {
        uint32_t len = utf8_length(view, i);
        unsigned char c = (unsigned char)view.at[i];
        if (c == '\n')
            strbuf_str(out, "<br/>");
        else if (len == 1 && c >= 0x20 && c != 0x7f && strchr("\"#&<>`\\*_~|{}[];", c) == NULL)
            strbuf_char(out, (char)c);
        else if (len == 1)
            strbuf_fmt(out, "#%u;", c < 0x20 ? 32u : c);
        else if (len > 1)
            strbuf_add(out, view.at + i, len);
        i += len == 0 ? 1 : len;
    }
}

/* ---- states
 * ------------------------------------------------------------------------------------- */

struct mermaid_job {
    const graph_set *set;
    const state_graph *g;
    const graph_fold *fold;
    uint32_t index;
    strbuf *out;
};

static const char *state_text(struct mermaid_job *j, const struct state_node *n)
{
    strbuf out = strbuf_in(j->g->mem);
    strbuf_fmt(&out, "%u %s  %s :%u\n%s", n->number, n->title, n->what, n->line,
               source_shorten(j->g->mem, n->text, TEXT_CHARS));
    if (j->set->show_locals && n->keeps.count > 0)
        strbuf_fmt(&out, "\nkeeps %s B:", dot_bytes(j->g->mem, n->kept_bytes));
    for (size_t i = 0; j->set->show_locals && i < n->keeps.count && i < 5; i++)
        strbuf_fmt(&out, " %s", graph_local_name(j->g->m, n->keeps.at[i].local));
    if (j->set->show_locals && n->keeps.count > 5)
        strbuf_fmt(&out, " and %zu more", n->keeps.count - 5);
    for (size_t i = 0; i < n->findings.count; i++)
        strbuf_fmt(&out, "\n! %s", n->findings.at[i]->rule);
    if (j->g->has_run)
        strbuf_fmt(&out, "\n%s", graph_passes(j->g->mem, n));
    if (n->change == CHANGE_ADDED)
        strbuf_str(&out, "\n+ added");
    if (n->change == CHANGE_REMOVED)
        strbuf_str(&out, "\n- removed");
    return strbuf_text(&out);
}

static void print_node(struct mermaid_job *j, uint32_t index)
{
    static const char *const open[] = {
        [NODE_START] = "([\"",  [NODE_STATE] = "[\"",     [NODE_LOOP] = "{{\"",
        [NODE_SWITCH] = "{{\"", [NODE_RETURNED] = "([\"", [NODE_CANCELLED] = "([\"",
        [NODE_STOPPED] = "([\""};
    static const char *const close[] = {
        [NODE_START] = "\"])",  [NODE_STATE] = "\"]",     [NODE_LOOP] = "\"}}",
        [NODE_SWITCH] = "\"}}", [NODE_RETURNED] = "\"])", [NODE_CANCELLED] = "\"])",
        [NODE_STOPPED] = "\"])"};
    const struct fold_node *f = &j->fold->nodes.at[index];
    const struct state_node *n = &j->g->nodes.at[f->node];
    const char *text = n->kind == NODE_START   ? "start"
                       : n->kind == NODE_STATE ? state_text(j, n)
                                               : source_shorten(j->g->mem, n->title, TEXT_CHARS);
    if (n->kind == NODE_LOOP && n->question[0] != '\0')
        text = arena_printf(j->g->mem, "%s ?", source_shorten(j->g->mem, n->question, TEXT_CHARS));
    if (f->kind == FOLD_MANY)
        text = arena_printf(j->g->mem, "%u \u2013 %u: %u states\nkeep up to %s B", f->first_state,
                            f->last_state, f->count, dot_bytes(j->g->mem, f->kept_bytes));
    else if (f->kind == FOLD_STUB && n->kind == NODE_STATE)
        text = arena_printf(j->g->mem, "%u %s", n->number, n->title);
    strbuf_fmt(j->out, "    f%u_n%u%s", j->index, index, open[n->kind]);
    mermaid_text(j->out, text);
    strbuf_fmt(j->out, "%s\n", close[n->kind]);
}

static const char *edge_text(struct mermaid_job *j, const struct fold_edge *f)
{
    const struct state_edge *e = &j->g->edges.at[f->edge];
    strbuf out = strbuf_in(j->g->mem);
    if (f->count > 1)
        return arena_printf(j->g->mem, "%u\u00d7", f->count);
    strbuf_str(&out, e->label);
    if (j->g->has_run)
        strbuf_fmt(&out, "%s%s", out.len > 0 ? "\n" : "", graph_times(j->g->mem, e->passes));
    for (uint32_t i = 0; i < e->cleanup_count; i++)
        strbuf_fmt(&out, "%sruns %s", out.len > 0 ? "\n" : "",
                   source_shorten(j->g->mem, j->g->cleanup_text[e->cleanups[i]], 40));
    return strbuf_text(&out);
}

static void print_edge(struct mermaid_job *j, const struct fold_edge *f)
{
    const struct state_edge *e = &j->g->edges.at[f->edge];
    const char *text = edge_text(j, f);
    strbuf_fmt(j->out, "  f%u_n%u %s", j->index, f->from,
               e->is_cancel || e->is_back ? "-.->" : "-->");
    if (text[0] != '\0') {
        strbuf_str(j->out, "|\"");
        mermaid_text(j->out, text);
        strbuf_str(j->out, "\"|");
    }
    strbuf_fmt(j->out, " f%u_n%u\n", j->index, f->to);
}

static void states(const graph_set *set, uint32_t index, strbuf *out)
{
    const state_graph *g = set->functions[index];
    graph_fold fold = graph_fold_of(set, g);
    struct mermaid_job j = {.set = set, .g = g, .fold = &fold, .index = index, .out = out};
    strbuf_fmt(out, "  subgraph f%u[\"", index);
    mermaid_text(out, arena_printf(g->mem, "%s  %s:%u, frame %s B", g->name, g->file->shown,
                                   g->line, dot_bytes(g->mem, g->m->frame_bytes)));
    strbuf_str(out, "\"]\n");
    for (uint32_t i = 0; i < fold.nodes.count; i++)
        print_node(&j, i);
    strbuf_str(out, "  end\n");
    for (size_t i = 0; i < fold.edges.count; i++)
        print_edge(&j, &fold.edges.at[i]);
}

/* ---- frames and calls
 * --------------------------------------------------------------------------- */

static void frame(const state_graph *g, uint32_t index, strbuf *out)
{
    frame_table t = frame_table_build(g);
    strbuf_fmt(out, "  subgraph f%u[\"", index);
    mermaid_text(out, arena_printf(g->mem, "frame of %s: %s B, with children %s B", g->name,
                                   dot_bytes(g->mem, g->m->frame_bytes),
                                   dot_bytes(g->mem, frame_with_children(g->m))));
    strbuf_str(out, "\"]\n    direction TB\n");
    for (size_t i = 0; i < t.rows.count; i++) {
        const struct frame_row *r = &t.rows.at[i];
        strbuf_fmt(out, "    f%u_r%zu[\"", index, i);
        mermaid_text(out,
                     arena_printf(g->mem, "%s  %s B  %s  %s", dot_bytes(g->mem, r->offset_bytes),
                                  dot_bytes(g->mem, r->size_bytes), r->name,
                                  source_shorten(g->mem, r->type, 30)));
        if (r->keeper != 0) {
            strbuf_str(out, "<br/>");
            mermaid_text(out, arena_printf(g->mem, "kept by %u, %s%s", r->keeper, r->why,
                                           r->sharers > 1 ? "; shares its slot" : ""));
        }
        strbuf_str(out, "\"]\n");
        if (i > 0)
            strbuf_fmt(out, "    f%u_r%zu --- f%u_r%zu\n", index, i - 1, index, i);
    }
    strbuf_str(out, "  end\n");
}

static void calls(const await_graph *calls, strbuf *out)
{
    for (size_t i = 0; i < calls->nodes.count; i++) {
        const struct await_node *n = &calls->nodes.at[i];
        strbuf_fmt(out, "  %s%s", n->id, n->m != NULL ? "[\"" : "([\"");
        const char *text = n->name;
        if (n->kind == AWAIT_ASYNC)
            text = arena_printf(
                calls->mem, "%s\n%s:%u\nown %s B, deep %s%s B%s", n->name, n->file->shown, n->line,
                dot_bytes(calls->mem, n->own_bytes), n->is_at_least ? "at least " : "",
                dot_bytes(calls->mem, n->deep_bytes), n->is_unbounded ? " a level" : "");
        if (n->may_block)
            text = arena_printf(calls->mem, "%s\n! may block%s%s", text,
                                n->blocks_in == NULL ? "" : " in ",
                                n->blocks_in == NULL ? "" : n->blocks_in);
        mermaid_text(out, text);
        strbuf_fmt(out, "%s\n", n->m != NULL ? "\"]" : "\"])");
    }
    for (size_t i = 0; i < calls->edges.count; i++) {
        const struct await_edge *e = &calls->edges.at[i];
        const char *word = e->kind == EDGE_SPAWN      ? "spawn"
                           : e->kind == EDGE_BLOCK_ON ? "block on"
                                                      : "";
        strbuf_fmt(out, "  %s %s", calls->nodes.at[e->from].id,
                   e->kind == EDGE_AWAIT ? "-->" : "-.->");
        if (e->count > 1 || word[0] != '\0')
            strbuf_fmt(out, "|\"%s%s%s\"|", word, e->count > 1 && word[0] != '\0' ? " " : "",
                       e->count > 1 ? arena_printf(calls->mem, "%u\u00d7", e->count) : "");
        strbuf_fmt(out, " %s\n", calls->nodes.at[e->to].id);
    }
}

void graph_mermaid(const graph_set *set, strbuf *out)
{
    strbuf_fmt(out, "flowchart %s\n", set->view == VIEW_CALLS ? "LR" : "TB");
    if (set->view == VIEW_CALLS)
        calls(set->calls, out);
    for (uint32_t i = 0; set->view != VIEW_CALLS && i < set->function_count; i++) {
        if (set->view == VIEW_FRAME)
            frame(set->functions[i], i, out);
        else
            states(set, i, out);
    }
}
