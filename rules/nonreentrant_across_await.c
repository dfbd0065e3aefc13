/* SPDX-License-Identifier: MIT */
/*
 * awaitc-nonreentrant-across-await: a pointer into storage that the next call of the same function
 * overwrites (localtime, inet_ntoa, a static buffer of a function of the source) is kept over an
 * await; and a function that goes on where it stopped (strtok) is called again behind one.
 */
#include <string.h>

#include "analyzer/program/known_threadstate.h"
#include "analyzer/program/lint_settings.h"
#include "rules/carried_values.h"
#include "rules/suspension.h"
#include "rules/worlds.h"

/* ---- pointers into static storage ------------------------------------------------------------ */

static const struct known_threadstate *row_of(const fn_view *v, const ast_node *call)
{
    strview name = sema_callee_name(v->cx->sema, v->fn, call);
    return name.len == 0 ? NULL : known_threadstate_find(v->cx->settings->known, name);
}

/* A static array of characters of the function itself: what helpers return. */
static bool static_buffer(void *context, const fn_view *v, const ast_node *n,
                          struct carried_source *out)
{
    (void)context;
    (void)out;
    if (n->kind != AST_IDENT || n->ref == NULL || n->ref->kind != DECL_VAR ||
        n->ref->storage != STORAGE_STATIC || n->ref->is_thread_local)
        return false;
    const ctype *type = sema_type(v->cx->sema, v->fn, n);
    while (type->cls == CTYPE_ARRAY && type->elem != NULL && type->elem->cls == CTYPE_ARRAY)
        type = type->elem;
    return type->cls == CTYPE_ARRAY && type->elem != NULL && type->elem->size_bytes == 1 &&
           !type->elem->is_const;
}

static bool source(void *context, const fn_view *v, const ast_node *n, struct carried_source *out)
{
    (void)context;
    if (n->kind != AST_CALL)
        return false;
    const struct known_threadstate *row = row_of(v, n);
    bool is_static = row != NULL ? row->kind == THREADSTATE_STATIC
                                 : returns_source(v, n, static_buffer, NULL, out);
    if (!is_static)
        return false;
    out->loads_carry = true;
    /* texts of errors stay what they are in today's C libraries */
    out->counts_at_await =
        row == NULL || !(sv_is(row->storage, "strerror") || sv_is(row->storage, "strsignal") ||
                         sv_is(row->storage, "localeconv"));
    out->what = arena_printf(v->cx->mem, "'%.*s'", SV_ARG(sema_callee_name(v->cx->sema, v->fn, n)));
    return true;
}

/* "use localtime_r" */
static const char *instead(const fn_view *v, const ast_node *call)
{
    const struct known_threadstate *row = row_of(v, call);
    if (row == NULL || row->instead.len == 0 || sv_is(row->instead, "-"))
        return "finish with it in front of the await";
    return arena_printf(v->cx->mem, "use %.*s", SV_ARG(row->instead));
}

static const char *advice(const fn_view *v, const ast_node *call)
{
    const struct known_threadstate *row = row_of(v, call);
    if (row == NULL || row->instead.len == 0 || sv_is(row->instead, "-"))
        return "copy it in front of the await";
    return arena_printf(v->cx->mem, "copy it in front of the await, or %s", instead(v, call));
}

static void report(void *context, const fn_view *v, const struct carried_source *s,
                   const ast_node *use, const ast_node *await)
{
    rule_cx *cx = context;
    struct candidate *c =
        use != NULL ? rule_report(cx, use,
                                  "static storage that %s answered with is used behind an await: "
                                  "another task may have overwritten it meanwhile; %s",
                                  s->what, advice(v, s->node))
                    : rule_report(cx, await,
                                  "static storage that %s answered with is given to what this "
                                  "await waits for: another task may overwrite it meanwhile; %s",
                                  s->what, advice(v, s->node));
    rule_leaf(c, s->what);
    rule_note(cx, c, s->node, "%s is called here", s->what);
    if (use != NULL && await != NULL)
        rule_note(cx, c, await, "other tasks may run here");
}

/* ---- hidden positions ------------------------------------------------------------------------ */

enum { AT_HOME = 1, MOVED = 2 };

struct position {
    const fn_view *v;
};

/* A call of a function that keeps a position; does it go on from there? */
static bool is_position_call(const fn_view *v, const ast_node *n, bool *goes_on)
{
    const struct known_threadstate *row =
        n->kind == AST_CALL && !n->is_unevaluated ? row_of(v, n) : NULL;
    if (row == NULL || row->kind != THREADSTATE_POSITION || sema_arg_count(n) == 0)
        return false;
    *goes_on = !sv_is(row->storage, "strtok") || sema_is_null(v->cx->sema, v->fn, sema_arg(n, 0));
    return true;
}

static void follow_position(void *context, world_flow *f, const struct tree_item *item,
                            struct worlds *w)
{
    (void)f;
    const struct position *p = context;
    bool goes_on;
    if (item->kind == TREE_EXPR && is_position_call(p->v, item->node, &goes_on)) {
        worlds_clear(w, MOVED);
        worlds_set(w, AT_HOME);
    } else if (suspends_at(p->v->cx, p->v->fn, item)) {
        for (uint32_t i = 0; i < w->count; i++) {
            if (w->at[i].facts & AT_HOME)
                w->at[i].facts = MOVED;
        }
    }
}

static bool has_position_call(const fn_view *v, const ast_node *n)
{
    bool goes_on;
    if (is_position_call(v, n, &goes_on) && goes_on)
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && has_position_call(v, n->kid[i]))
            return true;
    }
    return false;
}

static void check_positions(rule_cx *cx, const fn_view *v)
{
    struct position p = {.v = v};
    if (!has_position_call(v, cx->fn->tree->root))
        return;
    world_flow *f = world_flow_new(v, follow_position, &p);
    bool goes_on;
    if (!world_flow_solve(f))
        return;
    const tree_cfg *g = world_flow_graph(f);
    for (uint32_t b = 0; b < g->block_count; b++) {
        struct tree_flow_walk w = world_flow_walk(f, b);
        while (tree_flow_next(&w)) {
            const ast_node *n = w.item->node;
            if (w.item->kind != TREE_EXPR || !is_position_call(v, n, &goes_on) || !goes_on ||
                !(worlds_any(w.state) & MOVED) || tree_cfg_find(g, n) != w.index)
                continue;
            strview name = sema_callee_name(cx->sema, cx->fn, n);
            struct candidate *c = rule_report(
                cx, n,
                "'%.*s' goes on from a position that all tasks share, behind an await at which "
                "another task may have moved it; %s",
                SV_ARG(name), instead(v, n));
            rule_leaf(c, arena_printf(cx->mem, "%.*s", SV_ARG(name)));
        }
    }
}

static void on_function(rule_cx *cx)
{
    if (!function_suspends(cx, cx->fn))
        return;
    const fn_view *v = fn_view_new(cx, cx->fn);
    struct carried_rules rules = {.source = source, .report = report, .context = cx};
    carried_values_check(v, &rules);
    check_positions(cx, v);
}

const struct rule_calls rule_nonreentrant_across_await = {.on_function = on_function};
