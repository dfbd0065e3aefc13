/* SPDX-License-Identifier: MIT */
/*
 * awaitc-async-recursion: async functions that await each other in a cycle without a limit: each
 * round is one more frame that the task keeps until all of them end. A cycle is limited if some
 * call in it changes a number that is compared: depth + 1, tries - 1. One finding a group of
 * functions that reach each other, at the first of the awaits without a limit.
 */
#include "analyzer/base/bitset.h"
#include "rules/rule.h"
#include "rules/tree_terms.h"
#include "rules/work_estimate.h"

struct edge {
    struct sema_function *from, *to;
    const ast_node *call;
    bool is_limited;
};

struct graph {
    rule_cx *cx;
    struct sema_function *const *functions;
    uint32_t count;
    VEC(struct edge) edges;
    struct sema_function *from; /* that is looked through */
};

/* ---- edges
 * ---------------------------------------------------------------------------------------- */

static bool visit_call(void *context, const ast_node *n)
{
    struct graph *g = context;
    rule_cx inner = *g->cx;
    inner.fn = g->from;
    bool is_other = n->kind == AST_FORM && n->op != FORM_ALL && n->op != FORM_TRY_ALL &&
                    n->op != FORM_RACE && n->op != FORM_TIMEOUT;
    if (is_other)
        return false; /* spawned: no frame of this task; or plain */
    if (n->kind != AST_CALL || !sema_call_is_async(g->cx->sema, g->from, n))
        return true;
    struct sema_function *to = unit_function(&inner, sema_callee(g->cx->sema, g->from, n));
    if (to != NULL && to->tree->is_async)
        VEC_PUSH(g->cx->mem, &g->edges, (struct edge){g->from, to, n, false});
    return true;
}

/* ---- limits
 * --------------------------------------------------------------------------------------- */

struct compare_search {
    const ast_function *fn;
    ast_decl *decl;         /* a parameter; or NULL and */
    const ast_node *lvalue; /* something that is stepped */
    bool found;
};

static bool visit_compare(void *context, const ast_node *n)
{
    struct compare_search *s = context;
    const ast_node *condition = NULL;
    if (n->kind == AST_IF || n->kind == AST_WHILE || n->kind == AST_SWITCH ||
        n->kind == AST_CONDITIONAL)
        condition = n->kid[0];
    else if (n->kind == AST_FOR || n->kind == AST_DO)
        condition = tree_loop_condition(n);
    if (condition != NULL) {
        const ast_node ident = {.kind = AST_IDENT, .ref = s->decl};
        s->found =
            s->found || tree_mentions(s->fn, condition, s->lvalue != NULL ? s->lvalue : &ident);
    }
    return !s->found;
}

static bool compares(const struct sema_function *fn, ast_decl *param)
{
    struct compare_search s = {.fn = fn->tree, .decl = param};
    tree_visit(fn->tree->root, visit_compare, &s);
    return s.found;
}

static bool is_arithmetic(const ast_node *n)
{
    return (n->kind == AST_BINARY && (n->op == OP_ADD || n->op == OP_SUB || n->op == OP_DIV ||
                                      n->op == OP_SHR || n->op == OP_MUL || n->op == OP_MOD)) ||
           n->kind == AST_PREFIX || n->kind == AST_POSTFIX || n->kind == AST_CONDITIONAL;
}

struct change_search {
    const ast_decl *decl;
    bool found;
};

/* Is the local computed, or stepped, anywhere in the function? */
static bool visit_change(void *context, const ast_node *n)
{
    struct change_search *s = context;
    const ast_node *value = NULL, *lvalue = NULL;
    if (n->kind == AST_ASSIGN) {
        lvalue = sema_strip(n->kid[0]);
        value = n->op == OP_ASSIGN ? n->kid[1] : n;
    } else if (n->kind == AST_PREFIX || n->kind == AST_POSTFIX) {
        lvalue = sema_strip(n->kid[0]);
        value = n;
    } else if (n->kind == AST_DECLARATOR && n->ref == s->decl && n->kid_count != 0) {
        value = n->kid[n->kid_count - 1];
    }
    bool is_it = n->kind == AST_DECLARATOR
                     ? value != NULL
                     : lvalue != NULL && lvalue->kind == AST_IDENT && lvalue->ref == s->decl;
    if (is_it && (value == n || is_arithmetic(sema_strip(value))))
        s->found = true;
    return !s->found;
}

/* Does the argument differ from round to round by a computation? */
static bool is_changed(const struct sema_function *fn, const ast_node *arg)
{
    arg = sema_strip(arg);
    if (is_arithmetic(arg))
        return true;
    if (arg->kind != AST_IDENT || arg->ref == NULL)
        return false;
    struct change_search s = {.decl = arg->ref};
    tree_visit(fn->tree->root, visit_change, &s);
    return s.found;
}

static ast_decl *own_param(const ast_node *arg)
{
    arg = sema_strip(arg);
    while (is_arithmetic(arg) && arg->kid_count != 0 && arg->kid[0] != NULL)
        arg = sema_strip(arg->kid[0]);
    return arg->kind == AST_IDENT ? arg->ref : NULL;
}

static bool argument_limits(struct graph *g, const struct edge *e, uint32_t i)
{
    const ast_node *arg = sema_arg(e->call, i);
    enum ctype_class cls = sema_type(g->cx->sema, e->from, arg)->cls;
    ast_decl *mine = own_param(arg);
    if ((cls != CTYPE_INT && cls != CTYPE_ENUM) || !is_changed(e->from, arg))
        return false;
    bool here = mine != NULL && compares(e->from, mine);
    bool there = i < e->to->tree->params.count && compares(e->to, e->to->tree->params.at[i]);
    return here || there;
}

struct step_search {
    const ast_function *fn;
    bool found;
};

/* c->depth++ of something that is compared, too. */
static bool visit_step(void *context, const ast_node *n)
{
    struct step_search *s = context;
    bool steps = n->kind == AST_PREFIX || n->kind == AST_POSTFIX ||
                 (n->kind == AST_ASSIGN && (n->op == OP_ADD || n->op == OP_SUB));
    const ast_node *lvalue = steps ? sema_strip(n->kid[0]) : NULL;
    if (lvalue == NULL || (lvalue->kind == AST_IDENT && lvalue->ref != NULL &&
                           lvalue->ref->kind == DECL_VAR && lvalue->ref->storage == STORAGE_AUTO))
        return true;
    struct compare_search c = {.fn = s->fn, .lvalue = lvalue};
    tree_visit(s->fn->root, visit_compare, &c);
    s->found = s->found || c.found;
    return !s->found;
}

/* ---- a depth that the object carries: child.level = parent->level + 1 ---- */

struct field_search {
    const ast_function *fn;
    uint32_t name; /* token of the field's name */
    bool found;
};

static bool visit_field(void *context, const ast_node *n)
{
    struct field_search *s = context;
    s->found = s->found || (n->kind == AST_MEMBER && sv_equal(ast_token_text(s->fn, n->name_token),
                                                              ast_token_text(s->fn, s->name)));
    return !s->found;
}

/* if (parent->level > 8) */
static bool visit_field_compare(void *context, const ast_node *n)
{
    struct field_search *s = context;
    struct field_search side = {.fn = s->fn, .name = s->name};
    bool is_relation = n->kind == AST_BINARY &&
                       (n->op == OP_LT || n->op == OP_LE || n->op == OP_GT || n->op == OP_GE);
    if (is_relation)
        tree_visit(n, visit_field, &side);
    s->found = s->found || side.found;
    return !s->found;
}

static bool visit_field_set(void *context, const ast_node *n)
{
    struct field_search *s = context;
    const ast_node *value = NULL;
    if (n->kind == AST_ASSIGN && n->op == OP_ASSIGN && sema_strip(n->kid[0])->kind == AST_MEMBER) {
        s->name = sema_strip(n->kid[0])->name_token;
        value = n->kid[1];
    } else if (n->kind == AST_DESIGNATED && n->kid_count == 2 &&
               n->kid[0]->kind == AST_DESIG_FIELD) {
        s->name = n->kid[0]->name_token;
        value = n->kid[1];
    }
    if (value == NULL || !is_arithmetic(sema_strip(value)))
        return !s->found;
    struct field_search mention = {.fn = s->fn, .name = s->name}, compare = mention;
    tree_visit(value, visit_field, &mention);
    if (mention.found)
        tree_visit(s->fn->root, visit_field_compare, &compare);
    s->found = s->found || compare.found;
    return !s->found;
}

static bool counts_in_field(const ast_function *fn)
{
    struct field_search s = {.fn = fn};
    tree_visit(fn->root, visit_field_set, &s);
    return s.found;
}

static bool is_limited(struct graph *g, const struct edge *e)
{
    struct step_search s = {.fn = e->from->tree};
    if (counts_in_field(e->from->tree))
        return true;
    for (uint32_t i = 0; i < sema_arg_count(e->call); i++) {
        if (argument_limits(g, e, i))
            return true;
    }
    tree_visit(e->from->tree->root, visit_step, &s);
    return s.found;
}

/* ---- cycles
 * --------------------------------------------------------------------------------------- */

/*
 * Which functions await each other without a limit, in turn? Those have one number: Tarjan's
 * strongly connected components ("Depth-first search and linear graph algorithms", 1972), without
 * recursion, since chains of awaits may be long.
 */
struct circles {
    const struct graph *g;
    size_t *next_edge;     /* [function]: the one to look at next */
    uint32_t *order, *low; /* [function]: when it was met, from 1; the earliest one it leads to */
    uint32_t *circle;      /* [function]: the number, from 1; 0: not known yet */
    uint32_t *open, *way;  /* without a number yet; from the start to the function at hand */
    uint32_t open_count, way_count, order_count, circle_count;
};

static void enter(struct circles *c, uint32_t f)
{
    c->order[f] = c->low[f] = ++c->order_count;
    c->open[c->open_count++] = c->way[c->way_count++] = f;
}

static void leave(struct circles *c, uint32_t f)
{
    c->way_count--;
    if (c->way_count != 0 && c->low[f] < c->low[c->way[c->way_count - 1]])
        c->low[c->way[c->way_count - 1]] = c->low[f];
    if (c->low[f] != c->order[f])
        return;
    c->circle_count++;
    do
        c->circle[c->open[--c->open_count]] = c->circle_count;
    while (c->open[c->open_count] != f);
}

/* Edges of one function stand next to each other. */
static void search_from(struct circles *c, uint32_t start)
{
    for (enter(c, start); c->way_count != 0;) {
        uint32_t f = c->way[c->way_count - 1];
        size_t i = c->next_edge[f]++;
        const struct edge *e = i < c->g->edges.count ? &c->g->edges.at[i] : NULL;
        if (e == NULL || e->from->index != f) {
            leave(c, f);
        } else if (!e->is_limited && c->order[e->to->index] == 0) {
            enter(c, e->to->index);
        } else if (!e->is_limited && c->circle[e->to->index] == 0 &&
                   c->order[e->to->index] < c->low[f]) {
            c->low[f] = c->order[e->to->index];
        }
    }
}

/* [function]: equal numbers lead to each other. */
static const uint32_t *find_circles(const struct graph *g)
{
    arena *mem = g->cx->mem;
    uint32_t *all = ARENA_ARRAY(mem, uint32_t, (size_t)g->count * 5 + 1);
    struct circles c = {.g = g,
                        .next_edge = ARENA_ARRAY(mem, size_t, g->count + 1),
                        .order = all,
                        .low = all + g->count,
                        .circle = all + 2 * (size_t)g->count,
                        .open = all + 3 * (size_t)g->count,
                        .way = all + 4 * (size_t)g->count};
    for (uint32_t f = 0; f < g->count; f++)
        c.next_edge[f] = g->edges.count;
    for (size_t i = g->edges.count; i-- > 0;)
        c.next_edge[g->edges.at[i].from->index] = i;
    for (uint32_t f = 0; f < g->count; f++) {
        if (c.order[f] == 0)
            search_from(&c, f);
    }
    return c.circle;
}

static void report(struct graph *g, const struct edge *e)
{
    rule_cx *cx = g->cx;
    const ast_node *await = tree_around(e->call, AST_AWAIT);
    const char *from = arena_printf(cx->mem, "%.*s", SV_ARG(e->from->tree->name));
    cx->fn = e->from;
    struct candidate *c =
        rule_report(cx, await != NULL ? await : e->call,
                    "'%s' awaits %s%s%.*s%s, and nothing limits how deep: each round keeps a frame "
                    "of this task "
                    "until all of them end; make it a loop, or count the depth and stop at a limit",
                    from, e->from == e->to ? "itself" : "'", e->from == e->to ? "" : "",
                    e->from == e->to ? 0 : (int)e->to->tree->name.len, e->to->tree->name.at,
                    e->from == e->to ? "" : "', which awaits it in turn");
    for (size_t i = 0; i < g->edges.count; i++) {
        const struct edge *back = &g->edges.at[i];
        if (back->from == e->to && back->to == e->from && back != e && e->from != e->to)
            rule_note_at(cx, c, sema_place(cx->sema, back->from, back->call),
                         arena_printf(cx->mem, "%.*s", SV_ARG(back->from->tree->name)),
                         "awaits '%s' again", from);
    }
    rule_leaf(c, arena_printf(cx->mem, "%.*s", SV_ARG(e->to->tree->name)));
    cx->fn = NULL;
}

static void on_unit(rule_cx *cx)
{
    struct graph g = {.cx = cx};
    g.functions = sema_unit_functions(cx->sema, &g.count);
    for (uint32_t i = 0; i < g.count; i++) {
        g.from = g.functions[i];
        if (g.from->in_source && g.from->tree->is_async)
            tree_visit(g.from->tree->root, visit_call, &g);
    }
    for (size_t i = 0; i < g.edges.count; i++)
        g.edges.at[i].is_limited = is_limited(&g, &g.edges.at[i]);
    const uint32_t *circle = find_circles(&g);
    bitset done = bitset_new(cx->mem, g.count + 1); /* by number of circle */
    for (size_t i = 0; i < g.edges.count; i++) {
        const struct edge *e = &g.edges.at[i];
        uint32_t number = circle[e->from->index];
        if (e->is_limited || number != circle[e->to->index] || bitset_has(&done, number))
            continue;
        report(&g, e);
        bitset_add(&done, number);
    }
}

/* ---- cycles over several sources
 * ------------------------------------------------------------------- */

struct cross {
    uint32_t count;
    bool *seen;
    bool leaves_unit;
};

/* Does an await that passes on only what it was given lead back to `home`? */
static bool leads_back(struct cross *c, const program_function *f, const program_function *home)
{
    for (uint32_t i = 0; i < f->call_count; i++) {
        const struct program_call *call = &f->calls[i];
        bool may_count = false;
        for (size_t a = 0; a < call->fact->args.count; a++)
            may_count = may_count || call->fact->args.at[a].kind == VALUE_UNKNOWN;
        if (call->fact->run != RUN_AWAITED || may_count)
            continue;
        for (uint32_t k = 0; k < call->callee_count; k++) {
            const program_function *to = call->callees[k];
            c->leaves_unit = c->leaves_unit || to->unit != home->unit;
            if (to == home && c->leaves_unit)
                return true;
            if (to == home || c->seen[to->index])
                continue;
            c->seen[to->index] = true;
            if (leads_back(c, to, home))
                return true;
        }
    }
    return false;
}

static void on_program(program *p, const struct rule *rule)
{
    uint32_t count;
    program_function **functions = program_functions(p, &count);
    arena *mem = program_arena(p);
    bool *done = ARENA_ARRAY(mem, bool, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const program_function *f = functions[i];
        for (uint32_t k = 0; !done[i] && f->fact->is_async_keyword && k < f->call_count; k++) {
            const struct program_call *call = &f->calls[k];
            struct cross c = {count, ARENA_ARRAY(mem, bool, count + 1), false};
            if (call->fact->run != RUN_AWAITED || call->callee_count != 1 ||
                call->callees[0]->unit == f->unit)
                continue;
            c.leaves_unit = true;
            c.seen[call->callees[0]->index] = true;
            if (call->callees[0] == f || !leads_back(&c, call->callees[0], f))
                continue;
            struct finding *found = program_report(
                p, rule->id, rule->severity, call,
                "'%s' awaits '%s', which awaits it in turn, and nothing limits how deep: each "
                "round "
                "keeps a frame of this task until all of them end; make it a loop, or count the "
                "depth and stop at a limit",
                f->fact->name, call->callees[0]->fact->name);
            found->leaf = call->callees[0]->fact->name;
            for (uint32_t s = 0; s < count; s++)
                done[s] = done[s] || c.seen[s];
            done[i] = true;
        }
    }
}

const struct rule_calls rule_async_recursion = {.on_unit = on_unit, .on_program = on_program};
