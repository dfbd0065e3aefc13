/* SPDX-License-Identifier: MIT */
/*
 * The facts are joined as for the checks. A function is marked if a call of its own leads, through
 * whatever functions, to one that may wait; what is awaited, spawned or given to a pool waits
 * elsewhere. Ways that depend on a caller's arguments do not count, nor those of which nothing sure
 * is known outside of async functions.
 */
#include "analyzer/tool/graph_facts.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/program/block_effects.h"
#include "analyzer/program/facts_io.h"
#include "analyzer/tool/graph_input.h"
#include "analyzer/tool/lint_setup.h"
#include "rules/effect_chain.h"

typedef VEC(struct unit_facts *) unit_list;

static bool read_units(arena *mem, const char *path, strview text, unit_list *units)
{
    size_t at = 0;
    uint32_t line = 0;
    const char *error;
    struct unit_facts *facts;
    while ((facts = facts_read(mem, text, &at, &line, &error)) != NULL)
        VEC_PUSH(mem, units, facts);
    if (error == NULL && units->count == 0)
        error = "this is neither a SARIF log nor facts that `awaitc lint --facts-out` wrote";
    if (error == NULL)
        return true;
    fprintf(stderr, "%s:%u:1: error: %s [awaitc-input]\n", path, line == 0 ? 1 : line, error);
    return false;
}

/* The shortest way down that is sure to be taken, or NULL. */
static const struct effect *sure_effect(const program_function *f)
{
    uint32_t count;
    struct effect *const *all = block_effects_of(f, &count);
    for (uint32_t i = 0; i < count; i++) {
        const struct effect *e = all[i];
        bool is_sure = !e->depends && !e->is_doubtful && (!e->is_weak || f->fact->is_async_keyword);
        if (e->kind == EFFECT_BLOCKS && is_sure)
            return e;
    }
    return NULL;
}

static struct await_node *node_of(graph_set *set, const struct fact_function *f)
{
    for (size_t i = 0; i < set->calls->nodes.count; i++) {
        struct await_node *n = &set->calls->nodes.at[i];
        if (n->m != NULL && strcmp(n->name, f->name) == 0 &&
            graph_input_is_file(n->file, f->place.file))
            return n;
    }
    return NULL;
}

int graph_facts_mark(arena *mem, const options *opts, const char *path, strview text,
                     graph_set *set)
{
    unit_list units = {0};
    diag_sink *sink = diag_sink_new(mem);
    lint_setups *setups = lint_setups_new(mem, opts, sink);
    if (!read_units(mem, path, text, &units))
        return 2;
    const struct lint_setup *setup = lint_setup_of(setups, units.at[0]->path);
    diag_print(sink, stderr, isatty(STDERR_FILENO) != 0);
    if (setup == NULL)
        return 2;
    program *p = program_join(mem, units.at, (uint32_t)units.count, &setup->settings);
    block_effects_compute(p);
    uint32_t count;
    program_function **functions = program_functions(p, &count);
    for (uint32_t i = 0; i < count; i++) {
        const struct effect *e = sure_effect(functions[i]);
        struct await_node *n = e == NULL ? NULL : node_of(set, functions[i]->fact);
        if (n == NULL)
            continue;
        n->may_block = true;
        n->blocks_in = effect_leaf_name(e);
    }
    return 0;
}
