/* SPDX-License-Identifier: MIT */
/*
 * The edges of a state machine in DOT. What stands on an edge is a node between two halves of it:
 *
 *     n0_1 -> w0_4 -> n0_2        w0_4: n <= 0
 *
 * An edge back to an earlier state is turned around with its arrow at the tail, so that the picture
 * reads from top to bottom in the order of the source.
 */
#include "analyzer/base/check.h"
#include "analyzer/diagram/dot_states.h"

enum { MANY_WAYS = 7 /* an end that more edges lead to is drawn at each of them */ };

static bool is_word_owner(const struct dot_job *j, size_t edge)
{
    return j->words[edge].owner == edge;
}

bool dot_is_repeated(const struct dot_job *j, uint32_t index)
{
    const struct fold_node *f = &j->fold->nodes.at[index];
    uint32_t ways = 0;
    if (f->kind != FOLD_ONE || j->g->nodes.at[f->node].kind < NODE_RETURNED)
        return false;
    for (size_t i = 0; i < j->fold->edges.count; i++)
        ways += j->fold->edges.at[i].to == index && is_word_owner(j, i);
    return ways > MANY_WAYS;
}

/* ---- what stands on edges
 * ------------------------------------------------------------------------------------- */

static const char *condition_of(const struct dot_job *j, const struct fold_edge *f)
{
    const state_graph *g = j->g;
    const struct state_edge *e = &g->edges.at[f->edge];
    if (f->count > 1)
        return arena_printf(g->mem, "%u\u00d7", f->count);
    if (e->is_back && e->label[0] == '\0' && g->nodes.at[e->to].kind == NODE_STATE)
        return arena_printf(g->mem, "again :%u", g->scope_line[e->back_scope]);
    return e->label;
}

/* How often a recorded run has taken it; where it never has, the line says so. */
static const char *passes_of(const struct dot_job *j, const struct fold_edge *f)
{
    return j->g->has_run && f->passes > 0 ? graph_times(j->g->mem, f->passes) : "";
}

static const char *cleanups_of(const struct dot_job *j, const struct fold_edge *f)
{
    const state_graph *g = j->g;
    const struct state_edge *e = &g->edges.at[f->edge];
    strbuf out = strbuf_in(g->mem);
    for (uint32_t i = 0; i < e->cleanup_count && f->count == 1; i++) {
        const struct machine_cleanup *c = &g->m->cleanups[e->cleanups[i]];
        const char *newline = out.len > 0 ? "\n" : "";
        if (c->kind == MACHINE_DEFER)
            strbuf_fmt(&out, "%sruns defer :%u", newline, g->cleanup_line[e->cleanups[i]]);
        else if (c->kind == MACHINE_VARIABLE)
            strbuf_fmt(&out, "%sruns %s", newline,
                       source_shorten(g->mem, g->cleanup_text[e->cleanups[i]], 30));
    }
    return strbuf_text(&out);
}

static bool has_word(const struct edge_word *w)
{
    return w->condition[0] != '\0' || w->cleanups[0] != '\0' || w->passes[0] != '\0';
}

static uint32_t scope_of(const struct dot_job *j, uint32_t fold_node)
{
    const struct fold_node *f = &j->fold->nodes.at[fold_node];
    return f->kind == FOLD_ONE ? j->g->nodes.at[f->node].scope : AIR_NONE;
}

/* The innermost scope around both. */
static uint32_t common_scope(const struct dot_job *j, uint32_t a, uint32_t b)
{
    for (; a != AIR_NONE; a = j->g->m->scopes[a].parent) {
        for (uint32_t s = b; s != AIR_NONE; s = j->g->m->scopes[s].parent) {
            if (s == a)
                return a;
        }
    }
    return AIR_NONE;
}

/* An earlier cancel that runs the same and leads to the same end, or the edge itself. */
static uint32_t word_owner(const struct dot_job *j, uint32_t edge)
{
    const struct fold_edge *f = &j->fold->edges.at[edge];
    for (uint32_t i = 0; i < edge && j->g->edges.at[f->edge].is_cancel; i++) {
        const struct fold_edge *k = &j->fold->edges.at[i];
        const struct edge_word *w = &j->words[i], *own = &j->words[edge];
        if (k->to == f->to && j->g->edges.at[k->edge].is_cancel && has_word(w) &&
            strcmp(w->condition, own->condition) == 0 && strcmp(w->cleanups, own->cleanups) == 0 &&
            strcmp(w->passes, own->passes) == 0)
            return w->owner;
    }
    return edge;
}

void dot_edge_words(struct dot_job *j)
{
    j->words = ARENA_ARRAY(j->g->mem, struct edge_word, j->fold->edges.count + 1);
    for (uint32_t i = 0; i < j->fold->edges.count; i++) {
        const struct fold_edge *f = &j->fold->edges.at[i];
        struct edge_word *w = &j->words[i];
        w->condition = condition_of(j, f);
        w->cleanups = cleanups_of(j, f);
        w->passes = passes_of(j, f);
        w->scope = common_scope(j, scope_of(j, f->from), scope_of(j, f->to));
        w->owner = word_owner(j, i);
        struct edge_word *owner = &j->words[w->owner];
        owner->scope = common_scope(j, owner->scope, w->scope);
    }
}

static void word_lines(strbuf *out, const char *text, const char *colour)
{
    while (text[0] != '\0') {
        size_t len = strcspn(text, "\n");
        strbuf_fmt(out, "<TR><TD><FONT COLOR=\"%s\">", colour);
        dot_html_view(out, (strview){text, len});
        strbuf_str(out, "</FONT></TD></TR>");
        text += len + (text[len] == '\n');
    }
}

/* A node that is but text; `more`: further attributes. */
static void word_node(struct dot_job *j, const char *name, const struct edge_word *w,
                      const char *more)
{
    strbuf_fmt(j->out,
               "    %s [class=\"word\", fontsize=10, label=<<TABLE BORDER=\"0\" CELLBORDER=\"0\" "
               "CELLPADDING=\"1\" CELLSPACING=\"0\">",
               name);
    word_lines(j->out, w->condition, DOT_INK);
    word_lines(j->out, w->cleanups, DOT_MUTED);
    word_lines(j->out, w->passes, DOT_RUN);
    strbuf_fmt(j->out, "</TABLE>>%s];\n", more);
}

static const char *edge_names(const struct dot_job *j, const struct fold_edge *f,
                              const char *suffix)
{
    strbuf out = strbuf_in(j->g->mem);
    const struct state_edge *e = &j->g->edges.at[f->edge];
    strbuf_fmt(&out, ", id=\"%s.e%u%s\", tooltip=", j->g->name, f->edge, suffix);
    dot_quoted(&out, e->condition[0] == '\0' ? "always" : e->condition);
    return strbuf_text(&out);
}

void dot_words(struct dot_job *j, uint32_t scope)
{
    for (uint32_t i = 0; i < j->fold->edges.count; i++) {
        const struct fold_edge *f = &j->fold->edges.at[i];
        const struct edge_word *w = &j->words[i];
        if (has_word(w) && w->owner == i && w->scope == scope)
            word_node(j, arena_printf(j->g->mem, "w%u_%u", j->index, i), w,
                      edge_names(j, f, ".word"));
    }
}

/* ---- lines
 * ------------------------------------------------------------------------------------- */

/* A line of the picture, in the direction of the program. */
struct line {
    const char *from, *to, *id_suffix;
    bool has_arrow, turns;
};

static void print_line(struct dot_job *j, const struct fold_edge *f, const struct line *l)
{
    const struct state_edge *e = &j->g->edges.at[f->edge];
    const char *direction = !l->has_arrow ? "dir=none" : l->turns ? "dir=back" : "dir=forward";
    const char *style = e->is_cancel ? ", style=dotted, color=\"" DOT_MUTED
                                       "\", arrowhead=open, class=\"cancel\""
                        : e->is_back ? ", style=dashed, class=\"back\""
                                     : "";
    const char *run = !j->g->has_run  ? ""
                      : f->passes > 0 ? ", penwidth=2.4, color=\"" DOT_RUN "\""
                      : !e->is_cancel ? ", penwidth=0.7, color=\"" DOT_MUTED "\""
                                      : "";
    strbuf_fmt(j->out, "    %s -> %s [%s%s%s", l->turns ? l->to : l->from,
               l->turns ? l->from : l->to, direction, style, run);
    strbuf_fmt(j->out, "%s];\n", edge_names(j, f, l->id_suffix));
}

static bool is_split(const struct dot_job *j, uint32_t fold_node)
{
    const struct fold_node *f = &j->fold->nodes.at[fold_node];
    return j->set->show_ready && f->kind == FOLD_ONE && j->g->nodes.at[f->node].kind == NODE_STATE;
}

static void print_edge(struct dot_job *j, uint32_t edge)
{
    arena *mem = j->g->mem;
    const struct fold_edge *f = &j->fold->edges.at[edge];
    const struct state_edge *e = &j->g->edges.at[f->edge];
    const struct edge_word *w = &j->words[edge];
    const char *tail = is_split(j, f->from) && !e->is_cancel ? "r" : "";
    const char *head = is_split(j, f->to) ? "c" : "";
    bool turns = e->is_back && f->from >= f->to && f->from != f->to;
    if (dot_is_repeated(j, f->to) && is_word_owner(j, edge)) {
        head = arena_printf(mem, "e%u", f->edge);
        dot_node(j, f->to, head);
    }
    const char *from = arena_printf(mem, "n%u_%u%s", j->index, f->from, tail);
    const char *to = arena_printf(mem, "n%u_%u%s", j->index, f->to, head);
    if (!has_word(w)) {
        print_line(j, f, &(struct line){from, to, "", true, turns});
        return;
    }
    const char *word = arena_printf(mem, "w%u_%u", j->index, w->owner);
    bool is_self = f->from == f->to;
    const char *in = is_self ? word : arena_printf(mem, "%s:%s", word, turns ? "s" : "n");
    const char *out = is_self ? word : arena_printf(mem, "%s:%s", word, turns ? "n" : "s");
    print_line(j, f, &(struct line){from, in, ".tail", false, turns});
    if (is_word_owner(j, edge))
        print_line(j, f, &(struct line){out, to, "", true, turns || is_self});
}

/* The two ways through an await: past the box, or through it.
 *
 *     call 1 -- not ready -> [1 READ] -- resumed -- o
 *        `------------ ready at once ---------------'
 */
void dot_ready_nodes(struct dot_job *j, uint32_t index)
{
    static const char *const texts[] = {"not ready: suspends", "ready at once", "resumed"};
    if (!is_split(j, index))
        return;
    strbuf_fmt(j->out,
               "    n%u_%uc [shape=box, style=\"rounded,filled\", fillcolor=\"" DOT_SHADE
               "\", height=0.25, margin=\"0.1,0.03\", label=\"call %u\"];\n"
               "    n%u_%ur [shape=point, width=0.08, label=\"\"];\n",
               j->index, index, j->g->nodes.at[j->fold->nodes.at[index].node].number, j->index,
               index);
    for (uint32_t i = 0; i < COUNTOF(texts); i++)
        word_node(j, arena_printf(j->g->mem, "r%u_%u_%u", j->index, index, i),
                  &(struct edge_word){.condition = texts[i], .cleanups = "", .passes = ""}, "");
}

static void print_ready(struct dot_job *j, uint32_t index)
{
    if (!is_split(j, index))
        return;
    const char *node = arena_printf(j->g->mem, "n%u_%u", j->index, index);
    const char *word = arena_printf(j->g->mem, "r%u_%u", j->index, index);
    strbuf_fmt(j->out,
               "    %sc -> %s_0:n [style=dashed, dir=none, weight=20];\n"
               "    %s_0:s -> %s [style=dashed, weight=20];\n"
               "    %s -> %s_2:n [style=dashed, dir=none, weight=20];\n"
               "    %s_2:s -> %sr [style=dashed, dir=none, weight=20];\n"
               "    %sc -> %s_1:n [dir=none];\n"
               "    %s_1:s -> %sr [dir=none];\n",
               node, word, word, node, node, word, word, node, node, word, word, node);
}

/* What only a cancel leads to has its place even where cancels are not drawn. */
static void print_hidden(struct dot_job *j)
{
    for (size_t i = 0; i < j->g->edges.count && !j->set->show_cancel; i++) {
        const struct state_edge *e = &j->g->edges.at[i];
        uint32_t from = j->fold->of[e->from], to = j->fold->of[e->to];
        bool is_state = j->g->nodes.at[e->to].kind == NODE_STATE;
        if (e->is_cancel && is_state && from != AIR_NONE && to != AIR_NONE && from != to)
            strbuf_fmt(j->out, "    n%u_%u -> n%u_%u [style=invis];\n", j->index, from, j->index,
                       to);
    }
}

void dot_edges(struct dot_job *j)
{
    for (uint32_t i = 0; i < j->fold->nodes.count; i++)
        print_ready(j, i);
    for (uint32_t i = 0; i < j->fold->edges.count; i++)
        print_edge(j, i);
    print_hidden(j);
}
