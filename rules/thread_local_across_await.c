/* SPDX-License-Identifier: MIT */
/*
 * awaitc-thread-local-across-await: the address of a thread's variable, a pointer out of one, or
 * what a call like pthread_self answers, is taken before an await and used behind it; and a
 * thread's variable that is given a value before an await, which is read behind it.
 */
#include <string.h>

#include "analyzer/program/known_threadstate.h"
#include "analyzer/program/lint_settings.h"
#include "rules/carried_values.h"
#include "rules/suspension.h"
#include "rules/thread_variables.h"
#include "rules/tree_terms.h"

/* The thread's variable that a place is (a part of); NULL. */
static const ast_node *thread_variable(const fn_view *v, const ast_node *n)
{
    for (;;) {
        n = sema_strip(n);
        bool is_part =
            (n->kind == AST_MEMBER && n->op == OP_DOT) ||
            (n->kind == AST_INDEX && sema_type(v->cx->sema, v->fn, n->kid[0])->cls == CTYPE_ARRAY);
        if (!is_part)
            break;
        n = n->kid[0];
    }
    return is_thread_variable(v, n) ? n : NULL;
}

static bool call_source(const fn_view *v, const ast_node *n, struct carried_source *out);

static bool source(void *context, const fn_view *v, const ast_node *n, struct carried_source *out)
{
    (void)context;
    if (n->kind == AST_CALL)
        return call_source(v, n, out);
    const ast_node *place = n->kind == AST_UNARY && n->op == OP_ADDR ? n->kid[0] : n;
    bool is_place = n->kind == AST_IDENT || n->kind == AST_MEMBER || place != n;
    const ast_node *variable = is_place ? thread_variable(v, place) : NULL;
    if (variable == NULL)
        return false;
    strview name = ast_node_text(v->fn->tree, variable);
    enum ctype_class cls = sema_type(v->cx->sema, v->fn, place)->cls;
    bool is_address = place != n || cls == CTYPE_ARRAY;
    if (!is_address && cls != CTYPE_POINTER)
        return false;
    out->counts_at_await = is_address;
    out->what = is_address
                    ? arena_printf(v->cx->mem, "the address of '%.*s', which is the thread's own,",
                                   SV_ARG(name))
                    : arena_printf(v->cx->mem, "the pointer in '%.*s', which is the thread's own,",
                                   SV_ARG(name));
    return true;
}

static bool call_source(const fn_view *v, const ast_node *n, struct carried_source *out)
{
    strview name = sema_callee_name(v->cx->sema, v->fn, n);
    const struct known_threadstate *row =
        name.len == 0 ? NULL : known_threadstate_find(v->cx->settings->known, name);
    if (row == NULL) {
        if (!returns_source(v, n, source, NULL, out))
            return false;
        out->what = arena_printf(v->cx->mem, "what '%.*s' returned, which belongs to the thread,",
                                 SV_ARG(name));
        return true;
    }
    bool is_copy = sv_is(row->storage, "error queue"); /* read before the await, it stays true */
    if ((row->kind != THREADSTATE_VALUE && row->kind != THREADSTATE_ADDRESS) || is_copy ||
        row->where.kind != PLACE_RESULT || sv_ends(row->storage, "errno"))
        return false;
    out->what = arena_printf(v->cx->mem, "what '%.*s' returned, which belongs to the thread,",
                             SV_ARG(name));
    return true;
}

struct found {
    rule_cx *cx;
    thread_variable_names names;
};

/* Is the source a variable that was reported for what it holds? */
static bool is_known(const struct found *f, const struct carried_source *s)
{
    const ast_node *n = s->node;
    while (n->kind == AST_UNARY || n->kind == AST_MEMBER || n->kind == AST_INDEX)
        n = sema_strip(n->kid[0]);
    for (size_t i = 0; n->kind == AST_IDENT && i < f->names.count; i++) {
        if (sv_equal(ast_node_text(f->cx->fn->tree, n), f->names.at[i]))
            return true;
    }
    return false;
}

static void report(void *context, const fn_view *v, const struct carried_source *s,
                   const ast_node *use, const ast_node *await)
{
    const struct found *found = context;
    rule_cx *cx = found->cx;
    if (use == NULL && is_known(found, s))
        return;
    struct candidate *c =
        use != NULL
            ? rule_report(cx, use,
                          "%s is used behind an await: the task may be on another thread by now; "
                          "take it again behind the await, or keep it with the task",
                          s->what)
            : rule_report(cx, await,
                          "%s is given to what this await waits for, which may go on in another "
                          "thread; give it memory of the task",
                          s->what);
    rule_leaf(c, sema_text(v->cx->sema, v->fn, s->node, 40));
    rule_note(cx, c, s->node, "taken here");
    if (use != NULL && await != NULL)
        rule_note(cx, c, await, "the task may change its thread here");
}

struct restore_search {
    const fn_view *v;
    rule_cx *cx;
    VEC(const ast_node *) awaits;
};

static bool visit_await(void *context, const ast_node *n)
{
    struct restore_search *search = context;
    if (n->kind == AST_AWAIT)
        VEC_PUSH(search->cx->mem, &search->awaits, n);
    return true;
}

/* int saved = level; level = ...; await f(); level = saved: what it puts back is another thread's.
 */
static bool visit_restore(void *context, const ast_node *n)
{
    struct restore_search *search = context;
    const fn_view *v = search->v;
    if (n->kind != AST_ASSIGN || n->op != OP_ASSIGN)
        return true;
    const ast_node *variable = sema_strip(n->kid[0]), *saved = sema_strip(n->kid[1]);
    if (!is_thread_variable(v, variable) || saved->kind != AST_IDENT || saved->ref == NULL ||
        saved->ref->kind != DECL_VAR)
        return true;
    const struct local_use *use = &v->uses->at[saved->ref->id];
    const ast_node *value = use->value == NULL ? NULL : sema_strip(use->value);
    if (use->assignments != 1 || use->is_changed || value == NULL ||
        !tree_same(v->fn->tree, value, variable) ||
        sema_type(v->cx->sema, v->fn, value)->cls == CTYPE_POINTER)
        return true;
    for (size_t i = 0; i < search->awaits.count; i++) {
        const ast_node *await = search->awaits.at[i];
        if (await->first < value->last || await->last > n->first)
            continue;
        struct candidate *c =
            rule_report(search->cx, n,
                        "what '%.*s' held before an await is put back behind it: the task may be "
                        "on another thread by now, whose own value this overwrites; keep it with "
                        "the task",
                        SV_ARG(ast_node_text(v->fn->tree, variable)));
        rule_leaf(c, sema_text(v->cx->sema, v->fn, variable, 40));
        rule_note(search->cx, c, value, "taken here");
        rule_note(search->cx, c, await, "the task may change its thread here");
        return true;
    }
    return true;
}

static void check_restores(rule_cx *cx, const fn_view *v)
{
    struct restore_search search = {.v = v, .cx = cx};
    tree_visit(cx->fn->tree->root, visit_await, &search);
    if (search.awaits.count != 0)
        tree_visit(cx->fn->tree->root, visit_restore, &search);
}

static void on_function(rule_cx *cx)
{
    if (!function_suspends(cx, cx->fn))
        return;
    const fn_view *v = fn_view_new(cx, cx->fn);
    struct found found = {cx, thread_variables_check(v)};
    struct carried_rules rules = {.source = source, .report = report, .context = &found};
    carried_values_check(v, &rules);
    check_restores(cx, v);
}

const struct rule_calls rule_thread_local_across_await = {.on_function = on_function};
