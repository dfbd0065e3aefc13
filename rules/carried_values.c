/* SPDX-License-Identifier: MIT */
/*
 * A pair is a variable and a source that it may hold; two facts a pair: it holds the value as taken
 * since the last suspension, or one that has crossed. Pairs are found first, by following the
 * function's assignments until no new one appears.
 */
#include "rules/carried_values.h"

#include <string.h>

#include "rules/suspension.h"
#include "rules/worlds.h"

enum { MAX_PAIRS = 30 };

struct pair {
    const char *var;
    uint32_t source;
};

/* A value that an assignment gives. */
struct origin {
    const ast_node *source; /* a source's node; NULL: the variable `var` */
    const char *var;
    bool is_load; /* through the variable: only for sources whose loads carry */
};

typedef VEC(struct origin) origin_list;

struct assignment {
    const ast_node *node; /* AST_ASSIGN or AST_DECLARATOR */
    const char *var;
    bool keeps; /* +=: the old value stays in it */
    origin_list from;
};

struct carried {
    const fn_view *v;
    const struct carried_rules *rules;
    VEC(struct carried_source) sources;
    VEC(struct pair) pairs;
    VEC(struct assignment) assignments;
    bool *reported; /* [source] */
    world_flow *flow;
};

/* ---- where values come from ------------------------------------------------------------------ */

static uint32_t source_index(struct carried *c, const ast_node *n)
{
    struct carried_source s = {.node = n};
    for (uint32_t i = 0; i < c->sources.count; i++) {
        if (c->sources.at[i].node == n)
            return i;
    }
    if (!c->rules->source(c->rules->context, c->v, n, &s))
        return UINT32_MAX;
    s.node = n;
    VEC_PUSH(c->v->cx->mem, &c->sources, s);
    return (uint32_t)c->sources.count - 1;
}

static void find_origins(struct carried *c, const ast_node *n, origin_list *to);

static void add_variable(struct carried *c, const ast_node *n, bool is_load, origin_list *to)
{
    const char *path = path_raw(c->v, n);
    if (path != NULL)
        VEC_PUSH(c->v->cx->mem, to, (struct origin){.var = path, .is_load = is_load});
}

static bool is_pointer(const struct carried *c, const ast_node *n)
{
    enum ctype_class cls = sema_type(c->v->cx->sema, c->v->fn, n)->cls;
    return cls == CTYPE_POINTER || cls == CTYPE_ARRAY;
}

/* The pointer through which a place is reached: the base of p->a.b[1]; NULL: it is a variable. */
static const ast_node *base_pointer(const struct carried *c, const ast_node *n)
{
    for (;;) {
        n = sema_strip(n);
        if (n->kind == AST_MEMBER && n->op == OP_ARROW)
            return sema_strip(n->kid[0]);
        if (n->kind == AST_UNARY && n->op == OP_DEREF)
            return sema_strip(n->kid[0]);
        if (n->kind == AST_INDEX &&
            sema_type(c->v->cx->sema, c->v->fn, n->kid[0])->cls != CTYPE_ARRAY)
            return sema_strip(n->kid[0]);
        if (n->kind != AST_MEMBER && n->kind != AST_INDEX)
            return NULL;
        n = n->kid[0];
    }
}

/* A value read from a place: the variable itself, or loaded through pointers. */
static void find_place_origins(struct carried *c, const ast_node *n, origin_list *to)
{
    add_variable(c, n, false, to);
    const ast_node *base = base_pointer(c, n);
    if (base == NULL || !is_pointer(c, n))
        return;
    bool is_part = sema_type(c->v->cx->sema, c->v->fn, n)->cls == CTYPE_ARRAY;
    size_t before = to->count;
    find_origins(c, base, to);
    for (size_t i = before; i < to->count; i++)
        to->at[i].is_load = to->at[i].is_load || !is_part;
}

static bool returns_into_argument(strview name)
{
    static const char *const names[] = {"strchr",   "strrchr", "strstr",     "strpbrk", "memchr",
                                        "basename", "dirname", "strcasestr", "index",   "rindex"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (sv_is(name, names[i]))
            return true;
    }
    return false;
}

static void find_operator_origins(struct carried *c, const ast_node *n, origin_list *to)
{
    switch (n->kind) {
    case AST_UNARY:
        if (n->op == OP_ADDR && base_pointer(c, n->kid[0]) != NULL)
            find_origins(c, base_pointer(c, n->kid[0]), to);
        else if (n->op == OP_DEREF)
            find_place_origins(c, n, to);
        break;
    case AST_BINARY:
        if ((n->op == OP_ADD || n->op == OP_SUB) && is_pointer(c, n)) {
            find_origins(c, n->kid[0], to);
            find_origins(c, n->kid[1], to);
        }
        break;
    case AST_CONDITIONAL:
        find_origins(c, n->kid[n->kid[1] == NULL ? 0 : 1], to);
        find_origins(c, n->kid[2], to);
        break;
    case AST_COMMA:
    case AST_ASSIGN:
        find_origins(c, n->kid[1], to);
        break;
    case AST_PREFIX:
    case AST_POSTFIX:
        find_origins(c, n->kid[0], to);
        break;
    case AST_CALL:
        if (sema_arg_count(n) != 0 &&
            returns_into_argument(sema_callee_name(c->v->cx->sema, c->v->fn, n)))
            find_origins(c, sema_arg(n, 0), to);
        break;
    default:
        break;
    }
}

static void find_origins(struct carried *c, const ast_node *n, origin_list *to)
{
    n = sema_strip(n);
    if (source_index(c, n) != UINT32_MAX) {
        VEC_PUSH(c->v->cx->mem, to, (struct origin){.source = n});
        return;
    }
    if (n->kind == AST_IDENT || n->kind == AST_MEMBER || n->kind == AST_INDEX)
        find_place_origins(c, n, to);
    else
        find_operator_origins(c, n, to);
}

static void find_assignments(struct carried *c, const ast_node *n)
{
    if (n->is_unevaluated)
        return;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            find_assignments(c, n->kid[i]);
    }
    struct assignment a = {.node = n};
    const ast_node *value = NULL;
    if (n->kind == AST_ASSIGN) {
        a.var = path_raw(c->v, n->kid[0]);
        a.keeps = n->op != OP_ASSIGN;
        value = n->kid[1];
    } else if (n->kind == AST_DECLARATOR && n->ref != NULL && n->ref->kind == DECL_VAR &&
               n->ref->storage != STORAGE_STATIC && n->kid_count != 0) {
        a.var = path_of_decl(c->v, n->ref);
        value = n->kid[n->kid_count - 1];
    }
    if (a.var == NULL || value == NULL || value->kind == AST_INIT_LIST)
        return;
    find_origins(c, value, &a.from);
    VEC_PUSH(c->v->cx->mem, &c->assignments, a);
}

static uint32_t pair_of(const struct carried *c, const char *var, uint32_t source)
{
    for (uint32_t i = 0; i < c->pairs.count; i++) {
        if (c->pairs.at[i].source == source && strcmp(c->pairs.at[i].var, var) == 0)
            return i;
    }
    return UINT32_MAX;
}

static bool add_pair(struct carried *c, const char *var, uint32_t source)
{
    if (pair_of(c, var, source) != UINT32_MAX || c->pairs.count >= MAX_PAIRS)
        return false;
    VEC_PUSH(c->v->cx->mem, &c->pairs, (struct pair){var, source});
    return true;
}

static bool carries(const struct carried *c, const struct origin *o, const struct pair *p)
{
    return o->source == NULL && strcmp(p->var, o->var) == 0 &&
           (!o->is_load || c->sources.at[p->source].loads_carry);
}

static bool add_pairs(struct carried *c, const struct assignment *a)
{
    bool changed = false;
    for (size_t k = 0; k < a->from.count; k++) {
        const struct origin *o = &a->from.at[k];
        if (o->source != NULL) {
            uint32_t s = source_index(c, o->source);
            if (!o->is_load || c->sources.at[s].loads_carry)
                changed = add_pair(c, a->var, s) || changed;
            continue;
        }
        for (size_t i = 0; i < c->pairs.count; i++) {
            if (carries(c, o, &c->pairs.at[i]))
                changed = add_pair(c, a->var, c->pairs.at[i].source) || changed;
        }
    }
    return changed;
}

static void find_pairs(struct carried *c)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < c->assignments.count; i++)
            changed = add_pairs(c, &c->assignments.at[i]) || changed;
    }
}

/* ---- flow ------------------------------------------------------------------------------------ */

static uint64_t fresh(uint32_t pair)
{
    return 1ULL << (2 * pair);
}

static uint64_t crossed(uint32_t pair)
{
    return 2ULL << (2 * pair);
}

static uint64_t fresh_of_all(const struct carried *c)
{
    return 0x5555555555555555ULL & ((1ULL << (2 * c->pairs.count)) - 1);
}

static void assign(const struct carried *c, const struct assignment *a, struct world *w)
{
    uint64_t added = 0;
    for (size_t k = 0; k < a->from.count; k++) {
        const struct origin *o = &a->from.at[k];
        for (uint32_t i = 0; i < c->pairs.count; i++) {
            const struct pair *p = &c->pairs.at[i];
            uint32_t to = pair_of(c, a->var, p->source);
            if (to == UINT32_MAX)
                continue;
            if (o->source != NULL && o->source == c->sources.at[p->source].node && i == to)
                added |= fresh(to);
            else if (carries(c, o, p) && (w->facts & (fresh(i) | crossed(i))))
                added |= (w->facts & fresh(i) ? fresh(to) : 0) |
                         (w->facts & crossed(i) ? crossed(to) : 0);
        }
    }
    for (uint32_t i = 0; i < c->pairs.count && !a->keeps; i++) {
        if (path_is_within(c->pairs.at[i].var, a->var))
            w->facts &= ~(fresh(i) | crossed(i));
    }
    w->facts |= added;
}

static void renew(const struct carried *c, const struct tree_item *item, struct worlds *w)
{
    for (uint32_t i = 0; c->rules->renews != NULL && i < c->pairs.count; i++) {
        const struct pair *p = &c->pairs.at[i];
        if ((worlds_any(w) & (fresh(i) | crossed(i))) &&
            c->rules->renews(c->rules->context, c->v, item, p->var, &c->sources.at[p->source]))
            worlds_clear(w, fresh(i) | crossed(i));
    }
}

static void transfer(void *context, world_flow *f, const struct tree_item *item, struct worlds *w)
{
    (void)f;
    const struct carried *c = context;
    bool can_assign =
        item->kind == TREE_DECL || (item->kind == TREE_EXPR && item->node->kind == AST_ASSIGN);
    renew(c, item, w);
    for (size_t i = 0; can_assign && i < c->assignments.count; i++) {
        for (uint32_t k = 0; c->assignments.at[i].node == item->node && k < w->count; k++)
            assign(c, &c->assignments.at[i], &w->at[k]);
    }
    if (!suspends_at(c->v->cx, c->v->fn, item))
        return;
    for (uint32_t k = 0; k < w->count; k++) {
        uint64_t now = w->at[k].facts & fresh_of_all(c);
        w->at[k].facts = (w->at[k].facts & ~now) | now << 1;
    }
}

/* ---- uses ------------------------------------------------------------------------------------ */

/* Up through what does not change an expression's value. */
static const ast_node *outer(const ast_node *n)
{
    while (n->parent != NULL && (n->parent->kind == AST_PAREN || n->parent->kind == AST_CAST))
        n = n->parent;
    return n;
}

bool is_not_read(const ast_node *n)
{
    n = outer(n);
    const ast_node *up = n->parent;
    if (up == NULL)
        return false;
    return (up->kind == AST_ASSIGN && up->op == OP_ASSIGN && up->kid[0] == n) ||
           (up->kind == AST_UNARY && up->op == OP_ADDR);
}

bool is_null_test(const fn_view *v, const ast_node *n)
{
    n = outer(n);
    const ast_node *up = n->parent;
    if (up == NULL)
        return false;
    switch (up->kind) {
    case AST_IF:
    case AST_WHILE:
    case AST_CONDITIONAL:
        return up->kid[0] == n;
    case AST_AND_AND:
    case AST_OR_OR:
        return true;
    case AST_UNARY:
        return up->op == OP_NOT;
    case AST_BINARY:
        return (up->op == OP_EQ || up->op == OP_NE) &&
               sema_is_null(v->cx->sema, v->fn, up->kid[up->kid[0] == n ? 1 : 0]);
    default:
        return false;
    }
}

static bool is_use(const struct carried *c, const ast_node *n)
{
    if (is_not_read(n))
        return false;
    if (c->rules->is_use != NULL)
        return c->rules->is_use(c->rules->context, c->v, n);
    return !is_null_test(c->v, n);
}

/* The suspension that a pair crossed on its way to a use: the last one in front of it. */
static const ast_node *crossing(struct carried *c, uint32_t pair, const ast_node *use)
{
    const tree_cfg *g = world_flow_graph(c->flow);
    const ast_node *best = NULL;
    for (uint32_t b = 0; b < g->block_count; b++) {
        struct tree_flow_walk w = world_flow_walk(c->flow, b);
        while (tree_flow_next(&w)) {
            if (!suspends_at(c->v->cx, c->v->fn, w.item) || !(worlds_any(w.state) & fresh(pair)))
                continue;
            const ast_node *n = w.item->node;
            bool is_better = best == NULL || (n->first < use->first && n->first > best->first);
            best = is_better ? n : best;
        }
    }
    return best;
}

static void report(struct carried *c, uint32_t source, const ast_node *use, const ast_node *await)
{
    if (c->reported[source])
        return;
    c->reported[source] = true;
    c->rules->report(c->rules->context, c->v, &c->sources.at[source], use, await);
}

static void check_use(struct carried *c, const struct tree_item *item, const struct worlds *w)
{
    const ast_node *n = item->node;
    uint64_t facts = worlds_any(w);
    bool is_place = n->kind == AST_IDENT || n->kind == AST_MEMBER || n->kind == AST_INDEX;
    const char *path = NULL;
    for (uint32_t i = 0; item->kind == TREE_EXPR && is_place && i < c->pairs.count; i++) {
        if (!(facts & crossed(i)) || c->reported[c->pairs.at[i].source])
            continue;
        path = path != NULL ? path : path_raw(c->v, n);
        if (path != NULL && strcmp(path, c->pairs.at[i].var) == 0 && is_use(c, n))
            report(c, c->pairs.at[i].source, n, crossing(c, i, n));
    }
}

struct given {
    struct carried *c;
    const ast_node *await;
    uint64_t facts;
};

static void check_given(void *context, const ast_node *call)
{
    struct given *g = context;
    struct carried *c = g->c;
    for (uint32_t i = 0; i < sema_arg_count(call); i++) {
        origin_list from = {NULL, 0, 0};
        find_origins(c, sema_arg(call, i), &from);
        for (size_t k = 0; k < from.count; k++) {
            const struct origin *o = &from.at[k];
            uint32_t s = o->source == NULL ? UINT32_MAX : source_index(c, o->source);
            if (s != UINT32_MAX && c->sources.at[s].counts_at_await &&
                (!o->is_load || c->sources.at[s].loads_carry))
                report(c, s, NULL, g->await);
            for (uint32_t p = 0; o->source == NULL && p < c->pairs.count; p++) {
                const struct carried_source *of = &c->sources.at[c->pairs.at[p].source];
                if (carries(c, o, &c->pairs.at[p]) && of->counts_at_await && (g->facts & fresh(p)))
                    report(c, c->pairs.at[p].source, NULL, g->await);
            }
        }
    }
}

/* A use behind a suspension says more than that the value was given to it. */
static void check_items(struct carried *c, bool uses)
{
    const tree_cfg *g = world_flow_graph(c->flow);
    for (uint32_t b = 0; b < g->block_count; b++) {
        struct tree_flow_walk w = world_flow_walk(c->flow, b);
        while (tree_flow_next(&w)) {
            if (uses) {
                check_use(c, w.item, w.state);
            } else if (suspends_at(c->v->cx, c->v->fn, w.item)) {
                struct given given = {c, w.item->node, worlds_any(w.state)};
                each_awaited_call(w.item->node, check_given, &given);
            }
        }
    }
}

/* Sources that are given to awaited calls without a variable between. */
static void find_given_sources(struct carried *c, const ast_node *n)
{
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            find_given_sources(c, n->kid[i]);
    }
    if (n->kind != AST_CALL || n->is_unevaluated)
        return;
    for (uint32_t i = 0; i < sema_arg_count(n); i++) {
        origin_list unused = {NULL, 0, 0};
        find_origins(c, sema_arg(n, i), &unused);
    }
}

void carried_values_check(const fn_view *v, const struct carried_rules *rules)
{
    struct carried c = {.v = v, .rules = rules};
    find_assignments(&c, v->fn->tree->root);
    find_given_sources(&c, v->fn->tree->root);
    if (c.sources.count == 0)
        return;
    find_pairs(&c);
    c.reported = ARENA_ARRAY(v->cx->mem, bool, c.sources.count + 1);
    c.flow = world_flow_new(v, transfer, &c);
    if (!world_flow_solve(c.flow))
        return;
    check_items(&c, true);
    check_items(&c, false);
}

/* ---- functions that hand sources on ---------------------------------------------------------- */

struct returned {
    const fn_view *v;
    bool (*source)(void *context, const fn_view *v, const ast_node *n, struct carried_source *out);
    void *context;
    struct carried_source *out;
};

static bool find_returned(const struct returned *r, const ast_node *n)
{
    if (n->kind == AST_RETURN && n->kid_count != 0 && n->kid[0] != NULL)
        return r->source(r->context, r->v, path_origin(r->v, n->kid[0]), r->out);
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && find_returned(r, n->kid[i]))
            return true;
    }
    return false;
}

bool returns_source(const fn_view *v, const ast_node *call,
                    bool (*source)(void *context, const fn_view *v, const ast_node *n,
                                   struct carried_source *out),
                    void *context, struct carried_source *out)
{
    uint32_t count;
    const sema_symbol *callee = sema_callee(v->cx->sema, v->fn, call);
    if (callee == NULL || callee->function == NULL || callee->function == v->fn || callee->is_async)
        return false;
    struct sema_function *body = sema_unit_functions(v->cx->sema, &count)[callee->function->index];
    const fn_view *inner = fn_view_new(v->cx, body);
    struct returned r = {inner, source, context, out};
    return find_returned(&r, body->tree->root);
}
