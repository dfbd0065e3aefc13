/* SPDX-License-Identifier: MIT */
/*
 * awaitc-blocking-pool-size: jobs that wait by design (for a child, a condition, a peer, for ever)
 * hold a thread of the shared pool each. Found where a loop starts tasks or jobs of that kind
 * without limit, and at aw_config fields that give the pool fewer threads than such jobs of the
 * unit wait on at once.
 */
#include "analyzer/program/known_blocking.h"
#include "analyzer/program/lint_settings.h"
#include "rules/intake.h"
#include "rules/relay_writes.h"
#include "rules/work_estimate.h"

enum { MAX_CALL_DEPTH = 3, UV_THREADS = 4, DEFAULT_THREADS = 512 };

/* ---- jobs that wait
 * ------------------------------------------------------------------------------ */

static const char waits[] =
    "wait sleep listen join watch follow tail serve monitor subscribe session forever poll";

struct wait_search {
    rule_cx *cx;
    unsigned depth;
    const ast_node *found;
};

static bool waits_long(rule_cx *cx, const ast_node *call, unsigned depth);

static const unsigned by_design =
    REASON_SLEEP | REASON_LOCK | REASON_WAIT_CHILD | REASON_WAIT_EVENT | REASON_IPC;

/* while (!p->stop && ...): does something that the loop leaves as it is end it? */
static bool asks_for_stop(rule_cx *cx, const struct loop_shape *s)
{
    for (size_t i = 0; i < s->condition_count; i++) {
        const ast_node *n = sema_strip(s->exits.all.at[i]);
        bool is_shared = n->kind == AST_MEMBER || (n->kind == AST_IDENT && n->ref == NULL);
        if (is_shared && loop_step_of(cx, s, n) == NULL)
            return true;
    }
    return false;
}

/* An endless loop, or one that serves a peer by blocking calls. */
static bool is_long_loop(rule_cx *cx, const ast_node *loop)
{
    const struct loop_shape *s = loop_shape_of(cx, loop);
    if (s->kind == LOOP_ENDLESS)
        return true;
    for (size_t i = 0; i < s->exits.all.count; i++) {
        const ast_node *call = loop_exit_call(cx, s, s->exits.all.at[i]);
        strview name = {"", 0};
        if (call != NULL && call->kind == AST_CALL)
            name = sema_callee_name(cx->sema, cx->fn, call);
        bool is_read = sv_is(name, "read") || sv_is(name, "readv") || sv_is(name, "getline");
        if ((is_read && asks_for_stop(cx, s)) || sv_is(name, "recv") || sv_is(name, "recvmsg") ||
            sv_is(name, "recvfrom") || sv_is(name, "accept") || sv_is(name, "accept4"))
            return true;
    }
    return false;
}

static bool visit_wait(void *context, const ast_node *n)
{
    struct wait_search *search = context;
    if (search->found != NULL)
        return false;
    if (tree_is_loop(n) && is_long_loop(search->cx, n))
        search->found = n;
    else if (n->kind == AST_CALL && waits_long(search->cx, n, search->depth))
        search->found = n;
    return true;
}

static bool function_waits(rule_cx *cx, struct sema_function *fn, unsigned depth)
{
    rule_cx inner = *cx;
    inner.fn = fn;
    struct wait_search search = {.cx = &inner, .depth = depth};
    tree_visit(fn->tree->root, visit_wait, &search);
    return search.found != NULL;
}

static bool term_holds(rule_cx *cx, const ast_node *call, const struct guard_term *t)
{
    bool is_plain =
        t->arg >= 0 && (uint32_t)t->arg < sema_arg_count(call) && !t->pointee && t->field.len == 0;
    int64_t value;
    if (!is_plain || !sema_constant(cx->sema, cx->fn, sema_arg(call, (uint32_t)t->arg), &value))
        return false;
    for (uint32_t i = 0; i < t->value_count; i++) {
        int64_t wanted = t->values[i].number;
        bool is_number = t->values[i].kind == GUARD_VALUE_NUMBER;
        if (is_number && t->kind == GUARD_ARG_EQ && value == wanted)
            return true;
        if (!is_number || (value & wanted) != wanted)
            return false;
    }
    return t->kind == GUARD_ARG_FLAG_SET;
}

/* Do constants among the arguments rule the wait out: WNOHANG, LOCK_NB, a time-out of 0? */
static bool is_quick(rule_cx *cx, const ast_node *call, const struct guard *when)
{
    for (uint32_t i = 0; i < when->count; i++) {
        const struct guard_alternative *a = &when->alternatives[i];
        bool holds = a->count != 0;
        for (uint32_t k = 0; k < a->count && holds; k++)
            holds = term_holds(cx, call, &a->terms[k]);
        if (holds)
            return true;
    }
    return false;
}

static bool waits_long(rule_cx *cx, const ast_node *call, unsigned depth)
{
    strview name = sema_callee_name(cx->sema, cx->fn, call);
    struct sema_function *body = unit_function(cx, sema_callee(cx->sema, cx->fn, call));
    const struct known_blocking *row = known_blocking_find(cx->settings->known, name);
    if (body != NULL)
        return depth < MAX_CALL_DEPTH && function_waits(cx, body, depth + 1);
    if (row != NULL)
        return row->tier == TIER_WAITS && (row->reasons & by_design) != 0 &&
               !is_quick(cx, call, &row->guard);
    return depth == 0 && name_has_word(name, waits);
}

/* ---- forms in a function
 * -------------------------------------------------------------------------- */

struct pool_search {
    rule_cx *cx;
    enum ast_form pool;
    unsigned depth;
    uint32_t at_once;    /* jobs that wait in one statement, the most */
    const ast_node *job; /* the first form whose job waits */
};

struct form_count {
    struct pool_search *search;
    uint32_t count;
};

static struct pool_search jobs_of(const rule_cx *cx, struct sema_function *fn, rule_cx *inner,
                                  enum ast_form pool, unsigned depth);

/* Adds the jobs of an async function that the await runs, too. */
static void add_callee(struct form_count *c, const ast_node *call)
{
    rule_cx *cx = c->search->cx, inner;
    const sema_symbol *callee = sema_callee(cx->sema, cx->fn, call);
    struct sema_function *body = unit_function(cx, callee);
    if (body == NULL || body == cx->fn || !body->tree->is_async ||
        c->search->depth >= MAX_CALL_DEPTH)
        return;
    struct pool_search below = jobs_of(cx, body, &inner, c->search->pool, c->search->depth + 1);
    c->count += below.at_once;
    if (below.at_once != 0 && c->search->job == NULL)
        c->search->job = call;
}

static bool visit_pool_form(void *context, const ast_node *n)
{
    struct form_count *c = context;
    rule_cx *cx = c->search->cx;
    if (is_spawn(n))
        return false; /* counted where it runs */
    if (n->kind == AST_CALL && !tree_is_on_pool(n))
        add_callee(c, n);
    if (n->kind != AST_FORM || n->op != c->search->pool || n->kid_count != 1)
        return true;
    const ast_node *call = sema_strip(n->kid[0]);
    if (call->kind != AST_CALL || !waits_long(cx, call, 0))
        return true;
    c->count++;
    if (c->search->job == NULL)
        c->search->job = n;
    return true;
}

static bool visit_await(void *context, const ast_node *n)
{
    struct pool_search *search = context;
    struct form_count c = {.search = search};
    if (n->kind != AST_AWAIT)
        return true;
    tree_visit(n, visit_pool_form, &c);
    if (c.count > search->at_once)
        search->at_once = c.count;
    return false;
}

/* How many waiting jobs one run of the function has on the pool at once. */
static struct pool_search jobs_of(const rule_cx *cx, struct sema_function *fn, rule_cx *inner,
                                  enum ast_form pool, unsigned depth)
{
    *inner = *cx;
    inner->fn = fn;
    struct pool_search search = {.cx = inner, .pool = pool, .depth = depth};
    tree_visit(fn->tree->root, visit_await, &search);
    return search;
}

/* ---- how often a function is started
 * ---------------------------------------------------------------- */

struct start_search {
    rule_cx *cx;
    const sema_symbol *callee;
    uint64_t runs;   /* at once, as far as can be told */
    bool is_awaited; /* by an async function, for which its jobs count */
};

static uint64_t rounds_around(rule_cx *cx, const ast_node *n)
{
    uint64_t rounds = 1;
    for (n = n->parent; n != NULL; n = n->parent) {
        if (!tree_is_loop(n))
            continue;
        uint64_t here = loop_shape_of(cx, n)->rounds;
        rounds = here > UINT32_MAX || rounds > UINT32_MAX ? UINT64_MAX : rounds * here;
    }
    return rounds;
}

static bool visit_awaited(void *context, const ast_node *n)
{
    struct start_search *search = context;
    if (n->kind == AST_CALL && sema_callee(search->cx->sema, search->cx->fn, n) == search->callee)
        search->is_awaited = true;
    return !is_spawn(n);
}

static bool visit_start(void *context, const ast_node *n)
{
    struct start_search *search = context;
    const ast_node *call = is_spawn(n) ? spawned_call(n) : NULL;
    if (n->kind == AST_AWAIT && search->cx->fn->tree->is_async) {
        const ast_node *awaited = sema_strip(n->kid[0]);
        tree_visit(awaited, visit_awaited, search);
    }
    if (call == NULL || sema_callee(search->cx->sema, search->cx->fn, call) != search->callee)
        return true;
    uint64_t rounds = rounds_around(search->cx, n);
    int64_t limit;
    if (n->op == FORM_SCOPE_SPAWN && scope_limit(search->cx, n, &limit) && limit > 0 &&
        (uint64_t)limit < rounds)
        rounds = (uint64_t)limit;
    search->runs = rounds == UINT64_MAX ? rounds : search->runs + rounds;
    return true;
}

/* How many of the function are started at once; 0: only where others await it. */
static uint64_t runs_of(const rule_cx *cx, const sema_symbol *callee)
{
    uint32_t count;
    struct sema_function *const *all = sema_unit_functions(cx->sema, &count);
    struct start_search search = {.callee = callee};
    for (uint32_t i = 0; i < count && search.runs != UINT64_MAX; i++) {
        rule_cx inner = *cx;
        inner.fn = all[i];
        search.cx = &inner;
        if (all[i]->in_source)
            tree_visit(all[i]->tree->root, visit_start, &search);
    }
    return search.runs == 0 && !search.is_awaited ? 1 : search.runs;
}

/* ---- the field
 * --------------------------------------------------------------------------------------- */

struct demand {
    uint64_t jobs;
    struct sema_function *fn; /* with a job, for a note */
    const ast_node *job;
    uint64_t runs;
};

static struct demand demand_of(const rule_cx *cx, enum ast_form pool)
{
    uint32_t count;
    struct sema_function *const *all = sema_unit_functions(cx->sema, &count);
    struct demand d = {0};
    for (uint32_t i = 0; i < count; i++) {
        rule_cx inner;
        struct pool_search search = {0};
        if (all[i]->in_source)
            search = jobs_of(cx, all[i], &inner, pool, 0);
        if (search.at_once == 0)
            continue;
        uint64_t runs = runs_of(cx, all[i]->symbol);
        uint64_t jobs = runs == UINT64_MAX ? runs : runs * search.at_once;
        d.jobs = jobs == UINT64_MAX || d.jobs == UINT64_MAX ? UINT64_MAX : d.jobs + jobs;
        if (d.job == NULL || jobs > d.runs) {
            d.fn = all[i];
            d.job = search.job;
            d.runs = jobs;
        }
    }
    return d;
}

static void check_field(rule_cx *cx, const ast_node *at, strview field, const ast_node *value)
{
    int64_t threads;
    bool is_blocking = sv_is(field, "max_blocking_threads");
    if ((!is_blocking && !sv_is(field, "compute_threads")) ||
        !sema_constant(cx->sema, cx->fn, value, &threads) || threads <= 0)
        return;
    struct demand d = demand_of(cx, is_blocking ? FORM_BLOCKING : FORM_COMPUTE);
    if (d.jobs <= (uint64_t)threads)
        return;
    const char *jobs = d.jobs == UINT64_MAX
                           ? "any number of jobs"
                           : arena_printf(cx->mem, "%llu jobs", (unsigned long long)d.jobs);
    struct candidate *c = rule_report(
        cx, at,
        "the pool gets %lld thread%s, but %s that wait by design can be on it at once: the rest "
        "stands behind them, and if they wait for each other, for ever; raise the number, or wait "
        "by an await instead of on a thread",
        (long long)threads, threads == 1 ? "" : "s", jobs);
    rule_note_at(cx, c, sema_place(cx->sema, d.fn, d.job),
                 arena_printf(cx->mem, "%.*s", SV_ARG(d.fn->tree->name)),
                 "a job that holds its thread while it waits");
    rule_leaf(c, arena_printf(cx->mem, "%.*s", SV_ARG(field)));
}

/* ---- the spawn
 * ---------------------------------------------------------------------------------------- */

static bool is_unlimited(rule_cx *cx, const ast_node *at, uint64_t threads)
{
    for (const ast_node *n = at->parent; n != NULL; n = n->parent) {
        if (!tree_is_loop(n))
            continue;
        const struct loop_shape *s = loop_shape_of(cx, n);
        if (s->kind == LOOP_ONCE || s->rounds <= threads)
            continue;
        if (s->kind == LOOP_COUNTED)
            return !s->is_limited;
        return !s->is_limited && !loop_is_held_back(cx, s);
    }
    return false;
}

static void check_spawn(rule_cx *cx, const ast_node *form)
{
    const ast_node *call = spawned_call(form);
    struct sema_function *body =
        call == NULL ? NULL : unit_function(cx, sema_callee(cx->sema, cx->fn, call));
    int64_t limit = 0;
    rule_cx inner;
    if (body == NULL ||
        (form->op == FORM_SCOPE_SPAWN && (!scope_limit(cx, form, &limit) || limit != 0)))
        return;
    struct pool_search search = jobs_of(cx, body, &inner, FORM_BLOCKING, 0);
    if (search.at_once == 0 || unit_limits_tasks(cx) || !is_unlimited(cx, form, DEFAULT_THREADS))
        return;
    struct candidate *c = rule_report(
        cx, form,
        "nothing limits how many tasks '%.*s' run, and each holds a thread of the blocking pool "
        "while it waits: above max_blocking_threads everything else that needs the pool stands; "
        "limit them with an aw_scope, or wait by an await instead of on a thread",
        SV_ARG(body->tree->name));
    rule_note_at(cx, c, sema_place(cx->sema, body, search.job),
                 arena_printf(cx->mem, "%.*s", SV_ARG(body->tree->name)),
                 "the job that holds a thread");
    rule_leaf(c, arena_printf(cx->mem, "%.*s", SV_ARG(body->tree->name)));
}

/* for (;;) { ... sleep(1) ... } */
static bool visit_long_loop(void *context, const ast_node *n)
{
    struct wait_search *search = context;
    if (!tree_is_loop(n))
        return search->found == NULL;
    const ast_node *condition = tree_loop_condition(n);
    int64_t value;
    bool is_open =
        condition == NULL || sema_constant(search->cx->sema, search->cx->fn, condition, &value);
    if (is_long_loop(search->cx, n) || (is_open && loop_shape_of(search->cx, n)->kind != LOOP_ONCE))
        search->found = n;
    return search->found == NULL;
}

/* Is the job queued by a callback of a connection, each time anew, and does it go on for as long as
 * that lasts? */
static bool is_each_event(rule_cx *cx, struct sema_function *job)
{
    struct loop_shape s = body_shape(cx);
    rule_cx inner = *cx;
    inner.fn = job;
    struct wait_search search = {.cx = &inner};
    tree_visit(job->tree->root, visit_long_loop, &search);
    return search.found != NULL && !cx->fn->tree->is_async && cx->fn->tree->params.count == 2 &&
           is_uv_stream(cx, cx->fn->tree->params.at[0]) && !loop_is_held_back(cx, &s);
}

/* uv_queue_work of a job that waits: in a loop, or for each event. */
static void check_queue_work(rule_cx *cx, const ast_node *call)
{
    if (!sv_is(sema_callee_name(cx->sema, cx->fn, call), "uv_queue_work") ||
        sema_arg_count(call) < 3)
        return;
    const ast_node *job = sema_strip(sema_arg(call, 2));
    if (job->kind == AST_UNARY)
        job = sema_strip(job->kid[0]);
    struct sema_function *body =
        job->kind == AST_IDENT ? unit_function(cx, sema_ident_symbol(cx->sema, cx->fn, job)) : NULL;
    bool is_each = rounds_around(cx, call) == 1;
    if (body == NULL || !function_waits(cx, body, 0) ||
        (is_each ? !is_each_event(cx, body) : !is_unlimited(cx, call, UV_THREADS)))
        return;
    struct candidate *c = rule_report(
        cx, call,
        "nothing limits how many jobs '%.*s' are queued, and each waits on one of the pool's few "
        "threads (4 unless UV_THREADPOOL_SIZE says otherwise): file and name lookups of the whole "
        "program stand behind them; give long waits threads of their own",
        SV_ARG(body->tree->name));
    rule_leaf(c, arena_printf(cx->mem, "%.*s", SV_ARG(body->tree->name)));
    if (is_each)
        rule_needs_near_loop(cx, c);
}

/* ---- all
 * -----------------------------------------------------------------------------------------------
 */

static bool visit(void *context, const ast_node *n)
{
    rule_cx *cx = context;
    const ast_node *left = n->kind == AST_ASSIGN ? sema_strip(n->kid[0]) : NULL;
    if (left != NULL && left->kind == AST_MEMBER && n->op == OP_ASSIGN)
        check_field(cx, n, ast_token_text(cx->fn->tree, left->name_token), n->kid[1]);
    if (n->kind == AST_DESIGNATED && n->kid_count == 2 && n->kid[0]->kind == AST_DESIG_FIELD)
        check_field(cx, n, ast_token_text(cx->fn->tree, n->kid[0]->name_token), n->kid[1]);
    if (is_spawn(n))
        check_spawn(cx, n);
    if (n->kind == AST_CALL)
        check_queue_work(cx, n);
    return true;
}

static void check_tree(rule_cx *cx, const ast_node *n, void *context)
{
    (void)context;
    tree_visit(n, visit, cx);
}

static void on_unit(rule_cx *cx)
{
    unit_each_tree(cx, check_tree, NULL);
}

const struct rule_calls rule_blocking_pool_size = {.on_unit = on_unit};
