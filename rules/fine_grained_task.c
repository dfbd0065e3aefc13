/* SPDX-License-Identifier: MIT */
/*
 * awaitc-fine-grained-task: a task, or a way to a pool and back, for less work than that costs. The
 * work is estimated (work_estimate.h); where a part of it is not known, there is no finding. Calls
 * that mostly take from a buffer (readdir, fgets) count in loops, where one hop would fetch many.
 */
#include "rules/function_memo.h"
#include "rules/loop_shape.h"
#include "rules/work_estimate.h"

enum { ALONE_FRACTION = 3 }; /* outside of loops only work of a third of the cost is a finding */

static const ast_node *loop_around(rule_cx *cx, const ast_node *n)
{
    for (n = n->parent; n != NULL; n = n->parent) {
        if (tree_is_loop(n) && loop_shape_of(cx, n)->kind != LOOP_ONCE)
            return n;
    }
    return NULL;
}

/* ---- pool hops ---------------------------------------------------------------------------------
 */

static const char waiting_streams[] = "stdin popen fdopen";

/* Does the call read a stream that may have nothing for a long time? */
static bool waits_for_input(rule_cx *cx, const ast_node *call)
{
    for (uint32_t i = 0; i < sema_arg_count(call); i++) {
        strview text = ast_node_text(cx->fn->tree, sema_strip(sema_arg(call, i)));
        if (name_has_word(text, waiting_streams))
            return true;
    }
    return false;
}

/* Runs the call itself instead: only what has nothing to wait for. */
static void add_fix(rule_cx *cx, struct candidate *c, const ast_node *form, const ast_node *call)
{
    const ast_node *await = form->parent;
    while (await != NULL && await->kind == AST_PAREN)
        await = await->parent;
    if (await == NULL || await->kind != AST_AWAIT)
        return;
    rule_fix(cx, c, "call it directly");
    rule_fix_replace(cx, c, await, "%s", sema_text(cx->sema, cx->fn, call, 4096));
}

static void check_pool(rule_cx *cx, const ast_node *form)
{
    const ast_node *call = form->kid_count == 1 ? sema_strip(form->kid[0]) : form;
    if (call->kind != AST_CALL)
        return;
    const ast_node *loop = loop_around(cx, form);
    struct work w = work_of_call(cx, call);
    bool is_buffered = w.cls == WORK_BUFFERED;
    uint64_t limit = loop != NULL ? POOL_COST_NS : POOL_COST_NS / ALONE_FRACTION;
    if (!w.is_known || w.cls > WORK_MEMORY || w.ns >= limit || (is_buffered && loop == NULL) ||
        (is_buffered && waits_for_input(cx, call)) || w.cls == WORK_CALLS)
        return;
    const char *pool = form->op == FORM_COMPUTE ? "compute" : "blocking";
    struct candidate *c = rule_report(
        cx, form, "the way to the %s pool and back costs about %u us, and '%s' %s%s%s; %s", pool,
        POOL_COST_NS / 1000, sema_text(cx->sema, cx->fn, call->kid[0], 40),
        is_buffered ? "mostly takes from a buffer, " : "works for ", work_time_text(cx->mem, w.ns),
        loop != NULL ? ", once an item" : "",
        is_buffered    ? "fetch many items in one job"
        : loop != NULL ? "call it directly, or give the pool a chunk of the loop"
                       : "call it directly");
    if (loop != NULL)
        rule_note(cx, c, loop, "the loop that makes it one hop an item");
    if (!is_buffered)
        add_fix(cx, c, form, call);
    rule_leaf(c, sema_text(cx->sema, cx->fn, call->kid[0], 40));
}

/* ---- tasks -------------------------------------------------------------------------------------
 */

struct await_search {
    bool found;
};

static bool visit_await(void *context, const ast_node *n)
{
    struct await_search *search = context;
    search->found = search->found || n->kind == AST_AWAIT || n->kind == AST_FORM;
    return !search->found;
}

static void check_spawn(rule_cx *cx, const ast_node *form)
{
    const ast_node *call = form->kid_count == 0 ? form : sema_strip(form->kid[form->kid_count - 1]);
    const ast_node *loop = loop_around(cx, form);
    if (call->kind != AST_CALL || loop == NULL)
        return;
    struct sema_function *body = unit_function(cx, sema_callee(cx->sema, cx->fn, call));
    struct await_search awaits = {false};
    if (body == NULL)
        return;
    tree_visit(body->tree->root, visit_await, &awaits);
    struct work w = work_of_function(cx, body);
    if (awaits.found || !w.is_known || w.ns >= TASK_COST_NS || w.cls == WORK_BUFFERED)
        return;
    struct candidate *c = rule_report(
        cx, form,
        "a task costs about %u ns and memory of its own, and '%s' works for %s without ever "
        "waiting, once an item; call a plain function, or give each task a chunk of the loop",
        TASK_COST_NS, sema_text(cx->sema, cx->fn, call->kid[0], 40), work_time_text(cx->mem, w.ns));
    rule_note(cx, c, loop, "the loop that makes it one task an item");
    rule_leaf(c, sema_text(cx->sema, cx->fn, call->kid[0], 40));
}

/* ---- pools of libraries -------------------------------------------------------------------------
 */

struct pool_search {
    rule_cx *cx;
    const ast_node *function; /* of the only g_thread_pool_new; NULL */
    uint32_t count;
};

static bool visit_new_pool(void *context, const ast_node *n)
{
    struct pool_search *search = context;
    rule_cx *cx = search->cx;
    if (n->kind == AST_CALL && sema_arg_count(n) == 5 &&
        sv_is(sema_callee_name(cx->sema, cx->fn, n), "g_thread_pool_new")) {
        search->function = sema_arg(n, 0);
        search->count++;
    }
    return true;
}

/* uv_queue_work(loop, request, work, after); g_thread_pool_push(pool, item, error) where the
 * function makes the pool itself: what runs on it. */
static const ast_node *pool_function(rule_cx *cx, const ast_node *call)
{
    strview name = sema_callee_name(cx->sema, cx->fn, call);
    struct pool_search search = {.cx = cx};
    if (sv_is(name, "uv_queue_work") && sema_arg_count(call) >= 3)
        return sema_arg(call, 2);
    if (!sv_is(name, "g_thread_pool_push"))
        return NULL;
    tree_visit(cx->fn->tree->root, visit_new_pool, &search);
    return search.count == 1 ? search.function : NULL;
}

static void check_queue_work(rule_cx *cx, const ast_node *call)
{
    const ast_node *job = pool_function(cx, call), *loop = loop_around(cx, call);
    if (job == NULL)
        return;
    job = sema_strip(job);
    if (job->kind == AST_UNARY)
        job = sema_strip(job->kid[0]);
    struct sema_function *body =
        job->kind == AST_IDENT ? unit_function(cx, sema_ident_symbol(cx->sema, cx->fn, job)) : NULL;
    if (body == NULL || loop == NULL)
        return;
    struct work w = work_of_function(cx, body);
    if (!w.is_known || w.ns >= POOL_COST_NS || w.cls == WORK_CALLS || w.cls > WORK_MEMORY)
        return;
    struct candidate *c = rule_report(
        cx, call,
        "the way to a pool thread and back costs about %u us, and '%s' works for %s, once an item; "
        "do it here, or queue one job for many items",
        POOL_COST_NS / 1000, sema_text(cx->sema, cx->fn, job, 40), work_time_text(cx->mem, w.ns));
    rule_note(cx, c, loop, "the loop that makes it one job an item");
    rule_leaf(c, sema_text(cx->sema, cx->fn, job, 40));
}

/* ---- all ---------------------------------------------------------------------------------------
 */

static bool visit(void *context, const ast_node *n)
{
    rule_cx *cx = context;
    if (n->kind == AST_CALL)
        check_queue_work(cx, n);
    if (n->kind != AST_FORM)
        return true;
    if (n->op == FORM_BLOCKING || n->op == FORM_COMPUTE)
        check_pool(cx, n);
    else if (n->op == FORM_SPAWN || n->op == FORM_SPAWN_ON || n->op == FORM_SCOPE_SPAWN)
        check_spawn(cx, n);
    return true;
}

static void on_function(rule_cx *cx)
{
    if (ast_may_have(cx->fn->tree, AST_FORM)) {
        tree_visit(cx->fn->tree->root, visit, cx);
        return;
    }
    const struct memo_nodes *calls = calls_of_function(cx, cx->fn);
    for (size_t i = 0; i < calls->all.count; i++)
        check_queue_work(cx, calls->all.at[i]);
}

const struct rule_calls rule_fine_grained_task = {.on_function = on_function};
