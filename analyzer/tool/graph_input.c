/* SPDX-License-Identifier: MIT */
/*
 * States of the two versions of a function are matched by the text of their awaits, in order, as a
 * diff of two files matches lines: what has only moved is not a change.
 */
#include "analyzer/tool/graph_input.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/check.h"
#include "analyzer/parse/include_search.h"
#include "analyzer/tool/graph_facts.h"
#include "analyzer/tool/run_input.h"

static json_t *load(const char *path, const char *what, const char *member)
{
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);
    if (root == NULL) {
        if (error.line > 0)
            fprintf(stderr, "%s:%d:%d: error: this is no JSON: %s [awaitc-input]\n", path,
                    error.line, error.column, error.text);
        else
            fprintf(stderr, "awaitc: error: cannot read '%s': %s [awaitc-input]\n", path,
                    error.text);
        return NULL;
    }
    if (!json_is_array(json_object_get(root, member))) {
        fprintf(stderr, "%s:1: error: this is not %s [awaitc-input]\n", path, what);
        json_decref(root);
        return NULL;
    }
    return root;
}

static const char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text == NULL ? "" : text;
}

static uint64_t number_of(const json_t *object, const char *name)
{
    json_int_t value = json_integer_value(json_object_get(object, name));
    return value < 0 ? 0 : (uint64_t)value;
}

/* ---- the older graph
 * ---------------------------------------------------------------------------- */

static const json_t *find_function(const json_t *functions, const state_graph *g)
{
    const json_t *found = NULL, *f;
    size_t i;
    json_array_foreach(functions, i, f)
    {
        if (strcmp(text_of(f, "name"), g->name) != 0)
            continue;
        if (found == NULL || strcmp(text_of(f, "file"), g->file->shown) == 0)
            found = f;
    }
    return found;
}

struct old_state {
    const char *title, *text, *what;
    uint32_t number, line;
    bool stays;
};

struct matching {
    arena *mem;
    state_graph *g;
    VEC(struct old_state) old;
    VEC(uint32_t) now; /* nodes */
    uint32_t *longest; /* [i * (now + 1) + k]: of what follows old i and now k */
};

static void collect_states(struct matching *m, const json_t *function)
{
    const json_t *n;
    size_t i;
    json_array_foreach(json_object_get(function, "nodes"), i, n)
    {
        if (strcmp(text_of(n, "kind"), "state") != 0)
            continue;
        struct old_state s = {.number = (uint32_t)number_of(n, "number")};
        s.title = arena_printf(m->mem, "%s", text_of(n, "title"));
        s.text = arena_printf(m->mem, "%s", text_of(n, "text"));
        s.what = arena_printf(m->mem, "%s", text_of(n, "what"));
        s.line = (uint32_t)number_of(n, "line");
        VEC_PUSH(m->mem, &m->old, s);
    }
    for (uint32_t k = 0; k < m->g->nodes.count; k++) {
        if (m->g->nodes.at[k].kind == NODE_STATE)
            VEC_PUSH(m->mem, &m->now, k);
    }
}

static bool is_same(const struct matching *m, size_t i, size_t k)
{
    return strcmp(m->old.at[i].text, m->g->nodes.at[m->now.at[k]].text) == 0;
}

/* Longest common subsequence. */
static void match_states(struct matching *m)
{
    size_t width = m->now.count + 1;
    m->longest = ARENA_ARRAY(m->mem, uint32_t, (m->old.count + 1) * width);
    for (size_t i = m->old.count; i-- > 0;) {
        for (size_t k = m->now.count; k-- > 0;) {
            uint32_t skip_old = m->longest[(i + 1) * width + k];
            uint32_t skip_now = m->longest[i * width + k + 1];
            uint32_t best = skip_old > skip_now ? skip_old : skip_now;
            if (is_same(m, i, k))
                best = m->longest[(i + 1) * width + k + 1] + 1;
            m->longest[i * width + k] = best;
        }
    }
    size_t i = 0, k = 0;
    while (k < m->now.count) {
        if (i < m->old.count && is_same(m, i, k)) {
            m->old.at[i++].stays = true;
            k++;
        } else if (i < m->old.count &&
                   m->longest[(i + 1) * width + k] >= m->longest[i * width + k + 1]) {
            i++;
        } else {
            m->g->nodes.at[m->now.at[k++]].change = CHANGE_ADDED;
        }
    }
}

static void add_removed(struct matching *m)
{
    for (size_t i = 0; i < m->old.count; i++) {
        const struct old_state *o = &m->old.at[i];
        if (o->stays)
            continue;
        struct state_node n = {.kind = NODE_STATE, .number = o->number, .change = CHANGE_REMOVED};
        n.id = arena_printf(m->mem, "old%u", o->number);
        n.title = o->title;
        n.text = o->text;
        n.what = o->what;
        n.file = m->g->file;
        n.line = n.last_line = o->line;
        n.scope = AIR_NONE;
        n.is_reachable = true;
        VEC_PUSH(m->mem, &m->g->nodes, n);
    }
}

static void compare(arena *mem, state_graph *g, const json_t *old)
{
    struct matching m = {.mem = mem, .g = g};
    g->old_frame_bytes = number_of(json_object_get(old, "frame"), "bytes");
    if (g->old_frame_bytes < g->m->frame_bytes)
        g->change = CHANGE_GROWN;
    else if (g->old_frame_bytes > g->m->frame_bytes)
        g->change = CHANGE_SHRUNK;
    collect_states(&m, old);
    match_states(&m);
    add_removed(&m);
}

/* Functions of the older graph that are gone. */
static void find_removed(arena *mem, graph_set *set, const json_t *functions)
{
    const json_t *f;
    size_t i;
    json_array_foreach(functions, i, f)
    {
        bool stays = false;
        for (uint32_t k = 0; k < set->function_count; k++)
            stays |= strcmp(set->functions[k]->name, text_of(f, "name")) == 0;
        if (!stays)
            VEC_PUSH(mem, &set->removed, arena_printf(mem, "%s", text_of(f, "name")));
    }
}

static void report_growth(const state_graph *g, double limit, int *growth)
{
    uint64_t was = g->old_frame_bytes, is = g->m->frame_bytes;
    if (was == 0 || is <= was)
        return;
    double percent = 100.0 * (double)(is - was) / (double)was;
    if (percent <= limit)
        return;
    fprintf(stderr,
            "%s:%u: error: the frame of '%s' grew from %" PRIu64 " to %" PRIu64
            " bytes (%.1f%%), more than --fail-on-growth allows [awaitc-input]\n",
            g->file->shown, g->line, g->name, was, is, percent);
    *growth = 1;
}

static int read_diff(arena *mem, const options *opts, graph_set *set, int *growth)
{
    const char *path = opts->value[OPTION_DIFF], *limit = opts->value[OPTION_FAIL_ON_GROWTH];
    char *end = NULL;
    double percent = limit == NULL ? 0 : strtod(limit, &end);
    if (limit != NULL && (end == limit || (*end != '\0' && strcmp(end, "%") != 0) || percent < 0))
        return options_misuse("--fail-on-growth=%s: a percentage, as in 10%%", limit);
    if (path == NULL)
        return limit == NULL ? 0 : options_misuse("--fail-on-growth needs --diff=OLD.json");
    json_t *root = load(path, "a file that `awaitc graph --format=json` wrote", "functions");
    if (root == NULL)
        return 2;
    const json_t *functions = json_object_get(root, "functions");
    set->is_diff = true;
    for (uint32_t i = 0; i < set->function_count; i++) {
        const json_t *old = find_function(functions, set->functions[i]);
        if (old == NULL)
            set->functions[i]->change = CHANGE_ADDED;
        else
            compare(mem, set->functions[i], old);
        if (limit != NULL)
            report_growth(set->functions[i], percent, growth);
    }
    if (opts->value[OPTION_FUNCTION] == NULL)
        find_removed(mem, set, functions);
    json_decref(root);
    return 0;
}

/* ---- findings
 * ----------------------------------------------------------------------------------- */

bool graph_input_is_file(const struct source_text *file, const char *uri)
{
    if (strncmp(uri, "file://", 7) == 0)
        uri += 7;
    while (strncmp(uri, "./", 2) == 0)
        uri += 2;
    strview path = sv_from(uri), shown = sv_from(file->shown);
    return strcmp(file->path, uri) == 0 || sv_equal(path, shown) ||
           (path.len > shown.len && sv_ends(path, file->shown) &&
            path.at[path.len - shown.len - 1] == '/') ||
           (shown.len > path.len && sv_ends(shown, uri) &&
            shown.at[shown.len - path.len - 1] == '/');
}

static void add_finding(arena *mem, graph_set *set, const json_t *result)
{
    const json_t *place = json_object_get(json_array_get(json_object_get(result, "locations"), 0),
                                          "physicalLocation");
    const char *uri = text_of(json_object_get(place, "artifactLocation"), "uri");
    struct graph_finding f = {
        .line = (uint32_t)number_of(json_object_get(place, "region"), "startLine")};
    f.rule = arena_printf(mem, "%s", text_of(result, "ruleId"));
    f.message = arena_printf(mem, "%s", text_of(json_object_get(result, "message"), "text"));
    for (uint32_t i = 0; i < set->function_count; i++) {
        state_graph *g = set->functions[i];
        if (!graph_input_is_file(g->file, uri) || f.line < g->line || f.line > g->last_line)
            continue;
        f.file = g->file->path;
        state_graph_add_finding(g, &f);
    }
    for (size_t i = 0; f.file == NULL && i < set->sources->files.count; i++) {
        if (graph_input_is_file(&set->sources->files.at[i], uri))
            f.file = set->sources->files.at[i].path;
    }
    await_graph_add_finding(set->calls, &f);
}

static int read_sarif(arena *mem, const char *path, graph_set *set)
{
    json_t *root = load(path, "a SARIF log", "runs");
    if (root == NULL)
        return 2;
    const json_t *run, *result;
    size_t i, k;
    json_array_foreach(json_object_get(root, "runs"), i, run)
    {
        json_array_foreach(json_object_get(run, "results"), k, result)
        {
            add_finding(mem, set, result);
        }
    }
    json_decref(root);
    return 0;
}

/* A SARIF log is JSON; all else is taken for facts. */
static int read_findings(arena *mem, const options *opts, graph_set *set)
{
    const char *path = opts->value[OPTION_LINT];
    if (path == NULL)
        return 0;
    include_search files = include_search_in(mem);
    strview text = include_text(&files, path);
    size_t blank = text.at == NULL ? 0 : strspn(text.at, " \t\r\n");
    if (text.at == NULL || blank == text.len || text.at[blank] == '{' || text.at[blank] == '[')
        return read_sarif(mem, path, set);
    return graph_facts_mark(mem, opts, path, text, set);
}

int graph_input_read(arena *mem, const options *opts, graph_set *set, int *growth)
{
    int status = read_findings(mem, opts, set);
    status = status != 0 ? status : run_input_read(mem, opts->value[OPTION_RUN], set);
    return status != 0 ? status : read_diff(mem, opts, set, growth);
}
