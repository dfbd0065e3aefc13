/* SPDX-License-Identifier: MIT */
/*
 * awaitc-errno-across-await: errno is read behind an await, with no call between that would have
 * set it. It then is what some call before the await left, or what another task left on this
 * thread; the runtime's own functions never set it.
 */
#include <string.h>

#include "rules/suspension.h"
#include "rules/worlds.h"

enum {
    SET = 1,   /* a call since the last suspension may have set errno */
    STALE = 2, /* what errno holds was set in front of a suspension */
    NEVER = 4  /* ... or expected of an await that does not set it */
};

struct errno_search {
    rule_cx *cx;
    fn_view *v;
    world_flow *flow;
};

/* ---- what touches errno ---------------------------------------------------------------------- */

static bool is_errno(const struct errno_search *s, const ast_node *n)
{
    if (n->kind != AST_UNARY || n->op != OP_DEREF)
        return false;
    const ast_node *call = sema_strip(n->kid[0]);
    return call->kind == AST_CALL &&
           sv_is(sema_callee_name(s->cx->sema, s->v->fn, call), "__errno_location");
}

static bool is_one_of(strview name, const char *const *names)
{
    for (; *names != NULL; names++) {
        if (sv_is(name, *names))
            return true;
    }
    return false;
}

static bool is_neutral_name(strview name)
{
    static const char *const names[] = {"__errno_location",
                                        "free",
                                        "memcpy",
                                        "memmove",
                                        "memset",
                                        "memcmp",
                                        "strlen",
                                        "strcmp",
                                        "strncmp",
                                        "strcpy",
                                        "strchr",
                                        "strrchr",
                                        "htons",
                                        "htonl",
                                        "ntohs",
                                        "ntohl",
                                        "abs",
                                        "g_free",
                                        NULL};
    return is_one_of(name, names) || sv_starts(name, "aw_") || sv_starts(name, "__builtin_");
}

/* Does this plain call leave errno as it is? */
static bool is_neutral(const struct errno_search *s, const ast_node *call)
{
    const sema_symbol *callee = sema_callee(s->cx->sema, s->v->fn, call);
    if (callee != NULL && callee->function != NULL && callee->function != s->v->fn)
        return !ast_has_call(callee->function->tree->root);
    return is_neutral_name(sema_callee_name(s->cx->sema, s->v->fn, call));
}

static bool has_percent_m(const struct errno_search *s, const ast_node *call)
{
    for (uint32_t i = 0; i < sema_arg_count(call); i++) {
        const ast_node *arg = sema_strip(sema_arg(call, i));
        strview text = ast_node_text(s->v->fn->tree, arg);
        for (size_t k = 0; arg->kind == AST_STRING && k + 1 < text.len; k++) {
            if (text.at[k] == '%' && text.at[k + 1] == 'm')
                return true;
            k += text.at[k] == '%';
        }
    }
    return false;
}

/* A call that reads errno for its message. */
static bool call_reads_errno(const struct errno_search *s, const ast_node *call)
{
    static const char *const readers[] = {"perror", "err", "verr", "warn", "vwarn", NULL};
    static const char *const printers[] = {"printf", "fprintf",  "dprintf",          "snprintf",
                                           "syslog", "asprintf", "sd_journal_print", NULL};
    strview name = sema_callee_name(s->cx->sema, s->v->fn, call);
    const sema_symbol *callee = sema_callee(s->cx->sema, s->v->fn, call);
    if (callee != NULL && callee->function != NULL)
        return false;
    return is_one_of(name, readers) || (is_one_of(name, printers) && has_percent_m(s, call));
}

static bool is_assigned(const ast_node *n)
{
    while (n->parent != NULL && n->parent->kind == AST_PAREN)
        n = n->parent;
    return n->parent != NULL && n->parent->kind == AST_ASSIGN && n->parent->kid[0] == n;
}

/* ---- flow ------------------------------------------------------------------------------------ */

struct awaited {
    struct errno_search *s;
    bool is_own;     /* of the runtime, or on a pool: it never sets the task's errno */
    bool sets_errno; /* a function of the unit that says what went wrong in errno */
};

static bool assigns_errno(const struct errno_search *s, const ast_node *n)
{
    if (n->kind == AST_ASSIGN && is_errno(s, sema_strip(n->kid[0])))
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && assigns_errno(s, n->kid[i]))
            return true;
    }
    return false;
}

static void look_at_awaited(void *context, const ast_node *call)
{
    struct awaited *a = context;
    const struct errno_search *s = a->s;
    const sema_symbol *callee = sema_callee(s->cx->sema, s->v->fn, call);
    bool has_body = callee != NULL && callee->function != NULL;
    const ast_node *form = form_of_call(call);
    bool on_pool = form != NULL && (form->op == FORM_BLOCKING || form->op == FORM_COMPUTE);
    bool is_leaf = sv_starts(sema_callee_name(s->cx->sema, s->v->fn, call), "aw_") && !has_body;
    a->is_own = a->is_own || on_pool || is_leaf;
    if (has_body && !on_pool) {
        uint32_t count;
        struct errno_search inner = *s;
        inner.v =
            fn_view_new(s->cx, sema_unit_functions(s->cx->sema, &count)[callee->function->index]);
        a->sets_errno = a->sets_errno || assigns_errno(&inner, callee->function->tree->root);
    }
}

static void suspend(struct errno_search *s, const ast_node *at, struct worlds *w)
{
    struct awaited a = {.s = s};
    each_awaited_call(at, look_at_awaited, &a);
    for (uint32_t i = 0; i < w->count; i++) {
        uint64_t *facts = &w->at[i].facts;
        if (a.sets_errno)
            *facts = 0;
        else if (*facts & SET)
            *facts = STALE;
        else if (a.is_own && !(*facts & STALE))
            *facts = NEVER;
        else if (!(*facts & STALE))
            *facts = 0;
    }
}

static bool reads_errno(const struct errno_search *s, const struct tree_item *item)
{
    const ast_node *n = item->node;
    if (item->kind != TREE_EXPR)
        return false;
    return is_errno(s, n) ? !is_assigned(n) : n->kind == AST_CALL && call_reads_errno(s, n);
}

static void transfer(void *context, world_flow *f, const struct tree_item *item, struct worlds *w)
{
    (void)f;
    struct errno_search *s = context;
    const ast_node *n = item->node;
    if (item->kind != TREE_EXPR)
        return;
    if (suspends_at(s->cx, s->v->fn, item)) {
        suspend(s, n, w);
        return;
    }
    bool is_set = n->kind == AST_ASSIGN && is_errno(s, sema_strip(n->kid[0]));
    if (n->kind == AST_CALL && form_of_call(n) == NULL &&
        !sema_call_is_async(s->cx->sema, s->v->fn, n))
        is_set = !is_neutral(s, n);
    if (is_set || reads_errno(s, item)) {
        worlds_clear(w, STALE | NEVER);
        worlds_set(w, is_set ? SET : 0);
    }
}

/* ---- reports --------------------------------------------------------------------------------- */

static void report(struct errno_search *s, const ast_node *at, uint64_t facts)
{
    const char *what = at->kind == AST_CALL ? "this call reads errno" : "errno is read";
    struct candidate *c =
        facts & STALE
            ? rule_report(s->cx, at,
                          "%s behind an await: it belongs to the thread, and other tasks have used "
                          "it meanwhile; copy it to a local in front of the await",
                          what)
            : rule_report(s->cx, at,
                          "%s for an await, which does not set it: what failed is in the result "
                          "that the await gives, as a negated errno",
                          what);
    rule_leaf(c, "errno");
}

static bool mentions_errno(const struct errno_search *s, const ast_node *n)
{
    if (is_errno(s, n) || (n->kind == AST_CALL && call_reads_errno(s, n)))
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && mentions_errno(s, n->kid[i]))
            return true;
    }
    return false;
}

static void on_function(rule_cx *cx)
{
    if (!function_suspends(cx, cx->fn))
        return;
    struct errno_search s = {.cx = cx, .v = fn_view_new(cx, cx->fn)};
    if (!mentions_errno(&s, cx->fn->tree->root))
        return;
    s.flow = world_flow_new(s.v, transfer, &s);
    if (!world_flow_solve(s.flow))
        return;
    const tree_cfg *g = world_flow_graph(s.flow);
    for (uint32_t b = 0; b < g->block_count; b++) {
        struct tree_flow_walk w = world_flow_walk(s.flow, b);
        while (tree_flow_next(&w)) {
            uint64_t facts = worlds_any(w.state) & (STALE | NEVER);
            if (facts != 0 && reads_errno(&s, w.item) && tree_cfg_find(g, w.item->node) == w.index)
                report(&s, w.item->node, facts);
        }
    }
}

const struct rule_calls rule_errno_across_await = {.on_function = on_function};
