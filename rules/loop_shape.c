/* SPDX-License-Identifier: MIT */
/*
 * One walk over a loop collects what it changes, calls, awaits, and how it is left; then each
 * exit's term is tried as each kind of end.
 */
#include "rules/loop_shape.h"

#include "analyzer/base/bitset.h"
#include "rules/function_memo.h"

/* ---- collecting ------------------------------------------------------------------------------ */

struct collector {
    rule_cx *cx;
    struct loop_shape *s;
    bool leaves_at_end; /* a jump out that no `if` decides */
};

static void add_step(struct collector *c, enum loop_step_kind kind, const ast_node *lvalue,
                     const ast_node *value)
{
    VEC_PUSH(c->cx->mem, &c->s->steps,
             (struct loop_step){.kind = kind, .lvalue = lvalue, .value = value});
}

static void collect_change(struct collector *c, const ast_node *n)
{
    const ast_node *value;
    switch (n->kind) {
    case AST_ASSIGN:
        if (n->op == OP_ADD || n->op == OP_SUB)
            add_step(c, n->op == OP_ADD ? STEP_UP : STEP_DOWN, sema_strip(n->kid[0]), n->kid[1]);
        else
            add_step(c, STEP_SET, sema_strip(n->kid[0]), n->kid[1]);
        break;
    case AST_PREFIX:
    case AST_POSTFIX:
        add_step(c, n->op == OP_INC ? STEP_UP : STEP_DOWN, sema_strip(n->kid[0]), NULL);
        break;
    case AST_DECLARATOR:
        value = n->kid_count == 0 ? NULL : n->kid[n->kid_count - 1];
        if (value != NULL)
            add_step(c, STEP_SET, n, value);
        break;
    case AST_UNARY:
        if (n->op == OP_ADDR && tree_around(n, AST_CALL) != NULL)
            add_step(c, STEP_PASSED, sema_strip(n->kid[0]), tree_around(n, AST_CALL));
        break;
    default:
        break;
    }
}

/* Does a jump leave the loop? */
static bool jumps_out(const ast_node *loop, const ast_node *jump)
{
    if (jump->kind == AST_RETURN)
        return true;
    if (jump->kind == AST_GOTO)
        return jump->ref == NULL || jump->ref->declarator == NULL ||
               !tree_is_inside(jump->ref->declarator, loop);
    if (jump->kind != AST_BREAK)
        return false;
    const ast_node *n = jump->parent;
    while (n != NULL && !tree_is_loop(n) && n->kind != AST_SWITCH)
        n = n->parent;
    return n == loop;
}

static void collect_jump(struct collector *c, const ast_node *jump)
{
    const ast_node *loop = c->s->loop, *n = jump->parent;
    bool is_in_inner = false;
    if (!jumps_out(loop, jump))
        return;
    c->s->has_break = c->s->has_break || jump->kind != AST_RETURN;
    for (; n != loop && n->kind != AST_IF && n->kind != AST_SWITCH; n = n->parent)
        is_in_inner = is_in_inner || tree_is_loop(n);
    if (n == loop)
        c->leaves_at_end = c->leaves_at_end || !is_in_inner;
    else if (n->kind == AST_IF)
        tree_add_terms(c->cx->mem, c->cx->fn->tree, &c->s->exits, n->kid[0]);
    else
        VEC_PUSH(c->cx->mem, &c->s->exits.all, sema_strip(n->kid[0]));
}

static bool visit_loop(void *context, const ast_node *n)
{
    struct collector *c = context;
    arena *mem = c->cx->mem;
    collect_change(c, n);
    if (n->kind == AST_CALL)
        VEC_PUSH(mem, &c->s->calls, n);
    else if (n->kind == AST_AWAIT)
        VEC_PUSH(mem, &c->s->awaits, n);
    else if (n->kind == AST_BREAK || n->kind == AST_RETURN || n->kind == AST_GOTO)
        collect_jump(c, n);
    else if (n != c->s->loop && tree_is_loop(n)) {
        const ast_node *around = n->parent;
        while (around != c->s->loop && !tree_is_loop(around))
            around = around->parent;
        if (around == c->s->loop)
            VEC_PUSH(mem, &c->s->inner, n);
    }
    return true;
}

/* A flag that ends the loop, and is set to a constant under an `if`: what that asks ends it, too.
 */
static bool visit_flag(void *context, const ast_node *n)
{
    struct collector *c = context;
    int64_t value;
    if (n->kind != AST_ASSIGN || n->op != OP_ASSIGN ||
        !sema_constant(c->cx->sema, c->cx->fn, n->kid[1], &value))
        return true;
    const ast_node *lvalue = sema_strip(n->kid[0]), *up = n->parent;
    bool is_flag = false;
    for (size_t i = 0; i < c->s->condition_count; i++)
        is_flag = is_flag || tree_same(c->cx->fn->tree, c->s->exits.all.at[i], lvalue);
    while (up != c->s->loop && up->kind != AST_IF)
        up = up->parent;
    if (is_flag && up != c->s->loop)
        tree_add_terms(c->cx->mem, c->cx->fn->tree, &c->s->exits, up->kid[0]);
    return true;
}

static void collect(struct collector *c)
{
    const ast_node *loop = c->s->loop;
    tree_add_terms(c->cx->mem, c->cx->fn->tree, &c->s->exits, tree_loop_condition(loop));
    c->s->condition_count = c->s->exits.all.count;
    /* A for's first part runs once. */
    for (uint32_t i = loop->kind == AST_FOR ? 1 : 0; i < loop->kid_count; i++)
        tree_visit(loop->kid[i], visit_loop, c);
    tree_visit(tree_loop_body(loop), visit_flag, c);
}

/* ---- what a loop does to an lvalue ----------------------------------------------------------- */

static bool names(const ast_function *fn, const ast_node *stepped, const ast_node *lvalue)
{
    if (stepped->kind == AST_DECLARATOR)
        return lvalue->kind == AST_IDENT && lvalue->ref != NULL && lvalue->ref == stepped->ref;
    return tree_same(fn, stepped, lvalue);
}

const struct loop_step *loop_step_of(rule_cx *cx, const struct loop_shape *s,
                                     const ast_node *lvalue)
{
    const struct loop_step *found = NULL;
    lvalue = sema_strip(lvalue);
    for (size_t i = 0; i < s->steps.count; i++) {
        if (names(cx->fn->tree, s->steps.at[i].lvalue, lvalue))
            found = &s->steps.at[i];
    }
    return found;
}

/* Is its only change a step up or down? */
static const struct loop_step *only_step(rule_cx *cx, const struct loop_shape *s,
                                         const ast_node *lvalue)
{
    const struct loop_step *found = NULL;
    for (size_t i = 0; i < s->steps.count; i++) {
        const struct loop_step *step = &s->steps.at[i];
        if (!names(cx->fn->tree, step->lvalue, lvalue))
            continue;
        if (step->kind != STEP_UP && step->kind != STEP_DOWN)
            return NULL;
        found = step;
    }
    return found;
}

/* The operand of i++, --n; the assigned lvalue of (e = f()); else the expression itself. */
static const ast_node *stepped_operand(const ast_node *n)
{
    n = sema_strip(n);
    if (n->kind == AST_PREFIX || n->kind == AST_POSTFIX || n->kind == AST_ASSIGN)
        return sema_strip(n->kid[0]);
    return n;
}

static const ast_node *called(const ast_node *n)
{
    n = sema_strip(n);
    if (n->kind == AST_ASSIGN)
        n = sema_strip(n->kid[1]);
    return n->kind == AST_CALL || n->kind == AST_AWAIT ? n : NULL;
}

const ast_node *loop_exit_call(rule_cx *cx, const struct loop_shape *s, const ast_node *term)
{
    const ast_node *sides[2] = {term, NULL};
    if (tree_is_comparison(term)) {
        sides[0] = term->kid[0];
        sides[1] = term->kid[1];
    }
    for (int i = 0; i < 2 && sides[i] != NULL; i++) {
        const ast_node *call = called(sides[i]);
        if (call != NULL)
            return call;
        const struct loop_step *step = loop_step_of(cx, s, sides[i]);
        if (step != NULL && step->kind == STEP_SET && called(step->value) != NULL)
            return called(step->value);
    }
    return NULL;
}

/* ---- kinds of ends --------------------------------------------------------------------------- */

static bool is_pointer(rule_cx *cx, const ast_node *n)
{
    enum ctype_class cls = sema_type(cx->sema, cx->fn, n)->cls;
    return cls == CTYPE_POINTER || cls == CTYPE_ARRAY;
}

static bool is_number(rule_cx *cx, const ast_node *n)
{
    enum ctype_class cls = sema_type(cx->sema, cx->fn, n)->cls;
    return cls == CTYPE_INT || cls == CTYPE_ENUM || cls == CTYPE_UNKNOWN;
}

/* Does a step's size come from the round itself: what a call reported, what a record says of its
 * own length? Then the loop goes through data at hand. */
static bool is_own_size(rule_cx *cx, const struct loop_shape *s, const ast_node *n)
{
    int64_t value;
    if (n == NULL || sema_constant(cx->sema, cx->fn, n, &value))
        return false;
    n = sema_strip(n);
    return n->kind != AST_IDENT || loop_step_of(cx, s, n) != NULL;
}

static bool try_counted(rule_cx *cx, struct loop_shape *s, const ast_node *x, const ast_node *y)
{
    x = stepped_operand(x);
    if (x->kind == AST_BINARY && x->op == OP_MUL) /* i * i <= n */
        x = stepped_operand(x->kid[0]);
    int64_t ahead;
    if (x->kind == AST_BINARY && x->op == OP_ADD && /* i + 1 < n */
        sema_constant(cx->sema, cx->fn, x->kid[1], &ahead))
        x = stepped_operand(x->kid[0]);
    bool is_lvalue = x->kind == AST_IDENT || x->kind == AST_MEMBER || x->kind == AST_INDEX ||
                     (x->kind == AST_UNARY && x->op == OP_DEREF);
    const struct loop_step *step = is_lvalue ? only_step(cx, s, x) : NULL;
    if (step == NULL || !is_number(cx, x))
        return false;
    int64_t zero;
    bool to_constant = y == NULL || sema_constant(cx->sema, cx->fn, y, &zero);
    s->kind = LOOP_COUNTED;
    s->counter = x;
    s->count = step->kind == STEP_DOWN && to_constant ? NULL : y;
    s->steps_by_result = is_own_size(cx, s, step->value);
    return true;
}

static bool try_scan(rule_cx *cx, struct loop_shape *s, const ast_node *x)
{
    x = sema_strip(x);
    if (x->kind == AST_UNARY && x->op == OP_DEREF)
        x = sema_strip(x->kid[0]);
    if (x->kind == AST_INDEX)
        x = sema_strip(x->kid[1]);
    x = stepped_operand(x);
    if (x->kind != AST_IDENT || only_step(cx, s, x) == NULL)
        return false;
    s->kind = LOOP_SCANS;
    s->counter = x;
    return true;
}

/* The value that a variable gets, seen through one variable of the loop: `next = p->next; ...
 * p = next`. */
static const ast_node *next_value(rule_cx *cx, const struct loop_shape *s, const ast_node *value)
{
    value = sema_strip(value);
    if (value->kind == AST_IDENT) {
        const struct loop_step *step = loop_step_of(cx, s, value);
        if (step != NULL && step->kind == STEP_SET)
            return sema_strip(step->value);
    }
    return value;
}

static bool try_list(rule_cx *cx, struct loop_shape *s, const ast_node *x)
{
    x = sema_strip(x);
    const struct loop_step *step = x->kind == AST_IDENT ? loop_step_of(cx, s, x) : NULL;
    if (step == NULL || step->kind != STEP_SET || !is_pointer(cx, x))
        return false;
    const ast_node *value = next_value(cx, s, step->value), *root = tree_root(value);
    if (value->kind != AST_MEMBER || root == NULL || !tree_same(cx->fn->tree, root, x))
        return false;
    s->kind = LOOP_LIST;
    s->item = x;
    return true;
}

/* while (*p != NULL) { ... p = &(*p)->next; }: a list, by the place that points to its rest. */
static bool try_list_places(rule_cx *cx, struct loop_shape *s, const ast_node *x)
{
    x = sema_strip(x);
    const ast_node *place =
        x->kind == AST_UNARY && x->op == OP_DEREF ? sema_strip(x->kid[0]) : NULL;
    if (place == NULL || place->kind != AST_IDENT || !is_pointer(cx, x))
        return false;
    for (size_t i = 0; i < s->steps.count; i++) {
        const struct loop_step *step = &s->steps.at[i];
        const ast_node *value = step->kind == STEP_SET ? sema_strip(step->value) : NULL;
        if (value == NULL || !names(cx->fn->tree, step->lvalue, place) ||
            value->kind != AST_UNARY || value->op != OP_ADDR ||
            sema_strip(value->kid[0])->kind != AST_MEMBER)
            continue;
        s->kind = LOOP_LIST;
        s->item = x;
        return true;
    }
    return false;
}

static const char takes[] = "pop dequeue shift take remove unlink steal first head peek min top "
                            "front begin";
static const char counts[] = "empty isempty len length count size";

/* Takes the call an item from a container, or asks whether one is left? */
static bool try_call(rule_cx *cx, struct loop_shape *s, const ast_node *call)
{
    if (call == NULL || call->kind != AST_CALL)
        return false;
    strview name = sema_callee_name(cx->sema, cx->fn, call);
    bool asks = name_has_word(name, counts);
    if (sema_arg_count(call) == 0 || (!asks && !name_has_word(name, takes)))
        return false;
    s->kind = LOOP_EMPTIES;
    s->container = sema_arg(call, 0);
    s->source = asks ? NULL : call;
    return true;
}

static bool try_empties(rule_cx *cx, struct loop_shape *s, const ast_node *x)
{
    x = sema_strip(x);
    if (x->kind == AST_ASSIGN) {
        s->item = sema_strip(x->kid[0]);
        x = sema_strip(x->kid[1]);
    }
    if (try_call(cx, s, called(x)))
        return true;
    const ast_node *root = tree_root(x);
    const struct loop_step *step;
    if (root == NULL || (x->kind != AST_MEMBER && x->kind != AST_IDENT && x->kind != AST_INDEX))
        return false;
    step = loop_step_of(cx, s, x);
    bool is_changed = step != NULL && step->kind != STEP_UP;
    /* Or by a call that is given what it is a part of. */
    for (size_t i = 0; i < s->calls.count && !is_changed && x->kind == AST_MEMBER; i++) {
        for (uint32_t a = 0; a < sema_arg_count(s->calls.at[i]) && !is_changed; a++) {
            const ast_node *arg = sema_strip(sema_arg(s->calls.at[i], a));
            if (arg->kind == AST_UNARY && arg->op == OP_ADDR)
                arg = sema_strip(arg->kid[0]);
            is_changed = tree_same(cx->fn->tree, arg, x->kid[0]);
        }
    }
    if (!is_changed || (x->kind == AST_IDENT && x->ref != NULL))
        return false;
    s->kind = LOOP_EMPTIES;
    s->container = x->kind == AST_MEMBER ? x->kid[0] : x;
    return true;
}

static bool try_iterates(rule_cx *cx, struct loop_shape *s, const ast_node *term)
{
    const ast_node *call = loop_exit_call(cx, s, term);
    if (call == NULL)
        return false;
    s->kind = LOOP_ITERATES;
    s->source = call->kind == AST_AWAIT ? sema_strip(call->kid[0]) : call;
    const ast_node *x = tree_is_comparison(term) ? term->kid[0] : term;
    x = stepped_operand(x);
    if (x->kind == AST_IDENT)
        s->item = x;
    const struct loop_step *step = s->item == NULL ? NULL : loop_step_of(cx, s, s->item);
    if (step != NULL && step->kind == STEP_SET && try_call(cx, s, called(step->value)))
        s->kind = LOOP_EMPTIES;
    return true;
}

static bool classify(rule_cx *cx, struct loop_shape *s, const ast_node *term)
{
    int64_t value;
    if (sema_constant(cx->sema, cx->fn, term, &value))
        return false;
    if (tree_is_comparison(term)) {
        const ast_node *x = term->kid[0], *y = term->kid[1];
        return try_counted(cx, s, x, y) || try_counted(cx, s, y, x) || try_list_places(cx, s, x) ||
               try_scan(cx, s, x) || try_scan(cx, s, y) || try_list(cx, s, x) ||
               try_empties(cx, s, x) || try_iterates(cx, s, term);
    }
    return try_counted(cx, s, term, NULL) || try_list_places(cx, s, term) ||
           try_scan(cx, s, term) || try_list(cx, s, term) || try_empties(cx, s, term) ||
           try_iterates(cx, s, term);
}

/* ---- bounds ---------------------------------------------------------------------------------- */

struct index_search {
    rule_cx *cx;
    const struct loop_shape *s;
    uint64_t least;
};

/* An element of an array of known size that the counter picks; count[data[i]] is none. */
static bool visit_index(void *context, const ast_node *n)
{
    struct index_search *search = context;
    rule_cx *cx = search->cx;
    if (n->kind != AST_INDEX || !tree_mentions(cx->fn->tree, n->kid[1], search->s->counter))
        return true;
    const ctype *type = sema_type(cx->sema, cx->fn, n->kid[0]);
    const ast_node *index = sema_strip(n->kid[1]);
    bool is_plain = index->kind != AST_BINARY || (index->op != OP_AND && index->op != OP_MOD);
    if (index->kind == AST_INDEX || index->kind == AST_CALL || index->kind == AST_MEMBER ||
        index->kind == AST_UNARY)
        return true;
    if (type->cls == CTYPE_ARRAY && type->count > 1 && type->count < search->least && is_plain)
        search->least = type->count;
    return true;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The value that the counter starts with, if the loop counts down. */
static uint64_t start_bound(rule_cx *cx, const struct loop_shape *s)
{
    return upper_bound(cx, s->counter);
}

uint64_t loop_rounds(rule_cx *cx, const struct loop_shape *s)
{
    struct index_search search = {cx, s, UINT64_MAX};
    if (s->kind == LOOP_ONCE)
        return 1;
    if (s->kind != LOOP_COUNTED)
        return UINT64_MAX;
    tree_visit(s->loop, visit_index, &search);
    uint64_t bound =
        s->count == NULL ? start_bound(cx, s) : upper_distance(cx, s->counter, s->count);
    return least(bound, search.least);
}

static const char clocks[] = "now clock time gettime gettimeofday hrtime elapsed deadline expired "
                             "exhausted budget quota yield resched preempt overrun slice ticks";

/* Is this exit a second end: another counter, a budget, the clock? */
static bool is_limit(rule_cx *cx, const struct loop_shape *s, const ast_node *term)
{
    struct loop_shape other = *s;
    const ast_node *call = loop_exit_call(cx, s, term);
    if (call != NULL && call->kind == AST_CALL &&
        name_has_word(sema_callee_name(cx->sema, cx->fn, call), clocks))
        return true;
    const ast_node *x = tree_is_comparison(term) ? term->kid[0] : term;
    const ast_node *y = tree_is_comparison(term) ? term->kid[1] : NULL;
    if (!try_counted(cx, &other, x, y) && (y == NULL || !try_counted(cx, &other, y, x)))
        return false;
    if (s->kind != LOOP_COUNTED)
        return true;
    return !tree_same(cx->fn->tree, other.counter, s->counter) ||
           loop_rounds(cx, &other) <= LOOP_FEW_ROUNDS;
}

static size_t find_among(rule_cx *cx, struct loop_shape *s, size_t begin, size_t end)
{
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = begin; i < end; i++) {
            if (!classify(cx, s, s->exits.all.at[i]))
                continue;
            if (s->kind != LOOP_ITERATES || pass == 1)
                return i;
            s->kind = LOOP_OTHER;
        }
    }
    return s->exits.all.count;
}

/* The exit that tells the loop's kind: its index. What the condition says goes before what breaks
 * say, a call's result comes last. */
static size_t find_kind(rule_cx *cx, struct loop_shape *s)
{
    size_t count = s->exits.all.count, found = find_among(cx, s, 0, s->condition_count);
    bool is_open = true; /* the condition is left out, or constant */
    for (size_t i = 0; i < s->condition_count; i++) {
        int64_t value;
        is_open = is_open && sema_constant(cx->sema, cx->fn, s->exits.all.at[i], &value);
    }
    if (found == count)
        found = find_among(cx, s, s->condition_count, count);
    if (s->kind == LOOP_ITERATES && found >= s->condition_count && !is_open) {
        s->kind = LOOP_OTHER; /* a check for errors */
        found = count;
    }
    return found;
}

static bool has_only_constants(rule_cx *cx, const struct loop_shape *s, bool *is_zero)
{
    *is_zero = false;
    for (size_t i = 0; i < s->exits.all.count; i++) {
        int64_t value;
        if (!sema_constant(cx->sema, cx->fn, s->exits.all.at[i], &value))
            return false;
        *is_zero = *is_zero || value == 0;
    }
    return true;
}

static const struct loop_shape *make_shape(rule_cx *cx, const ast_node *loop)
{
    struct loop_shape *s = ARENA_NEW(cx->mem, struct loop_shape);
    struct collector c = {.cx = cx, .s = s};
    bool is_zero;
    s->loop = loop;
    collect(&c);
    size_t primary = find_kind(cx, s);
    if (has_only_constants(cx, s, &is_zero))
        s->kind = is_zero ? LOOP_ONCE : LOOP_ENDLESS;
    if (c.leaves_at_end)
        s->kind = LOOP_ONCE;
    s->rounds = loop_rounds(cx, s);
    for (size_t i = 0; i < s->exits.all.count && !s->is_limited; i++)
        s->is_limited = i != primary && is_limit(cx, s, s->exits.all.at[i]);
    return s;
}

const struct loop_shape *loop_shape_of(rule_cx *cx, const ast_node *loop)
{
    struct function_memo *memo = function_memo_of(cx, cx->fn);
    void **known = node_table_at(cx->mem, &memo->shapes, loop);
    if (*known != NULL)
        return *known;
    rule_cx anywhere = *cx;
    anywhere.from = NULL;
    const struct loop_shape *made = make_shape(&anywhere, loop);
    memcpy(node_table_at(cx->mem, &memo->shapes, loop), &made, sizeof made);
    return made;
}

/* ---- all loops, and rounds --------------------------------------------------------------------
 */

struct loop_search {
    arena *mem;
    struct memo_nodes *list;
};

static bool visit_for_loops(void *context, const ast_node *n)
{
    struct loop_search *search = context;
    if (tree_is_loop(n))
        VEC_PUSH(search->mem, &search->list->all, n);
    return true;
}

struct loop_list loops_of_function(rule_cx *cx)
{
    struct function_memo *memo = function_memo_of(cx, cx->fn);
    const ast_function *tree = cx->fn->tree;
    bool may_loop =
        ast_may_have(tree, AST_FOR) || ast_may_have(tree, AST_WHILE) || ast_may_have(tree, AST_DO);
    struct loop_search search = {cx->mem, &memo->loops};
    if (may_loop && !memo->has_loops) {
        tree_visit(tree->root, visit_for_loops, &search);
        memo->has_loops = true;
    }
    return (struct loop_list){.all = {memo->loops.all.at, memo->loops.all.count, 0}};
}

static bool block_awaits(const tree_cfg *g, uint32_t block)
{
    for (uint32_t i = 0; i < g->blocks[block].item_count; i++) {
        if (g->items[g->blocks[block].first_item + i].node->kind == AST_AWAIT)
            return true;
    }
    return false;
}

/* From `block` back to the range's header, past no await. */
static bool comes_back(const tree_cfg *g, const struct tree_loop_range *range, uint32_t block,
                       bitset *seen)
{
    if (block_awaits(g, block))
        return false;
    for (uint32_t i = 0; i < g->blocks[block].succ_count; i++) {
        uint32_t to = g->edges[g->blocks[block].first_succ + i].to;
        if (to == range->header)
            return true;
        if (to < range->first || to >= range->end || bitset_has(seen, to))
            continue;
        bitset_add(seen, to);
        if (comes_back(g, range, to, seen))
            return true;
    }
    return false;
}

bool loop_round_without_await(rule_cx *cx, const struct loop_shape *s)
{
    const tree_cfg *g = rule_cfg(cx);
    if (s->awaits.count == 0)
        return true;
    for (uint32_t i = 0; i < g->loop_count; i++) {
        if (g->loops[i].node != s->loop)
            continue;
        bitset seen = bitset_new(cx->mem, g->block_count);
        return comes_back(g, &g->loops[i], g->loops[i].header, &seen);
    }
    return false;
}

bool loop_yields(rule_cx *cx, const struct loop_shape *s)
{
    for (size_t i = 0; i < s->awaits.count; i++) {
        const ast_node *call = sema_strip(s->awaits.at[i]->kid[0]);
        strview name = {"", 0};
        if (call->kind == AST_CALL)
            name = sema_callee_name(cx->sema, cx->fn, call);
        if (name_has_word(name, "yield sleep pause breathe checkpoint reschedule park"))
            return true;
    }
    return false;
}
