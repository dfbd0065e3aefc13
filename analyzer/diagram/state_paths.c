/* SPDX-License-Identifier: MIT */
/*
 * The walk visits a block once for each (way out, settled branch) that it is reached with, and
 * shares what it finds. Answers are found by reducing the decision graph for one leaf, as a binary
 * decision diagram is: a node whose ways all lead to the same is no decision. A node that the walk
 * comes back to is a loop; if all that leaves it leads to the same, it decides nothing either.
 */
#include "analyzer/diagram/state_paths.h"

#include "analyzer/base/check.h"

/* ---- the walk
 * ---------------------------------------------------------------------------------- */

struct visit {
    uint32_t block, way, fact;
    uint32_t node; /* AIR_NONE: the walk is in it */
    bool is_cyclic;
};

struct walk {
    arena *mem;
    const struct path_request *request;
    path_graph *out;
    VEC(struct visit) visits;
    uint32_t *slots; /* hash table: index into visits + 1 */
    uint32_t slot_count;
};

static uint32_t add_node(struct walk *w, enum path_kind kind, uint32_t index, uint32_t next_count)
{
    struct path_node n = {.kind = kind, .index = index, .next_count = next_count};
    n.next = ARENA_ARRAY(w->mem, uint32_t, next_count + 1);
    VEC_PUSH(w->mem, &w->out->nodes, n);
    return (uint32_t)w->out->nodes.count - 1;
}

static uint32_t leaf(struct walk *w, enum path_kind kind, uint32_t index)
{
    for (uint32_t i = 0; i < w->out->nodes.count; i++) {
        const struct path_node *n = &w->out->nodes.at[i];
        if (n->kind == kind && n->index == index && n->next_count == 0)
            return i;
    }
    return add_node(w, kind, index, 0);
}

static uint32_t hash_of(uint32_t block, uint32_t way, uint32_t fact)
{
    return (block * 0x9e3779b1u) ^ (way * 0x85ebca6bu) ^ (fact * 0xc2b2ae35u);
}

static void grow_table(struct walk *w)
{
    w->slot_count = w->slot_count == 0 ? 64 : w->slot_count * 2;
    w->slots = ARENA_ARRAY(w->mem, uint32_t, w->slot_count);
    for (uint32_t i = 0; i < w->visits.count; i++) {
        const struct visit *v = &w->visits.at[i];
        uint32_t s = hash_of(v->block, v->way, v->fact) & (w->slot_count - 1);
        while (w->slots[s] != 0)
            s = (s + 1) & (w->slot_count - 1);
        w->slots[s] = i + 1;
    }
}

/* The index of the visit; *is_new if there was none. */
static uint32_t find_visit(struct walk *w, uint32_t block, uint32_t way, uint32_t fact,
                           bool *is_new)
{
    if (w->visits.count * 2 >= w->slot_count)
        grow_table(w);
    uint32_t s = hash_of(block, way, fact) & (w->slot_count - 1);
    for (; w->slots[s] != 0; s = (s + 1) & (w->slot_count - 1)) {
        const struct visit *v = &w->visits.at[w->slots[s] - 1];
        if (v->block == block && v->way == way && v->fact == fact) {
            *is_new = false;
            return w->slots[s] - 1;
        }
    }
    VEC_PUSH(w->mem, &w->visits, (struct visit){block, way, fact, AIR_NONE, false});
    w->slots[s] = (uint32_t)w->visits.count;
    *is_new = true;
    return (uint32_t)w->visits.count - 1;
}

static uint32_t enter(struct walk *w, uint32_t block, uint32_t way, uint32_t fact);
static uint32_t run(struct walk *w, uint32_t block, uint32_t op, uint32_t way, uint32_t fact);

/* The way that is served behind a clean-up's branch; it ends where no clean-up follows. */
static uint32_t way_behind(const struct walk *w, const struct air_op *op, uint32_t target,
                           uint32_t way)
{
    return w->request->cleanup_at[op->targets[target]] != AIR_NONE ? way : 0;
}

static uint32_t dispatch(struct walk *w, uint32_t block, const struct air_op *op, uint32_t way)
{
    const struct machine_branch *b = &w->request->m->branches[block];
    if (way != PATH_WAY_UNKNOWN) {
        for (uint32_t t = 0; t < op->target_count; t++) {
            if (b->ways[t] == way)
                return enter(w, op->targets[t], way_behind(w, op, t, way), 0);
        }
        return leaf(w, PATH_NOWHERE, 0);
    }
    uint32_t node = add_node(w, PATH_DECISION, block, op->target_count);
    for (uint32_t t = 0; t < op->target_count; t++) {
        uint32_t next = enter(w, op->targets[t], way_behind(w, op, t, b->ways[t]), 0);
        w->out->nodes.at[node].next[t] = next;
    }
    return node;
}

static uint32_t branch(struct walk *w, uint32_t block, const struct air_op *op, uint32_t way,
                       uint32_t fact)
{
    const struct machine_branch *b = &w->request->m->branches[block];
    if (b->kind == MACHINE_DISPATCH)
        return dispatch(w, block, op, way);
    if (b->kind == MACHINE_WAY_OUT)
        return enter(w, op->targets[0], b->ways[0], 0);
    if (op->target_count == 1)
        return enter(w, op->targets[0], way, fact);
    if (fact != 0 && w->request->m->branches[fact - 1].settles == block)
        return enter(w, op->targets[w->request->m->branches[fact - 1].settled], way, 0);
    uint32_t node = add_node(w, PATH_DECISION, block, op->target_count);
    for (uint32_t t = 0; t < op->target_count; t++) {
        uint32_t known = fact;
        if (b->kind == MACHINE_LAZY && t == 1 && b->settles != AIR_NONE && fact == 0)
            known = block + 1;
        uint32_t next = enter(w, op->targets[t], way, known);
        w->out->nodes.at[node].next[t] = next;
    }
    return node;
}

static uint32_t terminator(struct walk *w, uint32_t block, const struct air_op *op, uint32_t way,
                           uint32_t fact)
{
    if (op->kind == AIR_RETURN)
        return leaf(w, PATH_RETURNED, 0);
    if (op->kind == AIR_CANCELLED)
        return leaf(w, PATH_CANCELLED, 0);
    if (op->kind == AIR_STOP)
        return leaf(w, PATH_STOPPED, 0);
    return branch(w, block, op, way, fact);
}

static uint32_t run(struct walk *w, uint32_t block, uint32_t op, uint32_t way, uint32_t fact)
{
    const struct air_block *b = &w->request->m->air->blocks.at[block];
    for (; op < b->ops.count; op++) {
        if (b->ops.at[op].kind == AIR_AWAIT)
            return leaf(w, PATH_STATE, b->ops.at[op].await);
        if (!air_op_is_terminator(b->ops.at[op].kind))
            continue;
        uint32_t choice = w->request->choice_at_branch[block];
        if (choice != AIR_NONE)
            return leaf(w, PATH_CHOICE, choice);
        return terminator(w, block, &b->ops.at[op], way, fact);
    }
    return leaf(w, PATH_NOWHERE, 0);
}

static uint32_t wrap(struct walk *w, enum path_kind kind, uint32_t index, uint32_t inner)
{
    uint32_t node = add_node(w, kind, index, 1);
    w->out->nodes.at[node].next[0] = inner;
    return node;
}

static uint32_t enter(struct walk *w, uint32_t block, uint32_t way, uint32_t fact)
{
    uint32_t choice = w->request->choice_at_start[block];
    if (choice != AIR_NONE)
        return leaf(w, PATH_CHOICE, choice);
    bool is_new;
    uint32_t visit = find_visit(w, block, way, fact, &is_new);
    if (!is_new && w->visits.at[visit].node == AIR_NONE) {
        w->visits.at[visit].is_cyclic = true;
        return leaf(w, PATH_NOWHERE, 0);
    }
    if (!is_new)
        return w->visits.at[visit].node;
    uint32_t node = run(w, block, 0, way, fact);
    uint32_t cleanup = w->request->cleanup_at[block], loop = w->request->loop_at[block];
    if (cleanup != AIR_NONE)
        node = wrap(w, PATH_CLEANUP, cleanup, node);
    if (loop != AIR_NONE)
        node = wrap(w, PATH_HEAD, loop, node);
    if (w->visits.at[visit].is_cyclic)
        w->out->nodes.at[node].is_cyclic = true;
    w->visits.at[visit].node = node;
    return node;
}

static uint32_t *no_index(arena *mem, size_t count)
{
    uint32_t *out = ARENA_ARRAY(mem, uint32_t, count + 1);
    for (size_t i = 0; i < count; i++)
        out[i] = AIR_NONE;
    return out;
}

struct path_request path_request_new(arena *mem, const machine *m,
                                     const struct path_choice *choices, uint32_t count)
{
    size_t blocks = m->air->blocks.count;
    struct path_request r = {.m = m};
    r.choice_at_start = no_index(mem, blocks);
    r.choice_at_branch = no_index(mem, blocks);
    r.cleanup_at = no_index(mem, blocks);
    r.loop_at = no_index(mem, blocks);
    for (uint32_t i = 0; i < count; i++)
        (choices[i].at_branch ? r.choice_at_branch : r.choice_at_start)[choices[i].block] = i;
    for (uint32_t i = 0; i < m->cleanup_count; i++) {
        if (m->cleanups[i].block != AIR_NONE)
            r.cleanup_at[m->cleanups[i].block] = i;
    }
    for (uint32_t i = 0; i < m->scope_count; i++) {
        if (m->scopes[i].block != AIR_NONE)
            r.loop_at[m->scopes[i].block] = i;
    }
    return r;
}

path_graph path_walk(arena *mem, const struct path_request *request, enum path_start start,
                     struct path_position at)
{
    path_graph out = {0};
    struct walk w = {.mem = mem, .request = request, .out = &out};
    uint32_t last = (uint32_t)request->m->air->blocks.at[at.block].ops.count - 1;
    if (start == PATH_ENTER_BLOCK)
        out.root = enter(&w, at.block, at.way, 0);
    else if (start == PATH_AT_BRANCH)
        out.root =
            terminator(&w, at.block, &request->m->air->blocks.at[at.block].ops.at[last], at.way, 0);
    else
        out.root = run(&w, at.block, at.op, at.way, 0);
    return out;
}

/* ---- answers
 * ----------------------------------------------------------------------------------- */

enum { REDUCED_NO, REDUCED_YES, REDUCED_NOWHERE, REDUCED_FIRST };

struct reducer {
    arena *mem;
    const path_graph *g;
    enum path_kind kind;
    uint32_t index;
    uint32_t *result; /* [node]: a REDUCED_..., or REDUCED_FIRST + node; UINT32_MAX: not known */
    uint8_t *leaves;  /* [node]: bits 1 << REDUCED_... of what it leads to */
    path_cases *cases;
    uint32_t limit;
    VEC(struct path_answer) answers;
};

static uint8_t leaves_of(const struct reducer *r, uint32_t value)
{
    if (value < REDUCED_FIRST)
        return (uint8_t)(1u << value);
    return r->leaves[value - REDUCED_FIRST];
}

static uint32_t only_leaf(uint8_t leaves)
{
    leaves = (uint8_t)(leaves & ~(1u << REDUCED_NOWHERE));
    if (leaves == 1u << REDUCED_YES)
        return REDUCED_YES;
    return leaves == 1u << REDUCED_NO ? REDUCED_NO : REDUCED_FIRST;
}

static uint32_t reduce(struct reducer *r, uint32_t node);

static uint32_t reduce_inner(struct reducer *r, uint32_t node)
{
    const struct path_node *n = &r->g->nodes.at[node];
    if (n->kind == PATH_NOWHERE)
        return REDUCED_NOWHERE;
    if (n->next_count == 0)
        return n->kind == r->kind && n->index == r->index ? REDUCED_YES : REDUCED_NO;
    uint32_t first = reduce(r, n->next[0]);
    bool same = true;
    uint8_t leaves = leaves_of(r, first);
    for (uint32_t t = 1; t < n->next_count; t++) {
        uint32_t next = reduce(r, n->next[t]);
        same &= next == first;
        leaves |= leaves_of(r, next);
    }
    r->leaves[node] = leaves;
    if (n->is_cyclic && only_leaf(leaves) != REDUCED_FIRST)
        return only_leaf(leaves);
    return same ? first : REDUCED_FIRST + node;
}

static uint32_t reduce(struct reducer *r, uint32_t node)
{
    if (r->result[node] == UINT32_MAX)
        r->result[node] = reduce_inner(r, node);
    return r->result[node];
}

/* Does nothing more decide where the walk goes from here? */
static bool is_decided(const path_graph *g, uint32_t node)
{
    while (g->nodes.at[node].next_count == 1)
        node = g->nodes.at[node].next[0];
    return g->nodes.at[node].next_count == 0 && g->nodes.at[node].kind != PATH_NOWHERE;
}

static void collect_cases(struct reducer *r, uint32_t value)
{
    if (value == REDUCED_YES) {
        if (r->cases->all.count >= r->limit) {
            r->cases->is_cut = true;
            return;
        }
        struct path_case c = {.count = (uint32_t)r->answers.count};
        c.answers = arena_copy(r->mem, r->answers.at, r->answers.count * sizeof *r->answers.at);
        VEC_PUSH(r->mem, &r->cases->all, c);
    }
    if (value < REDUCED_FIRST || r->cases->is_cut)
        return;
    const struct path_node *n = &r->g->nodes.at[value - REDUCED_FIRST];
    for (uint32_t t = 0; t < n->next_count; t++) {
        uint32_t next = r->result[n->next[t]];
        if ((leaves_of(r, next) & 1u << REDUCED_YES) == 0)
            continue;
        struct path_answer a = {.block = n->index, .of = n->next_count};
        bool is_first = true;
        a.targets = ARENA_ARRAY(r->mem, uint32_t, n->next_count);
        for (uint32_t k = 0; k < n->next_count; k++) {
            if (r->result[n->next[k]] != next)
                continue;
            is_first &= k >= t;
            a.targets[a.target_count++] = k;
        }
        if (!is_first)
            continue;
        a.is_guard =
            a.of == 2 && a.target_count == 1 && is_decided(r->g, n->next[1 - a.targets[0]]);
        VEC_PUSH(r->mem, &r->answers, a);
        collect_cases(r, next);
        r->answers.count--;
    }
}

static bool is_same_answer(const struct path_answer *a, const struct path_answer *b)
{
    return a->block == b->block && a->target_count == b->target_count &&
           memcmp(a->targets, b->targets, a->target_count * sizeof *a->targets) == 0;
}

/* Is `c` what comes before answer `at` of `of`, and then the other answer to that question? */
static bool is_other_half(const struct path_case *c, const struct path_case *of, uint32_t at)
{
    if (c->count != at + 1 || c->answers[at].block != of->answers[at].block ||
        is_same_answer(&c->answers[at], &of->answers[at]))
        return false;
    for (uint32_t i = 0; i < at; i++) {
        if (!is_same_answer(&c->answers[i], &of->answers[i]))
            return false;
    }
    return true;
}

/* x, or else y: where x was a case of its own, that it does not hold need not be said. */
static void drop_implied(arena *mem, path_cases *cases)
{
    for (size_t k = cases->all.count; k-- > 1;) {
        struct path_case *c = &cases->all.at[k], shorter = {0};
        shorter.answers = ARENA_ARRAY(mem, struct path_answer, c->count);
        for (uint32_t a = 0; a < c->count; a++) {
            bool implied = c->answers[a].of == 2;
            size_t i = 0;
            while (i < k && implied && !is_other_half(&cases->all.at[i], c, a))
                i++;
            if (i == k || !implied)
                shorter.answers[shorter.count++] = c->answers[a];
        }
        *c = shorter;
    }
}

path_cases path_cases_to(arena *mem, const path_graph *g, enum path_kind kind, uint32_t index,
                         uint32_t limit)
{
    path_cases out = {0};
    struct reducer r = {.mem = mem, .g = g, .kind = kind, .index = index, .limit = limit};
    r.cases = &out;
    r.result = ARENA_ARRAY(mem, uint32_t, g->nodes.count);
    r.leaves = ARENA_ARRAY(mem, uint8_t, g->nodes.count);
    for (size_t i = 0; i < g->nodes.count; i++)
        r.result[i] = UINT32_MAX;
    collect_cases(&r, reduce(&r, g->root));
    drop_implied(mem, &out);
    return out;
}

/* ---- what lies on the way
 * ---------------------------------------------------------------------- */

struct pass_search {
    const path_graph *g;
    enum path_kind leaf, inner;
    uint32_t leaf_index;
    uint8_t *leads; /* [node]: 1 no, 2 yes */
    uint8_t *seen;
    uint32_t *found, count;
};

static bool leads(struct pass_search *s, uint32_t node)
{
    const struct path_node *n = &s->g->nodes.at[node];
    if (s->leads[node] != 0)
        return s->leads[node] == 2;
    bool yes = n->next_count == 0 && n->kind == s->leaf && n->index == s->leaf_index;
    for (uint32_t t = 0; t < n->next_count; t++)
        yes |= leads(s, n->next[t]);
    s->leads[node] = yes ? 2 : 1;
    return yes;
}

static void collect_passed(struct pass_search *s, uint32_t node)
{
    const struct path_node *n = &s->g->nodes.at[node];
    if (s->seen[node] || !leads(s, node))
        return;
    s->seen[node] = 1;
    bool known = n->kind != s->inner;
    for (uint32_t i = 0; i < s->count; i++)
        known |= s->found[i] == n->index;
    if (!known)
        s->found[s->count++] = n->index;
    for (uint32_t t = 0; t < n->next_count; t++)
        collect_passed(s, n->next[t]);
}

uint32_t *path_passes(arena *mem, const path_graph *g, const struct path_node *leaf,
                      enum path_kind inner, uint32_t *count)
{
    struct pass_search s = {.g = g, .leaf = leaf->kind, .inner = inner, .leaf_index = leaf->index};
    s.leads = ARENA_ARRAY(mem, uint8_t, g->nodes.count);
    s.seen = ARENA_ARRAY(mem, uint8_t, g->nodes.count);
    s.found = ARENA_ARRAY(mem, uint32_t, g->nodes.count + 1);
    collect_passed(&s, g->root);
    *count = s.count;
    return s.found;
}
