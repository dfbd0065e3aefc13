/* SPDX-License-Identifier: MIT */
/*
 * Do dominators, post-dominators, control dependence, loops and paths agree with their definitions?
 * Random functions with every kind of jump; the definitions are checked by taking blocks away and
 * looking what can still be reached.
 */
#include "analyzer/flow/tree_loops.h"
#include "analyzer/flow/tree_paths.h"
#include "tests/unit/tree_fixture.h"

enum { FUNCTIONS = 120, MAX_DEPTH = 4, LABELS = 3 };

/* ---- random functions ----------------------------------------------------------------------- */

struct writer {
    strbuf out;
    uint64_t seed;
    int loops;    /* around the place */
    int switches; /* around the place */
    int labels;   /* written */
};

static unsigned roll(struct writer *w, unsigned sides)
{
    w->seed = w->seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(w->seed >> 33) % sides;
}

static void write_block(struct writer *w, int depth);

static void write_condition(struct writer *w)
{
    static const char *const conditions[] = {"a", "b()", "a && b()", "!a || b()",    "a ? b : c",
                                             "1", "0",   "a ?: b",   "({ c(); a; })"};
    strbuf_str(&w->out, conditions[roll(w, 9)]);
}

static void write_loop(struct writer *w, int depth, unsigned kind)
{
    w->loops++;
    if (kind == 0) {
        strbuf_str(&w->out, "do ");
        write_block(w, depth);
        strbuf_str(&w->out, " while (");
        write_condition(w);
        strbuf_str(&w->out, ");");
    } else {
        strbuf_str(&w->out, kind == 1 ? "while (" : "for (int i = 0; ");
        write_condition(w);
        strbuf_str(&w->out, kind == 1 ? ") " : "; i++) ");
        write_block(w, depth);
    }
    w->loops--;
}

static void write_switch(struct writer *w, int depth)
{
    int loops = w->loops;
    w->switches++;
    strbuf_str(&w->out, "switch (a) { case 1: ");
    write_block(w, depth);
    if (roll(w, 2) != 0)
        strbuf_str(&w->out, " break; ");
    strbuf_str(&w->out, roll(w, 2) != 0 ? "default: " : "case 2: ");
    write_block(w, depth);
    strbuf_str(&w->out, " }");
    w->switches--;
    w->loops = loops;
}

static void write_jump(struct writer *w)
{
    unsigned kind = roll(w, 6);
    if (kind == 0)
        strbuf_str(&w->out, "return;");
    else if (kind == 1 && (w->loops != 0 || w->switches != 0))
        strbuf_str(&w->out, "break;");
    else if (kind == 2 && w->loops != 0)
        strbuf_str(&w->out, "continue;");
    else if (kind == 3)
        strbuf_str(&w->out, "die();");
    else
        strbuf_fmt(&w->out, "goto l%u;", roll(w, LABELS));
}

static void write_statement(struct writer *w, int depth)
{
    unsigned kind = roll(w, depth == 0 ? 4 : 9);
    if (kind == 0 && w->labels < LABELS) {
        strbuf_fmt(&w->out, "l%d: ;", w->labels++);
    } else if (kind < 3) {
        strbuf_str(&w->out, "x = f(a);");
    } else if (kind == 3) {
        strbuf_str(&w->out, "if (");
        write_condition(w);
        strbuf_str(&w->out, ") ");
        write_jump(w);
    } else if (kind < 6) {
        strbuf_str(&w->out, "if (");
        write_condition(w);
        strbuf_str(&w->out, ") ");
        write_block(w, depth - 1);
        if (roll(w, 2) != 0) {
            strbuf_str(&w->out, " else ");
            write_block(w, depth - 1);
        }
    } else if (kind == 6) {
        write_switch(w, depth - 1);
    } else {
        write_loop(w, depth - 1, roll(w, 3));
    }
}

static void write_block(struct writer *w, int depth)
{
    strbuf_str(&w->out, "{ ");
    for (unsigned i = 1 + roll(w, 3); i != 0; i--) {
        write_statement(w, depth);
        strbuf_char(&w->out, ' ');
    }
    strbuf_str(&w->out, "}");
}

static tree_cfg *random_graph(arena *mem, uint64_t seed)
{
    struct writer w = {.out = strbuf_in(mem), .seed = seed};
    for (int i = 0; i < 4; i++)
        write_statement(&w, MAX_DEPTH);
    while (w.labels < LABELS)
        strbuf_fmt(&w.out, " l%d: ;", w.labels++);
    return tree_of(mem, strbuf_text(&w.out));
}

/* ---- definitions ---------------------------------------------------------------------------- */

/* [block]: can it be reached from `from` without entering `without`? */
static bool *reach(arena *mem, const tree_cfg *g, uint32_t from, uint32_t without)
{
    bool *seen = ARENA_ARRAY(mem, bool, g->block_count);
    uint32_t *stack = ARENA_ARRAY(mem, uint32_t, g->block_count), depth = 0;
    if (from != without) {
        seen[from] = true;
        stack[depth++] = from;
    }
    while (depth != 0) {
        const struct tree_block *b = &g->blocks[stack[--depth]];
        for (uint32_t i = b->first_succ; i < b->first_succ + b->succ_count; i++) {
            uint32_t to = g->edges[i].to;
            if (to == without || seen[to])
                continue;
            seen[to] = true;
            stack[depth++] = to;
        }
    }
    return seen;
}

static bool reaches_exit(arena *mem, const tree_cfg *g, uint32_t from, uint32_t without)
{
    const bool *seen = reach(mem, g, from, without);
    bool found = seen[g->exit];
    for (uint32_t i = 0; i < g->endless_count; i++)
        found |= seen[g->endless[i]];
    return found;
}

static void dominators_are_on_every_way(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < FUNCTIONS; seed++) {
        arena *mem = arena_create();
        const tree_cfg *g = random_graph(mem, seed);
        const bool *reachable = reach(mem, g, 0, TREE_NONE);
        for (uint32_t a = 0; a < g->block_count; a++) {
            const bool *without = reach(mem, g, 0, a);
            assert_int_equal(reachable[a], tree_cfg_is_reachable(g, a));
            for (uint32_t b = 0; b < g->block_count; b++)
                assert_int_equal(tree_cfg_dominates(g, a, b),
                                 reachable[a] && reachable[b] && !without[b]);
        }
        arena_destroy(&mem);
    }
}

static void post_dominators_are_on_every_way_out(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < FUNCTIONS; seed++) {
        arena *mem = arena_create();
        const tree_cfg *g = random_graph(mem, seed);
        for (uint32_t a = 0; a < g->block_count; a++) {
            for (uint32_t b = 0; b < g->block_count; b++) {
                bool expected = tree_cfg_is_reachable(g, a) && tree_cfg_is_reachable(g, b) &&
                                !reaches_exit(mem, g, b, a);
                assert_int_equal(tree_cfg_post_dominates(g, a, b), expected);
            }
        }
        arena_destroy(&mem);
    }
}

/* A block is on a loop's cycle if it comes back to the header without leaving what that dominates.
 */
static bool is_on_cycle(arena *mem, const tree_cfg *g, uint32_t header, uint32_t block)
{
    const struct tree_block *h = &g->blocks[header];
    const bool *seen = reach(mem, g, block, block == header ? TREE_NONE : header);
    if (!tree_cfg_dominates(g, header, block))
        return false;
    for (uint32_t i = h->first_pred; i < h->first_pred + h->pred_count; i++) {
        uint32_t from = g->edges[g->preds[i]].from;
        if (tree_cfg_dominates(g, header, from) && (block == header || seen[from]))
            return true;
    }
    return false;
}

static void loops_are_natural(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < FUNCTIONS; seed++) {
        arena *mem = arena_create();
        const tree_cfg *g = random_graph(mem, seed);
        const tree_loops *l = tree_loops_find(mem, g);
        uint32_t cycles = 0;
        for (uint32_t i = 0; i < l->count; i++) {
            cycles += l->at[i].repeats;
            for (uint32_t b = 0; b < g->block_count; b++) {
                bool expected = is_on_cycle(mem, g, l->at[i].header, b);
                assert_int_equal(tree_loops_cycles(l, i, b), expected);
            }
            assert_int_equal(l->at[i].repeats, tree_loops_cycles(l, i, l->at[i].header));
        }
        for (uint32_t b = 0; b < g->block_count; b++)
            cycles -= tree_cfg_is_reachable(g, b) && is_on_cycle(mem, g, b, b);
        assert_int_equal(cycles, 0); /* each cycle has one loop */
        arena_destroy(&mem);
    }
}

static enum tree_step stop_at_calls(void *context, uint32_t item)
{
    const tree_cfg *g = context;
    return g->items[item].node->kind == AST_CALL ? TREE_STOP : TREE_GO_ON;
}

/* A way to the exit past no call exists if taking all blocks with calls away leaves one. */
static void paths_are_ways(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < FUNCTIONS; seed++) {
        arena *mem = arena_create();
        tree_cfg *g = random_graph(mem, seed);
        tree_paths *p = tree_paths_new(mem, g);
        for (uint32_t i = 0; i < g->item_count; i += 3) {
            struct tree_path_query query = {
                .from = i, .to_exit = true, .visit = stop_at_calls, .context = g};
            struct tree_path path = tree_paths_find(mem, p, &query);
            uint32_t at = g->items[i].block, item = i + 1;
            for (uint32_t k = 0; k < path.edges.count; k++) {
                const struct tree_edge *e = &g->edges[path.edges.at[k]];
                assert_int_equal(e->from, at);
                const struct tree_block *b = &g->blocks[at];
                for (; item < b->first_item + b->item_count; item++)
                    assert_int_equal(stop_at_calls(g, item), TREE_GO_ON);
                at = e->to;
                item = g->blocks[at].first_item;
            }
            if (path.found)
                assert_int_equal(at, g->exit);
            for (uint32_t to = 0; to < g->item_count; to += 5) {
                const bool *seen = ARENA_ARRAY(mem, bool, g->block_count);
                const struct tree_block *b = &g->blocks[g->items[i].block];
                bool expected = g->items[i].block == g->items[to].block && to > i;
                for (uint32_t k = b->first_succ; k < b->first_succ + b->succ_count; k++) {
                    seen = reach(mem, g, g->edges[k].to, TREE_NONE);
                    expected |= seen[g->items[to].block];
                }
                assert_int_equal(tree_paths_reach(p, i, to, NULL, NULL), expected);
            }
        }
        arena_destroy(&mem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dominators_are_on_every_way),
        cmocka_unit_test(post_dominators_are_on_every_way_out),
        cmocka_unit_test(loops_are_natural),
        cmocka_unit_test(paths_are_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
