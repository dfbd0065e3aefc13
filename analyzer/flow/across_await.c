/* SPDX-License-Identifier: MIT */
/*
 * The join of liveness and escape of across_await.h, in two walks over the blocks that can be
 * reached; each walk takes the sets of the forward analyses from op to op.
 *
 * 1. At each await: what survives, why, and from that each local's place.
 * 2. At each point: what is occupied, that is holds something that may still be asked for:
 *
 *        occupied = (live and written) or escaped or, at an await, held
 *
 *    All residents that are occupied together conflict. So do a resident that is written (even if
 *    nobody reads it afterwards) and all that is occupied behind the write. All that survives one
 *    await conflicts, spilled locals included: they are in the frame just then.
 *
 *    Expressions are finer than ops. Two locals may be lent to one call that neither outlives:
 *    f(path, name). A value that is read first in the text may be loaded last, behind a store:
 *    g(a, b = 2). `a = b.inner` copies between places that must not overlap. So each local that
 *    was read or lent counts as busy until an await, or the declaration of what is in the frame,
 *    begins a new statement; what is written, or may be written from now on, conflicts with all
 * that is busy.
 *
 * All pairs of a set conflict: rows of a bit matrix, united with the set. To do that once and not
 * at every point, a set is only paired for members that the last paired set did not have: the
 * others were paired there. The matrix is made symmetric at the end.
 */
#include "analyzer/flow/across_await.h"

#include "analyzer/base/check.h"
#include "analyzer/flow/dataflow.h"
#include "analyzer/flow/escape.h"
#include "analyzer/flow/liveness.h"

struct across_walk {
    const cfg *graph;
    const struct liveness *live;
    const struct escape *escape;
    const bitset
        *busy_at; /* [block]: read or lent in the current statement; NULL on the first walk */
    struct across_await *out;

    /* The point under way, behind an op; `busy` in front of it. */
    bitset *live_after; /* [op] of the block */
    bitset written, escaped, busy;

    bitset scratch, set;
    bitset resident;      /* from the second walk on */
    bitset stored;        /* resident or spilled */
    bitset paired;        /* of what was occupied, all pairs of which are in the matrix */
    bitset paired_stored; /* the same for what survives one await */
};

typedef void op_visit(struct across_walk *w, const struct air_op *op, const bitset *live_after);

/* to &= from. */
static void intersect(bitset *to, const bitset *from)
{
    for (uint32_t i = 0; i < to->word_count; i++)
        to->words[i] &= from->words[i];
}

/* ---- the walk ------------------------------------------------------------------------------- */

/* Does the op begin a new statement? The declaration of a variable that is in the frame does: one
 * inside an expression is not, since what awaits was taken out of expressions. */
static bool ends_statement(const struct across_walk *w, const struct air_op *op)
{
    if (op->kind != AIR_BEGIN)
        return op->kind == AIR_AWAIT;
    return w->graph->fn->locals.at[op->local].kind == AIR_VAR && bitset_has(&w->stored, op->local);
}

/* `context` is the walk. */
static void busy_transfer(const struct air_op *op, bitset *busy, const void *context)
{
    if (op->kind == AIR_USE || op->kind == AIR_LEND)
        bitset_add(busy, op->local);
    else if (ends_statement(context, op))
        bitset_clear(busy);
}

static void walk_enter(struct across_walk *w, uint32_t block)
{
    bitset_copy(&w->written, &w->live->written[block]);
    bitset_copy(&w->escaped, &w->escape->escaped[block]);
    if (w->busy_at != NULL)
        bitset_copy(&w->busy, &w->busy_at[block]);
    liveness_after_ops(w->live, block, w->live_after);
}

static void walk_ops(struct across_walk *w, uint32_t block, op_visit *visit)
{
    const struct air_block *b = &w->graph->fn->blocks.at[block];
    for (size_t i = 0; i < b->ops.count; i++) {
        const struct air_op *op = &b->ops.at[i];
        liveness_write_step(op, &w->written);
        escape_step(op, &w->escaped);
        visit(w, op, &w->live_after[i]);
        busy_transfer(op, &w->busy, w);
    }
}

static bitset *new_sets(arena *mem, size_t count, uint32_t capacity)
{
    bitset *sets = ARENA_ARRAY(mem, bitset, count);
    for (size_t i = 0; i < count; i++)
        sets[i] = bitset_new(mem, capacity);
    return sets;
}

static size_t longest_block(const cfg *g)
{
    size_t longest = 0;
    for (uint32_t i = 0; i < g->reachable_count; i++) {
        size_t count = g->fn->blocks.at[g->order[i]].ops.count;
        longest = count > longest ? count : longest;
    }
    return longest;
}

static struct across_walk walk_new(arena *scratch, const cfg *g, struct across_await *out)
{
    uint32_t locals = (uint32_t)g->fn->locals.count;
    return (struct across_walk){
        .graph = g,
        .live = liveness_compute(scratch, g),
        .escape = escape_compute(scratch, g),
        .out = out,
        .live_after = new_sets(scratch, longest_block(g), locals),
        .written = bitset_new(scratch, locals),
        .escaped = bitset_new(scratch, locals),
        .busy = bitset_new(scratch, locals),
        .scratch = bitset_new(scratch, locals),
        .set = bitset_new(scratch, locals),
        .resident = bitset_new(scratch, locals),
        .stored = bitset_new(scratch, locals),
        .paired = bitset_new(scratch, locals),
        .paired_stored = bitset_new(scratch, locals),
    };
}

/* ---- what survives an await ----------------------------------------------------------------- */

static void note_why(const bitset *set, uint8_t *why, enum across_reason reason)
{
    BITSET_FOR_EACH (i, set)
        why[i] |= (uint8_t)reason;
}

static void note_await(struct across_walk *w, const struct air_op *op, const bitset *live_after)
{
    if (op->kind != AIR_AWAIT)
        return;
    uint32_t k = op->await - 1;
    bitset *across = &w->out->across[k];
    bitset *reload = &w->out->reload[k];
    bitset *reload_cancel = &w->out->reload_cancel[k];
    bitset_copy(&w->scratch, &w->written);
    bitset_union(&w->scratch, &w->escaped);
    bitset_copy(reload, live_after);
    intersect(reload, &w->scratch);
    if (op->cancel != AIR_NONE) {
        bitset_copy(reload_cancel, &w->live->live[op->cancel]);
        intersect(reload_cancel, &w->scratch);
    }
    bitset_union(across, reload);
    bitset_union(across, reload_cancel);
    note_why(across, w->out->why[k], ACROSS_LIVE);
    note_why(&w->escaped, w->out->why[k], ACROSS_ESCAPED);
    bitset_union(across, &w->escaped);
    for (uint32_t i = 0; i < op->hold_count; i++) {
        w->out->why[k][op->holds[i]] |= ACROSS_HELD;
        bitset_add(across, op->holds[i]);
    }
}

static void choose_places(struct across_walk *w)
{
    const air_func *fn = w->graph->fn;
    struct across_await *out = w->out;
    bitset *held = &w->scratch;
    bitset_clear(held);
    for (uint32_t k = 0; k < out->await_count; k++) {
        bitset_union(&w->stored, &out->across[k]);
        BITSET_FOR_EACH (i, &out->across[k]) {
            if (out->why[k][i] & ACROSS_HELD)
                bitset_add(held, i);
        }
    }
    BITSET_FOR_EACH (i, &w->stored) {
        bool resident = !fn->locals.at[i].is_scalar || out->escapes[i] || bitset_has(held, i);
        out->place[i] = resident ? PLACE_RESIDENT : PLACE_SPILLED;
        if (resident)
            bitset_add(&w->resident, i);
    }
}

/* ---- conflicts ------------------------------------------------------------------------------ */

/* All pairs of `set` conflict; *paired is the set of which that was said last. */
static void pair_all(struct across_walk *w, const bitset *set, bitset *paired)
{
    bitset_copy(&w->scratch, set);
    bitset_minus(&w->scratch, paired);
    BITSET_FOR_EACH (i, &w->scratch)
        bitset_union(&w->out->conflict[i], set);
    bitset_copy(paired, set);
}

/* The residents that are occupied at the point under way. */
static void occupied(struct across_walk *w, const bitset *live, bitset *set)
{
    bitset_copy(set, live);
    intersect(set, &w->written);
    bitset_union(set, &w->escaped);
    intersect(set, &w->resident);
}

static bool writes_local(enum air_op_kind kind)
{
    return kind == AIR_DEF || kind == AIR_PART || kind == AIR_LEND || kind == AIR_ADDR;
}

/* Only a write makes a local occupied that was not so in front of the op (or an await: what it
 * holds), so the pairs of all other points are those of the block's entry. */
static void note_conflicts(struct across_walk *w, const struct air_op *op, const bitset *live_after)
{
    if (op->kind == AIR_AWAIT)
        pair_all(w, &w->out->across[op->await - 1], &w->paired_stored);
    if (!writes_local(op->kind) || !bitset_has(&w->resident, op->local))
        return;
    occupied(w, live_after, &w->set);
    bitset_union(&w->set, &w->busy);
    intersect(&w->set, &w->resident);
    bitset_union(&w->out->conflict[op->local], &w->set);
}

/* Parameters are written one after another in front of block 0's first op. */
static void note_parameters(struct across_walk *w)
{
    bitset_clear(&w->set);
    BITSET_FOR_EACH (i, &w->resident) {
        if (w->graph->fn->locals.at[i].kind == AIR_PARAM)
            bitset_add(&w->set, i);
    }
    pair_all(w, &w->set, &w->paired);
}

static void make_symmetric(struct across_walk *w)
{
    bitset *conflict = w->out->conflict;
    BITSET_FOR_EACH (i, &w->stored) {
        bitset_remove(&conflict[i], i);
        BITSET_FOR_EACH (j, &conflict[i])
            bitset_add(&conflict[j], i);
    }
}

static void find_conflicts(struct across_walk *w, arena *scratch)
{
    struct dataflow_problem busy = {.direction = DATAFLOW_FORWARDS,
                                    .capacity = (uint32_t)w->graph->fn->locals.count,
                                    .transfer = busy_transfer,
                                    .context = w};
    w->busy_at = dataflow_solve(scratch, w->graph, &busy);
    note_parameters(w);
    for (uint32_t i = 0; i < w->graph->reachable_count; i++) {
        uint32_t block = w->graph->order[i];
        walk_enter(w, block);
        occupied(w, &w->live->live[block], &w->set);
        pair_all(w, &w->set, &w->paired);
        walk_ops(w, block, note_conflicts);
    }
    make_symmetric(w);
}

/* ---- the result ----------------------------------------------------------------------------- */

static struct across_await *result_new(arena *mem, const air_func *fn)
{
    struct across_await *out = ARENA_NEW(mem, struct across_await);
    uint32_t locals = (uint32_t)fn->locals.count;
    out->await_count = fn->await_count;
    out->across = new_sets(mem, fn->await_count, locals);
    out->reload = new_sets(mem, fn->await_count, locals);
    out->reload_cancel = new_sets(mem, fn->await_count, locals);
    out->why = ARENA_ARRAY(mem, uint8_t *, fn->await_count);
    for (uint32_t k = 0; k < fn->await_count; k++)
        out->why[k] = ARENA_ARRAY(mem, uint8_t, locals);
    out->place = ARENA_ARRAY(mem, enum local_place, locals);
    out->escapes = ARENA_ARRAY(mem, bool, locals);
    out->conflict = ARENA_ARRAY(mem, bitset, locals);
    return out;
}

struct across_await *across_await_compute(arena *mem, const air_func *fn)
{
    struct across_await *out = result_new(mem, fn);
    arena *scratch = arena_create();
    const cfg *graph = cfg_build(scratch, fn);
    struct across_walk w = walk_new(scratch, graph, out);
    BITSET_FOR_EACH (i, &w.escape->ever)
        out->escapes[i] = true;
    for (uint32_t i = 0; i < graph->reachable_count; i++) {
        walk_enter(&w, graph->order[i]);
        walk_ops(&w, graph->order[i], note_await);
    }
    choose_places(&w);
    bitset none = bitset_new(mem, (uint32_t)fn->locals.count);
    for (uint32_t i = 0; i < fn->locals.count; i++)
        out->conflict[i] =
            out->place[i] == PLACE_PLAIN ? none : bitset_new(mem, (uint32_t)fn->locals.count);
    find_conflicts(&w, scratch);
    arena_destroy(&scratch);
    return out;
}
