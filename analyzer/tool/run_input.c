/* SPDX-License-Identifier: MIT */
/*
 * A line names the states that a step leaves and enters; between them may lie choices, which a
 * program passes without a line: the shortest way past choices is the one that is counted. Of each
 * frame one thing must be known from its last line, whether a cancel made it go on, since a cancel
 * has edges of its own:
 *
 *     pending s1   unwinding s1   cancelled s1 -> cancelled      the cancel edge of s1
 *     pending s1   cancelled s1 -> cancelled                     the same: nothing to clean up
 */
#include "analyzer/tool/run_input.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/check.h"
#include "analyzer/tool/graph_input.h"

/* The last line of a frame. */
struct last_step {
    uint64_t frame; /* its address; 0: unused */
    bool by_cancel;
};

struct run_reader {
    arena *mem;
    const char *path;
    graph_set *set;
    size_t line;
    struct last_step *frames; /* hash table */
    size_t frame_slots, frame_count;
    uint64_t known_steps;    /* of functions of the set */
    uint32_t *before;        /* [edge]: how a search came to it; AIR_NONE: it started there */
    uint32_t *queue, queued; /* edges that a search has still to look behind */
    bool *seen;              /* [node] */
};

struct way {
    uint32_t from, to; /* nodes */
    bool by_cancel;
};

struct run_step {
    const char *event, *from, *to;
    uint64_t frame;
};

static const char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text == NULL ? "" : text;
}

/* ---- frames
 * ---------------------------------------------------------------------------------- */

static size_t slot_of(const struct run_reader *r, uint64_t frame)
{
    size_t s = (size_t)(frame * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (r->frame_slots - 1);
    while (r->frames[s].frame != 0 && r->frames[s].frame != frame)
        s = (s + 1) & (r->frame_slots - 1);
    return s;
}

static struct last_step *last_of(struct run_reader *r, uint64_t frame)
{
    if (r->frame_count * 2 >= r->frame_slots) {
        struct last_step *old = r->frames;
        size_t count = r->frame_slots;
        r->frame_slots = count == 0 ? 1024 : count * 2;
        r->frames = ARENA_ARRAY(r->mem, struct last_step, r->frame_slots);
        for (size_t i = 0; i < count; i++) {
            if (old[i].frame != 0)
                r->frames[slot_of(r, old[i].frame)] = old[i];
        }
    }
    struct last_step *last = &r->frames[slot_of(r, frame)];
    r->frame_count += last->frame == 0;
    last->frame = frame;
    return last;
}

/* ---- ways
 * ------------------------------------------------------------------------------------ */

static uint32_t node_named(const state_graph *g, const char *id)
{
    for (uint32_t i = 0; i < g->nodes.count; i++) {
        if (strcmp(g->nodes.at[i].id, id) == 0)
            return i;
    }
    return AIR_NONE;
}

static bool is_choice(const struct state_node *n)
{
    return n->kind == NODE_LOOP || n->kind == NODE_SWITCH;
}

/* Looks at the edges that leave `node`; the one that ends at `to`, or AIR_NONE. Those to choices
 * are queued, behind `edge`. */
static uint32_t look_on(struct run_reader *r, const state_graph *g, uint32_t edge, uint32_t node,
                        const struct way *w)
{
    for (uint32_t i = 0; i < g->edges.count; i++) {
        const struct state_edge *e = &g->edges.at[i];
        if (e->from != node || e->is_cancel != (w->by_cancel && edge == AIR_NONE))
            continue;
        if (e->to != w->to && (!is_choice(&g->nodes.at[e->to]) || r->seen[e->to]))
            continue;
        r->before[i] = edge;
        if (e->to == w->to)
            return i;
        r->seen[e->to] = true;
        r->queue[r->queued++] = i;
    }
    return AIR_NONE;
}

/* Counts the edges of the shortest way past choices; false: there is none. */
static bool count_way(struct run_reader *r, state_graph *g, const struct way *w)
{
    memset(r->seen, 0, g->nodes.count * sizeof *r->seen);
    r->queued = 0;
    uint32_t found = look_on(r, g, AIR_NONE, w->from, w);
    for (uint32_t at = 0; at < r->queued && found == AIR_NONE; at++)
        found = look_on(r, g, r->queue[at], g->edges.at[r->queue[at]].to, w);
    for (uint32_t i = found; i != AIR_NONE; i = r->before[i]) {
        g->edges.at[i].passes++;
        g->nodes.at[g->edges.at[i].to].passes++;
    }
    return found != AIR_NONE;
}

/* ---- lines
 * ----------------------------------------------------------------------------------- */

static int error_at(const struct run_reader *r, const char *what)
{
    fprintf(stderr, "%s:%zu: error: %s [awaitc-input]\n", r->path, r->line, what);
    return 2;
}

static int no_way(const struct run_reader *r, const state_graph *g, const struct run_step *s)
{
    return error_at(r, arena_printf(r->mem,
                                    "'%s' goes from '%s' to '%s', for which its graph has no way; "
                                    "the program must be made from this source, with these flags",
                                    g->name, s->from, s->to));
}

static int take_step(struct run_reader *r, state_graph *g, const struct run_step *s)
{
    struct last_step *last = last_of(r, s->frame);
    r->known_steps++;
    if (strcmp(s->event, "started") == 0) {
        g->nodes.at[0].passes++;
        last->by_cancel = false;
        return 0;
    }
    if (strcmp(s->event, "resumed") == 0 || strcmp(s->event, "unwinding") == 0) {
        last->by_cancel = s->event[0] == 'u';
        return 0;
    }
    uint32_t from = node_named(g, s->from), to = node_named(g, s->to);
    struct way way = {from, to, last->by_cancel};
    if (from == AIR_NONE || to == AIR_NONE || !count_way(r, g, &way))
        return no_way(r, g, s);
    bool suspends = strcmp(s->event, "pending") == 0;
    g->nodes.at[to].suspensions += suspends;
    last->by_cancel = suspends; /* unless it is resumed, a cancel drops it */
    return 0;
}

static state_graph *function_of(const struct run_reader *r, const json_t *step)
{
    const char *name = text_of(step, "function"), *file = text_of(step, "file");
    json_int_t line = json_integer_value(json_object_get(step, "line"));
    for (uint32_t i = 0; i < r->set->function_count; i++) {
        state_graph *g = r->set->functions[i];
        if (g->line == line && strcmp(g->name, name) == 0 && graph_input_is_file(g->file, file))
            return g;
    }
    return NULL;
}

static int read_line(struct run_reader *r, const char *text, size_t len)
{
    json_error_t error;
    json_t *step = json_loadb(text, len, 0, &error);
    struct run_step s = {text_of(step, "event"), text_of(step, "from"), text_of(step, "to"),
                         strtoull(text_of(step, "frame"), NULL, 16)};
    int status = 0;
    state_graph *g = function_of(r, step);
    if (s.event[0] == '\0' || s.frame == 0)
        status = error_at(r, "this is no line that AWAITC_TRACE writes");
    else if (g != NULL)
        status = take_step(r, g, &s);
    json_decref(step);
    return status;
}

/* Room for searches in the largest function. */
static void prepare(struct run_reader *r)
{
    size_t nodes = 0, edges = 0;
    for (uint32_t i = 0; i < r->set->function_count; i++) {
        const state_graph *g = r->set->functions[i];
        nodes = g->nodes.count > nodes ? g->nodes.count : nodes;
        edges = g->edges.count > edges ? g->edges.count : edges;
    }
    r->before = ARENA_ARRAY(r->mem, uint32_t, edges + 1);
    r->queue = ARENA_ARRAY(r->mem, uint32_t, edges + 1);
    r->seen = ARENA_ARRAY(r->mem, bool, nodes + 1);
}

static int no_trace(const char *path, const char *why)
{
    fprintf(stderr, "awaitc: error: cannot read '%s': %s [awaitc-input]\n", path, why);
    return 2;
}

static void show_taken_cancels(graph_set *set)
{
    for (uint32_t i = 0; i < set->function_count; i++) {
        const state_graph *g = set->functions[i];
        for (size_t k = 0; k < g->edges.count; k++)
            set->show_cancel |= g->edges.at[k].is_cancel && g->edges.at[k].passes > 0;
    }
}

int run_input_read(arena *mem, const char *path, graph_set *set)
{
    struct run_reader r = {.mem = mem, .path = path, .set = set};
    char *text = NULL;
    size_t size = 0;
    int status = 0;
    ssize_t len;
    if (path == NULL)
        return 0;
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return no_trace(path, strerror(errno));
    prepare(&r);
    while (status == 0 && (len = getline(&text, &size, file)) > 0) {
        r.line++;
        if (text[len - 1] == '\n') /* else the program ended in the middle of it */
            status = read_line(&r, text, (size_t)len);
    }
    free(text);
    int error = ferror(file) != 0 ? errno : 0;
    fclose(file);
    if (status == 0 && error != 0)
        status = no_trace(path, strerror(error));
    if (status == 0 && r.known_steps == 0)
        status = no_trace(path, "it has no step of these functions; a program records its steps if "
                                "it is compiled with -DAW_TRACE");
    for (uint32_t i = 0; i < set->function_count; i++)
        set->functions[i]->has_run = true;
    show_taken_cancels(set);
    return status;
}
