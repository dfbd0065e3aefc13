/* SPDX-License-Identifier: MIT */
/*
 * How large can a number be? A loop that runs to a masked value, a minimum, the length of what was
 * read into a buffer, or to what an `if` has checked before, is as short as that.
 */
#include "analyzer/base/word_set.h"
#include "rules/await_sites.h"
#include "rules/function_memo.h"
#include "rules/loop_shape.h"

enum { MAX_DEPTH = 4, SMALL_TYPE = 256 };

static uint64_t bound_in(rule_cx *cx, const ast_node *n, unsigned depth);

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Calls whose result is at most an argument: by name, which argument. */
static const struct {
    const char *name;
    uint32_t arg;
} limited_by[] = {
    {"aw_read", 2},   {"aw_recv", 2},    {"aw_recvfrom", 2}, {"aw_pread", 2},
    {"read", 2},      {"pread", 2},      {"pread64", 2},     {"recv", 2},
    {"recvfrom", 2},  {"epoll_wait", 2}, {"recvmmsg", 2},    {"epoll_pwait", 2},
    {"poll", 1},      {"SSL_read", 2},   {"BIO_read", 2},    {"snprintf", 1},
    {"vsnprintf", 1}, {"strnlen", 1},    {"getdents64", 2},  {"write", 2},
    {"send", 2},      {"kevent", 4},     {"aw_write", 2},    {"readlink", 2},
    {"fread", 2},     {"getrandom", 1},  {"random", 0},      {"evbuffer_copyout", 2},
};

static uint64_t bound_of_call(rule_cx *cx, const ast_node *call, unsigned depth)
{
    strview name = sema_callee_name(cx->sema, cx->fn, call);
    uint32_t count = sema_arg_count(call);
    if (name_has_word(name, "min") && count == 2)
        return smaller(bound_in(cx, sema_arg(call, 0), depth),
                       bound_in(cx, sema_arg(call, 1), depth));
    if (sv_is(name, "strlen") && count == 1) {
        const ctype *type = sema_type(cx->sema, cx->fn, sema_arg(call, 0));
        return type->cls == CTYPE_ARRAY && type->count != 0 ? type->count : UINT64_MAX;
    }
    for (size_t i = 0; i < sizeof limited_by / sizeof limited_by[0]; i++) {
        if (sv_is(name, limited_by[i].name) && limited_by[i].arg < count)
            return bound_in(cx, sema_arg(call, limited_by[i].arg), depth);
    }
    return UINT64_MAX;
}

/* ---- operators ------------------------------------------------------------------------------- */

static uint64_t bound_of_binary(rule_cx *cx, const ast_node *n, unsigned depth)
{
    uint64_t left = bound_in(cx, n->kid[0], depth);
    int64_t right;
    bool has_right = sema_constant(cx->sema, cx->fn, n->kid[1], &right) && right > 0;
    switch (n->op) {
    case OP_AND:
        return smaller(left, bound_in(cx, n->kid[1], depth));
    case OP_MOD:
        return has_right ? (uint64_t)right : left;
    case OP_DIV:
        return left != UINT64_MAX && has_right ? left / (uint64_t)right : left;
    case OP_SUB:
    case OP_SHR:
        return left;
    case OP_ADD: {
        uint64_t other = bound_in(cx, n->kid[1], depth);
        return left == UINT64_MAX || other == UINT64_MAX ? UINT64_MAX : left + other;
    }
    case OP_MUL: {
        uint64_t other = bound_in(cx, n->kid[1], depth);
        bool fits = left < UINT32_MAX && other < UINT32_MAX;
        return fits ? left * other : UINT64_MAX;
    }
    default:
        return tree_is_comparison(n) ? 1 : UINT64_MAX;
    }
}

/* a < b ? a : b and its like: the smaller of the two. */
static uint64_t bound_of_conditional(rule_cx *cx, const ast_node *n, unsigned depth)
{
    const ast_node *cond = sema_strip(n->kid[0]), *yes = n->kid[1], *no = n->kid[2];
    if (yes == NULL)
        return UINT64_MAX;
    uint64_t a = bound_in(cx, yes, depth), b = bound_in(cx, no, depth);
    if (!tree_is_comparison(cond))
        return larger(a, b);
    const ast_function *fn = cx->fn->tree;
    bool less = cond->op == OP_LT || cond->op == OP_LE;
    bool more = cond->op == OP_GT || cond->op == OP_GE;
    bool same = tree_same(fn, cond->kid[0], yes) && tree_same(fn, cond->kid[1], no);
    bool crossed = tree_same(fn, cond->kid[0], no) && tree_same(fn, cond->kid[1], yes);
    if ((less && same) || (more && crossed))
        return smaller(a, b);
    return larger(a, b);
}

/* ---- variables ------------------------------------------------------------------------------- */

struct assignments {
    rule_cx *cx;
    const ast_node *lvalue;
    uint64_t bound; /* of all values that it is given */
    uint64_t clamp;
    uint32_t count;
    unsigned depth;
};

static bool is_it(const struct assignments *a, const ast_node *n)
{
    return tree_same(a->cx->fn->tree, n, a->lvalue);
}

static void add_value(struct assignments *a, const ast_node *value)
{
    uint64_t bound = UINT64_MAX;
    const ast_node *bare = sema_strip(value);
    if (!tree_mentions(a->cx->fn->tree, bare, a->lvalue))
        bound = bound_in(a->cx, value, a->depth);
    else if (bare->kind == AST_BINARY && bare->op == OP_SUB && is_it(a, bare->kid[0]))
        return; /* it only gets smaller */
    a->bound = a->count++ == 0 ? bound : larger(a->bound, bound);
}

struct change_search {
    const struct assignments *a;
    bool found;
};

static bool visit_change(void *context, const ast_node *n)
{
    struct change_search *search = context;
    if (n->kind == AST_ASSIGN && is_it(search->a, n->kid[0]))
        search->found = true;
    return !search->found;
}

/* Does the branch leave, or set the lvalue anew? */
static bool corrects(const struct assignments *a, const ast_node *branch)
{
    struct change_search search = {.a = a};
    const ast_node *last = branch;
    while (last != NULL && last->kind == AST_COMPOUND && last->kid_count != 0)
        last = last->kid[last->kid_count - 1];
    if (last != NULL && (last->kind == AST_RETURN || last->kind == AST_BREAK ||
                         last->kind == AST_CONTINUE || last->kind == AST_GOTO))
        return true;
    tree_visit(branch, visit_change, &search);
    return search.found;
}

/* `if (n > 64) return;`, `n = n > 64 ? ...`, `while (n < 64 ...)`: what it is checked against. */
static void look_at_comparison(struct assignments *a, const ast_node *n)
{
    bool is_left = is_it(a, n->kid[0]);
    if (!is_left && !is_it(a, n->kid[1]))
        return;
    bool less = is_left ? n->op == OP_LT || n->op == OP_LE : n->op == OP_GT || n->op == OP_GE;
    bool more = is_left ? n->op == OP_GT || n->op == OP_GE : n->op == OP_LT || n->op == OP_LE;
    int64_t value;
    const ast_node *limit = n->kid[is_left ? 1 : 0], *up = n->parent;
    if ((!less && !more) || !sema_constant(a->cx->sema, a->cx->fn, limit, &value) || value < 2)
        return;
    while (up->kind == AST_OR_OR || up->kind == AST_PAREN || (less && up->kind == AST_AND_AND))
        up = up->parent;
    bool checks = more && up->kind == AST_IF && corrects(a, up->kid[1]);
    bool guards = less && tree_is_loop(up);
    if (checks || guards)
        a->clamp = smaller(a->clamp, (uint64_t)value);
}

static void add_use(struct assignments *a, const ast_node *n)
{
    if (tree_is_comparison(n))
        look_at_comparison(a, n);
    if (n->kind == AST_ASSIGN && n->op == OP_ASSIGN && is_it(a, n->kid[0]))
        add_value(a, n->kid[1]);
    bool grows = (n->kind == AST_ASSIGN && n->op == OP_ADD) ||
                 ((n->kind == AST_PREFIX || n->kind == AST_POSTFIX) && n->op == OP_INC);
    if (grows && is_it(a, n->kid[0])) {
        a->bound = UINT64_MAX; /* but for a clamp */
        a->count++;
    }
    if (n->kind == AST_DECLARATOR && n->ref != NULL && n->ref == a->lvalue->ref &&
        n->kid_count != 0 && n->kid[n->kid_count - 1] != NULL)
        add_value(a, n->kid[n->kid_count - 1]);
}

/* ---- which nodes are about which lvalue ------------------------------------------------------ */

/* What compares or changes an lvalue, in the order of the text, and what was made of it. */
struct lvalue_uses {
    VEC(const ast_node *) at;
    struct assignments known[MAX_DEPTH + 2]; /* [depth]; lvalue NULL: not asked yet */
};

/* Those of one function: of locals by number, of others by text. */
struct lvalue_index {
    rule_cx cx;
    struct lvalue_uses *locals; /* [declaration] */
    word_set texts;             /* value: 1 + index in others */
    VEC(struct lvalue_uses *) others;
};

static struct lvalue_uses *uses_of(struct lvalue_index *index, const ast_node *lvalue)
{
    lvalue = sema_strip(lvalue);
    if (lvalue->kind == AST_IDENT && lvalue->ref != NULL)
        return &index->locals[lvalue->ref->id];
    struct word_entry *e = word_set_add(&index->texts, ast_node_text(index->cx.fn->tree, lvalue));
    if (e->value == 0) {
        struct lvalue_uses *added = ARENA_NEW(index->cx.mem, struct lvalue_uses);
        VEC_PUSH(index->cx.mem, &index->others, added);
        e->value = (uint32_t)index->others.count;
    }
    return index->others.at[e->value - 1];
}

static void note_use(struct lvalue_index *index, const ast_node *n, const ast_node *lvalue)
{
    lvalue = sema_strip(lvalue);
    if (lvalue->kind != AST_IDENT && lvalue->kind != AST_MEMBER && lvalue->kind != AST_INDEX)
        return;
    struct lvalue_uses *uses = uses_of(index, lvalue);
    if (uses->at.count == 0 || VEC_LAST(&uses->at) != n)
        VEC_PUSH(index->cx.mem, &uses->at, n);
}

static bool visit_use(void *context, const ast_node *n)
{
    struct lvalue_index *index = context;
    bool changes = n->kind == AST_ASSIGN || n->kind == AST_PREFIX || n->kind == AST_POSTFIX;
    if (changes || tree_is_comparison(n))
        note_use(index, n, n->kid[0]);
    if (tree_is_comparison(n))
        note_use(index, n, n->kid[1]);
    if (n->kind == AST_DECLARATOR && n->ref != NULL)
        VEC_PUSH(index->cx.mem, &index->locals[n->ref->id].at, n);
    return true;
}

static struct lvalue_index *index_of(rule_cx *cx)
{
    struct function_memo *memo = function_memo_of(cx, cx->fn);
    if (memo->changes == NULL) {
        struct lvalue_index *index = ARENA_NEW(cx->mem, struct lvalue_index);
        index->cx = *cx;
        index->locals = ARENA_ARRAY(cx->mem, struct lvalue_uses, cx->fn->tree->decls.count + 1);
        index->texts = word_set_in(cx->mem);
        tree_visit(cx->fn->tree->root, visit_use, index);
        memo->changes = index;
    }
    return memo->changes;
}

static uint64_t bound_of_type(const ctype *type)
{
    if (type->cls == CTYPE_BOOL)
        return 1;
    if (type->cls == CTYPE_ENUM)
        return SMALL_TYPE;
    /* Up to 16 bits: a field of a packet, not the size of what a program holds. */
    if (type->cls == CTYPE_INT && type->size_bytes != 0 && type->size_bytes <= 2)
        return type->size_bytes == 1 ? SMALL_TYPE : LOOP_FEW_ROUNDS;
    return UINT64_MAX;
}

/* Of the argument that a parameter has in the call at hand. */
static uint64_t bound_of_argument(rule_cx *cx, const ast_node *n, unsigned depth)
{
    const ast_function *tree = cx->fn->tree;
    if (cx->from == NULL || n->kind != AST_IDENT || n->ref == NULL || n->ref->kind != DECL_PARAM)
        return UINT64_MAX;
    for (uint32_t i = 0; i < tree->params.count; i++) {
        if (tree->params.at[i] == n->ref && i < sema_arg_count(cx->from->call))
            return bound_in(cx->from->cx, sema_arg(cx->from->call, i), depth);
    }
    return UINT64_MAX;
}

static uint64_t bound_of_lvalue(rule_cx *cx, const ast_node *n, unsigned depth)
{
    struct lvalue_uses *uses = uses_of(index_of(cx), n);
    struct assignments *a = &uses->known[depth];
    bool is_local = n->kind == AST_IDENT && n->ref != NULL && n->ref->kind == DECL_VAR &&
                    n->ref->storage != STORAGE_STATIC;
    if (a->lvalue == NULL) {
        *a = (struct assignments){.cx = cx, .lvalue = n, .clamp = UINT64_MAX, .depth = depth};
        for (size_t i = 0; i < uses->at.count; i++)
            add_use(a, uses->at.at[i]);
    }
    uint64_t bound = smaller(bound_of_type(sema_type(cx->sema, cx->fn, n)), a->clamp);
    if (a->count == 0)
        bound = smaller(bound, bound_of_argument(cx, n, depth));
    return is_local && a->count != 0 ? smaller(bound, a->bound) : bound;
}

/* ---- all ------------------------------------------------------------------------------------- */

static uint64_t bound_in(rule_cx *cx, const ast_node *n, unsigned depth)
{
    int64_t value;
    if (n == NULL || depth > MAX_DEPTH)
        return UINT64_MAX;
    n = sema_strip(n);
    if (sema_constant(cx->sema, cx->fn, n, &value))
        return value < 0 ? 0 : (uint64_t)value;
    depth++;
    switch (n->kind) {
    case AST_BINARY:
        return bound_of_binary(cx, n, depth);
    case AST_CONDITIONAL:
        return bound_of_conditional(cx, n, depth);
    case AST_AWAIT:
        return bound_in(cx, n->kid[0], depth);
    case AST_CALL:
        return bound_of_call(cx, n, depth);
    case AST_IDENT:
    case AST_MEMBER:
    case AST_INDEX:
        return bound_of_lvalue(cx, n, depth);
    default:
        return bound_of_type(sema_type(cx->sema, cx->fn, n));
    }
}

uint64_t upper_bound(rule_cx *cx, const ast_node *n)
{
    return bound_in(cx, n, 0);
}

/* counter + n, by itself or as what a local is set to once: n; NULL. */
static const ast_node *added_to(rule_cx *cx, const ast_node *counter, const ast_node *end)
{
    end = sema_strip(end);
    if (end->kind == AST_IDENT && end->ref != NULL && end->ref->kind == DECL_VAR) {
        const struct local_use *use = &await_local_uses(cx, cx->fn)->at[end->ref->id];
        if (use->assignments != 1 || use->is_changed || use->address_taken || use->value == NULL)
            return NULL;
        end = sema_strip(use->value);
    }
    if (end->kind != AST_BINARY || end->op != OP_ADD)
        return NULL;
    for (int i = 0; i < 2; i++) {
        if (tree_same(cx->fn->tree, end->kid[i], counter))
            return end->kid[1 - i];
    }
    return NULL;
}

uint64_t upper_distance(rule_cx *cx, const ast_node *counter, const ast_node *end)
{
    const ast_node *added = counter == NULL ? NULL : added_to(cx, counter, end);
    return added == NULL ? upper_bound(cx, end)
                         : smaller(upper_bound(cx, end), upper_bound(cx, added));
}
