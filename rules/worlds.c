/* SPDX-License-Identifier: MIT */
/*
 * Values are followed for what the function's conditions look at, and for calls that the check
 * names: up to WORLD_VALUES of them. A comparison with a constant is a set of signs for each
 * outcome. Where more worlds meet than there is room for, those with equal facts become one.
 */
#include "rules/worlds.h"

#include <stdlib.h>
#include <string.h>

struct value_slot {
    const char *path;     /* of a variable; NULL: of a call */
    const ast_node *call; /* or a spawn */
    bool is_private;      /* a local of which nobody else has the address */
};

/* Which slot a node reads or writes. */
struct slot_of {
    const ast_node *node;
    uint32_t slot;
};

struct world_flow {
    const fn_view *view;
    world_transfer *transfer;
    void *context;
    const tree_cfg *graph;
    tree_flow *solved;
    struct value_slot slots[WORLD_VALUES];
    uint32_t slot_count;
    VEC(struct slot_of) nodes; /* sorted by node */
};

/* ---- which values ---------------------------------------------------------------------------- */

static void add_slot(world_flow *f, const char *path, const ast_node *call)
{
    for (uint32_t i = 0; i < f->slot_count; i++) {
        bool is_same = path != NULL
                           ? f->slots[i].path != NULL && strcmp(f->slots[i].path, path) == 0
                           : f->slots[i].call == call;
        if (is_same)
            return;
    }
    if (f->slot_count < WORLD_VALUES)
        f->slots[f->slot_count++] = (struct value_slot){.path = path, .call = call};
}

void world_flow_track(world_flow *f, const ast_node *call)
{
    add_slot(f, NULL, call);
}

static bool is_comparison(const ast_node *n)
{
    return n->kind == AST_BINARY && (n->op == OP_LT || n->op == OP_GT || n->op == OP_LE ||
                                     n->op == OP_GE || n->op == OP_EQ || n->op == OP_NE);
}

/* The variables that a condition looks at. */
static void add_tested(world_flow *f, const ast_node *n)
{
    n = sema_strip(n);
    if (n->kind == AST_AND_AND || n->kind == AST_OR_OR || n->kind == AST_COMMA ||
        is_comparison(n)) {
        add_tested(f, n->kid[0]);
        add_tested(f, n->kid[1]);
    } else if (n->kind == AST_UNARY && n->op == OP_NOT) {
        add_tested(f, n->kid[0]);
    } else if (n->kind == AST_ASSIGN) {
        add_tested(f, n->kid[0]);
    } else if (n->kind == AST_CALL && sema_arg_count(n) == 2 &&
               sv_is(sema_callee_name(f->view->cx->sema, f->view->fn, n), "__builtin_expect")) {
        add_tested(f, sema_arg(n, 0));
    } else if (n->kind == AST_IDENT || n->kind == AST_MEMBER || n->kind == AST_INDEX ||
               (n->kind == AST_UNARY && n->op == OP_DEREF)) {
        const char *path = path_raw(f->view, n);
        if (path != NULL)
            add_slot(f, path, NULL);
    }
}

static void find_tested(world_flow *f, const ast_node *n)
{
    switch (n->kind) {
    case AST_IF:
    case AST_WHILE:
    case AST_CONDITIONAL:
    case AST_SWITCH:
        add_tested(f, n->kid[0]);
        break;
    case AST_DO:
        add_tested(f, n->kid[1]);
        break;
    case AST_FOR:
        if (n->kid[1] != NULL)
            add_tested(f, n->kid[1]);
        break;
    default:
        break;
    }
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            find_tested(f, n->kid[i]);
    }
}

/* Others may change what is no local, and locals whose address is taken. */
static void find_private(world_flow *f)
{
    const ast_function *tree = f->view->fn->tree;
    for (uint32_t i = 0; i < f->slot_count; i++) {
        const char *path = f->slots[i].path;
        f->slots[i].is_private = path == NULL;
        for (size_t d = 0; path != NULL && strchr(path, '^') == NULL && d < tree->decls.count;
             d++) {
            const ast_decl *decl = tree->decls.at[d];
            if ((decl->kind == DECL_VAR || decl->kind == DECL_PARAM) &&
                path_is_within(path, path_of_decl(f->view, decl)))
                f->slots[i].is_private = !f->view->uses->at[decl->id].address_taken;
        }
    }
}

static uint32_t slot_of_path(const world_flow *f, const char *path)
{
    for (uint32_t i = 0; path != NULL && i < f->slot_count; i++) {
        if (f->slots[i].path != NULL && strcmp(f->slots[i].path, path) == 0)
            return i;
    }
    return UINT32_MAX;
}

static void find_nodes(world_flow *f, const ast_node *n)
{
    uint32_t slot = UINT32_MAX;
    if (n->kind == AST_IDENT || n->kind == AST_MEMBER || n->kind == AST_INDEX ||
        (n->kind == AST_UNARY && n->op == OP_DEREF)) {
        slot = slot_of_path(f, path_raw(f->view, n));
    } else if (n->kind == AST_DECLARATOR && n->ref != NULL && n->ref->kind == DECL_VAR) {
        slot = slot_of_path(f, path_of_decl(f->view, n->ref));
    } else if (n->kind == AST_CALL || n->kind == AST_FORM) {
        for (uint32_t i = 0; i < f->slot_count; i++)
            slot = f->slots[i].call == n ? i : slot;
    }
    if (slot != UINT32_MAX)
        VEC_PUSH(f->view->cx->mem, &f->nodes, (struct slot_of){n, slot});
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            find_nodes(f, n->kid[i]);
    }
}

static int by_node(const void *a, const void *b)
{
    const struct slot_of *x = a, *y = b;
    return x->node < y->node ? -1 : x->node > y->node;
}

static uint32_t slot_of(const world_flow *f, const ast_node *n)
{
    size_t low = 0, high = f->nodes.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (f->nodes.at[middle].node < n)
            low = middle + 1;
        else
            high = middle;
    }
    return low < f->nodes.count && f->nodes.at[low].node == n ? f->nodes.at[low].slot : UINT32_MAX;
}

/* ---- signs ----------------------------------------------------------------------------------- */

static uint8_t sign_of_number(int64_t n)
{
    return n < 0 ? SIGN_NEGATIVE : n == 0 ? SIGN_ZERO : SIGN_POSITIVE;
}

static uint8_t sign_of_truth(bool can_be_true, bool can_be_false)
{
    return (uint8_t)((can_be_true ? SIGN_POSITIVE : 0) | (can_be_false ? SIGN_ZERO : 0));
}

/* The signs of x for which `x op c` can be true. */
static uint8_t signs_if_true(enum ast_op op, int64_t c)
{
    uint8_t own = sign_of_number(c);
    uint8_t below = c > 0 ? SIGN_ANY : c == 0 ? SIGN_NEGATIVE : SIGN_NEGATIVE;
    uint8_t above = c < 0 ? SIGN_ANY : SIGN_POSITIVE;
    if (c == 1)
        below = SIGN_NEGATIVE | SIGN_ZERO;
    if (c == -1)
        above = SIGN_ZERO | SIGN_POSITIVE;
    switch ((int)op) {
    case OP_EQ:
        return own;
    case OP_NE:
        return c == 0 ? SIGN_NEGATIVE | SIGN_POSITIVE : SIGN_ANY;
    case OP_LT:
        return below;
    case OP_LE:
        return below | own;
    case OP_GT:
        return above;
    case OP_GE:
        return above | own;
    default:
        return SIGN_ANY;
    }
}

static enum ast_op opposite(enum ast_op op)
{
    switch ((int)op) {
    case OP_EQ:
        return OP_NE;
    case OP_NE:
        return OP_EQ;
    case OP_LT:
        return OP_GE;
    case OP_LE:
        return OP_GT;
    case OP_GT:
        return OP_LE;
    default:
        return OP_LT;
    }
}

static enum ast_op mirrored(enum ast_op op)
{
    switch ((int)op) {
    case OP_LT:
        return OP_GT;
    case OP_LE:
        return OP_GE;
    case OP_GT:
        return OP_LT;
    case OP_GE:
        return OP_LE;
    default:
        return op;
    }
}

/* A comparison with a constant: what is compared, and which signs it has for each outcome. */
struct sign_test {
    const ast_node *operand;
    uint8_t if_true, if_false;
};

static bool is_constant(const world_flow *f, const ast_node *n, int64_t *value)
{
    const fn_view *v = f->view;
    if (sema_constant(v->cx->sema, v->fn, n, value))
        return true;
    *value = 0;
    return sema_is_null(v->cx->sema, v->fn, n);
}

static bool read_test(const world_flow *f, const ast_node *n, struct sign_test *test)
{
    int64_t c;
    if (!is_comparison(n))
        return false;
    enum ast_op op = (enum ast_op)n->op;
    test->operand = n->kid[0];
    if (!is_constant(f, n->kid[1], &c)) {
        if (!is_constant(f, n->kid[0], &c))
            return false;
        test->operand = n->kid[1];
        op = mirrored(op);
    }
    test->if_true = signs_if_true(op, c);
    test->if_false = signs_if_true(opposite(op), c);
    return true;
}

static uint8_t both(uint8_t a, uint8_t b)
{
    return sign_of_truth((a & ~SIGN_ZERO) && (b & ~SIGN_ZERO), (a & SIGN_ZERO) || (b & SIGN_ZERO));
}

static uint8_t either(uint8_t a, uint8_t b)
{
    return sign_of_truth((a & ~SIGN_ZERO) || (b & ~SIGN_ZERO), (a & SIGN_ZERO) && (b & SIGN_ZERO));
}

static uint8_t operator_sign(const world_flow *f, const struct world *w, const ast_node *n)
{
    struct sign_test test;
    switch (n->kind) {
    case AST_ASSIGN:
        return n->op == OP_ASSIGN ? world_sign(f, w, n->kid[1]) : SIGN_ANY;
    case AST_COMMA:
        return world_sign(f, w, n->kid[1]);
    case AST_AWAIT:
        return world_sign(f, w, n->kid[0]);
    case AST_CONDITIONAL: {
        uint8_t cond = world_sign(f, w, n->kid[0]);
        uint8_t then = n->kid[1] == NULL ? cond & (uint8_t)~SIGN_ZERO : world_sign(f, w, n->kid[1]);
        uint8_t other = world_sign(f, w, n->kid[2]);
        return (uint8_t)(((cond & ~SIGN_ZERO) ? then : 0) | ((cond & SIGN_ZERO) ? other : 0));
    }
    case AST_UNARY:
        if (n->op == OP_NOT) {
            uint8_t of = world_sign(f, w, n->kid[0]);
            return sign_of_truth(of & SIGN_ZERO, of & ~SIGN_ZERO);
        }
        return n->op == OP_ADDR ? SIGN_POSITIVE : SIGN_ANY;
    case AST_AND_AND:
        return both(world_sign(f, w, n->kid[0]), world_sign(f, w, n->kid[1]));
    case AST_OR_OR:
        return either(world_sign(f, w, n->kid[0]), world_sign(f, w, n->kid[1]));
    case AST_STRING:
        return SIGN_POSITIVE;
    default:
        if (!read_test(f, n, &test))
            return SIGN_ANY;
        uint8_t of = world_sign(f, w, test.operand);
        return sign_of_truth(of & test.if_true, of & test.if_false);
    }
}

uint8_t world_sign(const world_flow *f, const struct world *w, const ast_node *n)
{
    int64_t c;
    n = sema_strip(n);
    uint32_t slot = slot_of(f, n);
    if (slot != UINT32_MAX)
        return w->sign[slot];
    if (is_constant(f, n, &c))
        return sign_of_number(c);
    return operator_sign(f, w, n);
}

/* Takes in that the expression has one of these signs; false: it cannot. */
static bool narrow(const world_flow *f, struct world *w, const ast_node *n, uint8_t signs)
{
    n = sema_strip(n);
    if (n->kind == AST_ASSIGN && n->op == OP_ASSIGN && !narrow(f, w, n->kid[1], signs))
        return false;
    uint32_t slot = slot_of(f, n->kind == AST_ASSIGN ? sema_strip(n->kid[0]) : n);
    if (slot != UINT32_MAX) {
        w->sign[slot] &= signs;
        return w->sign[slot] != 0;
    }
    if (n->kind == AST_AWAIT || n->kind == AST_COMMA)
        return narrow(f, w, n->kid[n->kid_count - 1], signs);
    return (world_sign(f, w, n) & signs) != 0;
}

static bool assume(const world_flow *f, struct world *w, const ast_node *n, bool truth)
{
    struct sign_test test;
    n = sema_strip(n);
    if (n->kind == AST_UNARY && n->op == OP_NOT)
        return assume(f, w, n->kid[0], !truth);
    if (n->kind == (truth ? AST_AND_AND : AST_OR_OR))
        return assume(f, w, n->kid[0], truth) && assume(f, w, n->kid[1], truth);
    if (n->kind == AST_COMMA)
        return assume(f, w, n->kid[1], truth);
    if (n->kind == AST_CALL && sema_arg_count(n) == 2 &&
        sv_is(sema_callee_name(f->view->cx->sema, f->view->fn, n), "__builtin_expect"))
        return assume(f, w, sema_arg(n, 0), truth);
    if (read_test(f, n, &test))
        return narrow(f, w, test.operand, truth ? test.if_true : test.if_false);
    return narrow(f, w, n, truth ? SIGN_NEGATIVE | SIGN_POSITIVE : SIGN_ZERO);
}

/* ---- sets of worlds -------------------------------------------------------------------------- */

static bool covers(const struct world *a, const struct world *b)
{
    if (a->facts != b->facts)
        return false;
    for (uint32_t i = 0; i < WORLD_VALUES; i++) {
        if ((a->sign[i] | b->sign[i]) != a->sign[i])
            return false;
    }
    return true;
}

static void widen(struct world *to, const struct world *from)
{
    to->facts |= from->facts;
    for (uint32_t i = 0; i < WORLD_VALUES; i++)
        to->sign[i] |= from->sign[i];
}

/* True if that told something new. */
static bool add_world(struct worlds *to, const struct world *w)
{
    for (uint32_t i = 0; i < to->count; i++) {
        if (covers(&to->at[i], w))
            return false;
    }
    if (to->count < WORLDS_MAX) {
        to->at[to->count++] = *w;
        return true;
    }
    uint32_t best = 0;
    for (uint32_t i = 0; i < to->count; i++) {
        if (to->at[i].facts == w->facts)
            best = i;
    }
    widen(&to->at[best], w);
    return true;
}

void worlds_set(struct worlds *w, uint64_t facts)
{
    for (uint32_t i = 0; i < w->count; i++)
        w->at[i].facts |= facts;
}

void worlds_clear(struct worlds *w, uint64_t facts)
{
    for (uint32_t i = 0; i < w->count; i++)
        w->at[i].facts &= ~facts;
}

uint64_t worlds_any(const struct worlds *w)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < w->count; i++)
        any |= w->at[i].facts;
    return any;
}

void worlds_split(world_flow *f, struct worlds *w, const ast_node *call, uint8_t signs,
                  uint64_t facts)
{
    uint32_t slot = slot_of(f, call);
    if (slot == UINT32_MAX || signs == SIGN_ANY) {
        worlds_set(w, facts);
        return;
    }
    struct worlds before = *w;
    w->count = 0;
    for (uint32_t i = 0; i < before.count; i++) {
        struct world yes = before.at[i], no = before.at[i];
        yes.facts |= facts;
        yes.sign[slot] &= signs;
        no.sign[slot] &= (uint8_t)(SIGN_ANY & ~signs);
        if (yes.sign[slot] != 0)
            add_world(w, &yes);
        if (no.sign[slot] != 0)
            add_world(w, &no);
    }
}

/* ---- the analysis ---------------------------------------------------------------------------- */

void worlds_give(const world_flow *f, struct worlds *w, const ast_node *target,
                 const ast_node *value)
{
    uint32_t slot = slot_of(f, target);
    const char *path = target->kind == AST_DECLARATOR ? path_of_decl(f->view, target->ref)
                                                      : path_raw(f->view, target);
    for (uint32_t i = 0; i < w->count; i++) {
        struct world *one = &w->at[i];
        uint8_t sign = value == NULL ? SIGN_ANY : world_sign(f, one, value);
        for (uint32_t k = 0; path != NULL && k < f->slot_count; k++) {
            if (f->slots[k].path != NULL && path_is_within(f->slots[k].path, path))
                one->sign[k] = SIGN_ANY;
        }
        if (slot != UINT32_MAX)
            one->sign[slot] = sign == 0 ? SIGN_ANY : sign;
    }
}

/* The call may write what it is given the address of. */
static void forget_arguments(const world_flow *f, struct worlds *w, const ast_node *call)
{
    uint32_t slot = slot_of(f, call);
    for (uint32_t i = 0; slot != UINT32_MAX && i < w->count; i++)
        w->at[i].sign[slot] = SIGN_ANY;
    for (uint32_t i = 1; i < call->kid_count; i++) {
        const ast_node *arg = sema_strip(call->kid[i]);
        if (arg->kind == AST_UNARY && arg->op == OP_ADDR)
            worlds_give(f, w, sema_strip(arg->kid[0]), NULL);
    }
}

static void assign_branches(const world_flow *f, struct worlds *w, const ast_node *form)
{
    uint32_t slot = slot_of(f, form);
    for (uint32_t i = 0; slot != UINT32_MAX && i < w->count; i++)
        w->at[i].sign[slot] = SIGN_ANY;
    for (uint32_t i = 0; i < form->kid_count; i++) {
        const ast_node *branch = sema_strip(form->kid[i]);
        if (branch->kind == AST_ASSIGN)
            worlds_give(f, w, sema_strip(branch->kid[0]), NULL);
        const ast_node *inner = branch->kind == AST_ASSIGN ? sema_strip(branch->kid[1]) : branch;
        if (inner->kind == AST_FORM)
            assign_branches(f, w, inner);
    }
}

static void follow_values(const world_flow *f, struct worlds *w, const struct tree_item *item)
{
    const ast_node *n = item->node;
    if (item->kind == TREE_DECL) {
        bool has_value = n->kid_count != 0 && n->kid[n->kid_count - 1] != NULL &&
                         n->kid[n->kid_count - 1]->kind != AST_INIT_LIST;
        if (n->ref != NULL && n->ref->kind == DECL_VAR)
            worlds_give(f, w, n, has_value ? n->kid[n->kid_count - 1] : NULL);
        return;
    }
    if (item->kind != TREE_EXPR)
        return;
    switch (n->kind) {
    case AST_ASSIGN:
        worlds_give(f, w, sema_strip(n->kid[0]), n->op == OP_ASSIGN ? n->kid[1] : NULL);
        break;
    case AST_PREFIX:
    case AST_POSTFIX:
        worlds_give(f, w, sema_strip(n->kid[0]), NULL);
        break;
    case AST_CALL:
        forget_arguments(f, w, n);
        break;
    case AST_FORM:
        assign_branches(f, w, n);
        break;
    default:
        break;
    }
}

static void transfer(void *context, const struct tree_item *item, void *state)
{
    world_flow *f = context;
    struct worlds *w = state;
    follow_values(f, w, item);
    f->transfer(f->context, f, item, w);
}

/* Another round of a loop: what others can change may have changed. */
static void forget_shared(const world_flow *f, struct world *w)
{
    for (uint32_t i = 0; i < f->slot_count; i++) {
        if (!f->slots[i].is_private)
            w->sign[i] = SIGN_ANY;
    }
}

static bool take_edge(void *context, const struct tree_edge *edge, void *state)
{
    const world_flow *f = context;
    struct worlds *w = state;
    int64_t value;
    uint32_t kept = 0;
    if (edge->kind == TREE_NORETURN) /* there is no end of the function behind it */
        return false;
    bool is_case = edge->kind == TREE_CASE && edge->label != NULL &&
                   edge->label->kind == AST_CASE && edge->label->kid[1] == NULL &&
                   is_constant(f, edge->label->kid[0], &value);
    for (uint32_t i = 0; i < w->count; i++) {
        bool can_be = true;
        if (edge->kind == TREE_TRUE || edge->kind == TREE_FALSE)
            can_be = assume(f, &w->at[i], edge->cond, edge->kind == TREE_TRUE);
        else if (is_case)
            can_be = narrow(f, &w->at[i], edge->cond, sign_of_number(value));
        if (can_be)
            w->at[kept++] = w->at[i];
    }
    w->count = kept;
    for (uint32_t i = 0; edge->is_back && i < kept; i++)
        forget_shared(f, &w->at[i]);
    return kept != 0;
}

static void boundary(void *context, void *state)
{
    (void)context;
    struct worlds *w = state;
    w->count = 1;
    w->at[0].facts = 0;
    memset(w->at[0].sign, SIGN_ANY, sizeof w->at[0].sign);
}

static void copy(void *context, void *to, const void *from)
{
    (void)context;
    const struct worlds *w = from;
    struct worlds *out = to;
    out->count = w->count;
    memcpy(out->at, w->at, w->count * sizeof w->at[0]);
}

static bool join(void *context, void *to, const void *from)
{
    (void)context;
    const struct worlds *w = from;
    bool changed = false;
    for (uint32_t i = 0; i < w->count; i++)
        changed = add_world(to, &w->at[i]) || changed;
    return changed;
}

world_flow *world_flow_new(const fn_view *view, world_transfer *transfer_facts, void *context)
{
    world_flow *f = ARENA_NEW(view->cx->mem, world_flow);
    f->view = view;
    f->transfer = transfer_facts;
    f->context = context;
    return f;
}

bool world_flow_solve(world_flow *f)
{
    rule_cx *cx = f->view->cx;
    const ast_node *root = f->view->fn->tree->root;
    find_tested(f, root);
    find_nodes(f, root);
    find_private(f);
    if (f->nodes.count != 0)
        qsort(f->nodes.at, f->nodes.count, sizeof f->nodes.at[0], by_node);
    f->graph = rule_cfg_of(cx, f->view->fn);
    struct tree_states states = {.bytes = sizeof(struct worlds),
                                 .direction = TREE_FORWARDS,
                                 .boundary = boundary,
                                 .copy = copy,
                                 .join = join,
                                 .transfer = transfer,
                                 .edge = take_edge,
                                 .context = f};
    f->solved = tree_flow_solve(cx->mem, f->graph, &states);
    return f->solved->is_complete && !f->graph->is_cut;
}

const tree_cfg *world_flow_graph(const world_flow *f)
{
    return f->graph;
}

struct tree_flow_walk world_flow_walk(world_flow *f, uint32_t block)
{
    return tree_flow_walk(f->solved, block);
}

const struct worlds *world_flow_at_exit(const world_flow *f)
{
    static const struct worlds none = {.count = 0};
    const struct worlds *w = f->solved->input[f->graph->exit];
    return w == NULL ? &none : w;
}
