/* SPDX-License-Identifier: MIT */
/*
 * awaitc-busy-wait: a loop that does nothing but test something that others change, and yield or
 * sleep until they have. It burns its worker, or is late by the length of its sleep. A loop that
 * does work of its own in each round (a ticker, a retry) is none, nor is one that waits to be
 * woken.
 */
#include "analyzer/program/value_of.h"
#include "rules/loop_shape.h"
#include "rules/work_estimate.h"

enum { MAX_CALL_DEPTH = 2 };

struct waiting {
    rule_cx *cx;
    const struct loop_shape *s;
    const ast_node *wait; /* the first AST_AWAIT or CALL that only passes time; NULL: it spins */
    bool is_sleep;
};

static const char tests[] = "is has was empty full len length count size ready done pending peek "
                            "state status closed load busy idle alive running stopped connected "
                            "avail available used finished get locked trylock test contains depth";
static const char works[] =
    "connect send write open fetch request attempt start submit step process "
    "handle run resume flush reload download upload login ping";

/* ---- what only looks ---------------------------------------------------------------------------
 */

static bool is_local(const ast_node *lvalue)
{
    if (lvalue->kind == AST_DECLARATOR)
        return true;
    return lvalue->kind == AST_IDENT && lvalue->ref != NULL &&
           lvalue->ref->storage != STORAGE_STATIC && lvalue->ref->storage != STORAGE_EXTERN;
}

struct look {
    rule_cx *cx;
    unsigned depth;
    bool is_pure;
};

static bool only_looks(rule_cx *cx, const ast_node *call, unsigned depth);

static bool visit_look(void *context, const ast_node *n)
{
    struct look *look = context;
    bool changes = n->kind == AST_ASSIGN || n->kind == AST_PREFIX || n->kind == AST_POSTFIX;
    if (changes && !is_local(sema_strip(n->kid[0])))
        look->is_pure = false;
    if (n->kind == AST_AWAIT || n->kind == AST_FORM || n->kind == AST_ASM)
        look->is_pure = false;
    if (n->kind == AST_CALL && !only_looks(look->cx, n, look->depth))
        look->is_pure = false;
    return look->is_pure;
}

static bool only_looks(rule_cx *cx, const ast_node *call, unsigned depth)
{
    strview name = sema_callee_name(cx->sema, cx->fn, call);
    struct sema_function *body = unit_function(cx, sema_callee(cx->sema, cx->fn, call));
    if (sema_call_is_async(cx->sema, cx->fn, call) || name.len == 0)
        return false;
    if (sv_starts(name, "__atomic_load") || sv_starts(name, "atomic_load") ||
        sv_starts(name, "__atomic_compare") || sv_is(name, "__errno_location"))
        return true;
    if (body != NULL && depth < MAX_CALL_DEPTH) {
        rule_cx inner = *cx;
        inner.fn = body;
        struct look look = {.cx = &inner, .depth = depth + 1, .is_pure = true};
        tree_visit(body->tree->root, visit_look, &look);
        return look.is_pure || name_has_word(name, "try");
    }
    if (work_of_call(cx, call).cls == WORK_TRIVIAL)
        return name_has_word(name, "str memcmp memchr now time clock gettimeofday aw_now");
    return (name_has_word(name, tests) ||
            name_has_word(name, "try kill waitpid access pop recv")) &&
           !name_has_word(name, works);
}

/* ---- what passes time --------------------------------------------------------------------------
 */

static bool passes_time(rule_cx *cx, const ast_node *call, bool *is_sleep)
{
    strview name = sema_callee_name(cx->sema, cx->fn, call);
    *is_sleep = sv_starts(name, "aw_sleep_");
    return *is_sleep || sv_is(name, "aw_yield");
}

static bool only_spins(rule_cx *cx, const ast_node *call)
{
    strview name = sema_callee_name(cx->sema, cx->fn, call);
    return sv_is(name, "sched_yield") || sv_is(name, "pthread_yield") ||
           sv_is(name, "thrd_yield") || sv_is(name, "__builtin_ia32_pause") ||
           sv_is(name, "_mm_pause") || name_has_word(name, "cpu_relax cpu_pause");
}

/* A lock around the look. */
static bool only_locks(rule_cx *cx, const ast_node *call)
{
    strview name = sema_callee_name(cx->sema, cx->fn, call);
    return name_has_word(name, "mutex spin rwlock") && name_has_word(name, "lock unlock rdlock");
}

/* Does every call of the loop wait or look? Finds the first that waits. */
static bool calls_nothing_else(struct waiting *w)
{
    const struct loop_shape *s = w->s;
    rule_cx *cx = w->cx;
    for (size_t i = 0; i < s->awaits.count; i++) {
        const ast_node *call = sema_strip(s->awaits.at[i]->kid[0]);
        bool is_sleep;
        if (call->kind == AST_CALL && only_locks(cx, call))
            continue;
        if (call->kind != AST_CALL || !passes_time(cx, call, &is_sleep))
            return false;
        if (w->wait == NULL)
            w->wait = s->awaits.at[i];
        w->is_sleep = w->is_sleep || is_sleep;
    }
    for (size_t i = 0; i < s->calls.count; i++) {
        const ast_node *call = s->calls.at[i];
        bool is_sleep, is_wait = passes_time(cx, call, &is_sleep);
        if (!is_wait && only_spins(cx, call) && w->wait == NULL)
            w->wait = call;
        if (!is_wait && !only_spins(cx, call) && !only_locks(cx, call) && !only_looks(cx, call, 0))
            return false;
    }
    return true;
}

static bool changes_locals_only(const struct waiting *w)
{
    const struct loop_shape *s = w->s;
    for (size_t i = 0; i < s->steps.count; i++) {
        if (s->steps.at[i].kind != STEP_PASSED && !is_local(s->steps.at[i].lvalue))
            return false;
    }
    return true;
}

/* ---- what is waited for ------------------------------------------------------------------------
 */

struct shared_search {
    const struct waiting *w;
    bool found;
};

static bool is_shared_name(const struct waiting *w, const ast_node *n)
{
    rule_cx *cx = w->cx;
    const sema_symbol *symbol = sema_ident_symbol(cx->sema, cx->fn, n);
    if (symbol != NULL)
        return symbol->kind == SYMBOL_VARIABLE;
    if (n->ref == NULL || (n->ref->kind != DECL_VAR && n->ref->kind != DECL_PARAM))
        return false;
    if (n->ref->storage == STORAGE_STATIC)
        return true;
    const struct local_uses *uses = local_uses_of(cx->mem, cx->sema, cx->fn);
    return uses->at[n->ref->id].address_taken && loop_step_of(cx, w->s, n) == NULL;
}

static bool visit_shared(void *context, const ast_node *n)
{
    struct shared_search *search = context;
    const struct waiting *w = search->w;
    bool derefs = (n->kind == AST_MEMBER && n->op == OP_ARROW) ||
                  (n->kind == AST_UNARY && n->op == OP_DEREF) || n->kind == AST_INDEX;
    bool is_clock =
        n->kind == AST_CALL &&
        name_has_word(sema_callee_name(w->cx->sema, w->cx->fn, n), "now time clock gettimeofday");
    if (is_clock)
        return false;
    if (derefs || (n->kind == AST_CALL && !only_spins(w->cx, n) && !only_locks(w->cx, n)) ||
        (n->kind == AST_IDENT && is_shared_name(w, n)))
        search->found = true;
    return !search->found;
}

static bool visit_moved(void *context, const ast_node *n)
{
    struct shared_search *search = context;
    if (n->kind != AST_IDENT || !is_local(n) || is_shared_name(search->w, n))
        return true;
    const struct loop_step *step = loop_step_of(search->w->cx, search->w->s, n);
    search->found =
        search->found || (step != NULL && (step->kind == STEP_UP || step->kind == STEP_DOWN));
    return !search->found;
}

/* Does a term ask for something that the loop itself counts on: fits(nonce), used[id]? Then it
 * searches. */
static bool is_searched(const struct waiting *w, const ast_node *term)
{
    struct shared_search search = {.w = w};
    tree_visit(term, visit_moved, &search);
    return search.found;
}

/* Is what ends the loop in the hands of others? The term, NULL: it is not. */
static const ast_node *shared_term(const struct waiting *w)
{
    const struct loop_shape *s = w->s;
    for (size_t i = 0; i < s->exits.all.count; i++) {
        const ast_node *term = s->exits.all.at[i];
        struct shared_search search = {.w = w};
        if (is_searched(w, term))
            continue;
        tree_visit(term, visit_shared, &search);
        const struct loop_step *step = NULL;
        const ast_node *x = tree_is_comparison(term) ? sema_strip(term->kid[0]) : term;
        if (!search.found && x->kind == AST_IDENT)
            step = loop_step_of(w->cx, s, x);
        if (step != NULL && step->kind == STEP_SET)
            tree_visit(step->value, visit_shared, &search);
        if (search.found)
            return term;
    }
    return NULL;
}

/* ---- the finding -------------------------------------------------------------------------------
 */

/* A loop without any wait spins; then only one that tests a flag, and nothing that it moves on. */
static bool spins(const struct waiting *w)
{
    const struct loop_shape *s = w->s;
    const ast_node *body = tree_loop_body(s->loop);
    for (size_t i = 0; i < s->calls.count; i++) {
        strview name = sema_callee_name(w->cx->sema, w->cx->fn, s->calls.at[i]);
        if (!sv_starts(name, "__atomic_load") && !sv_starts(name, "atomic_load") &&
            !name_has_word(name, tests))
            return false;
    }
    for (size_t i = 0; i < s->steps.count; i++) {
        bool is_own =
            s->steps.at[i].kind == STEP_PASSED || s->steps.at[i].lvalue->kind == AST_DECLARATOR;
        if (!is_own) /* what a macro declares for itself */
            return false;
    }
    bool is_empty =
        body->kind == AST_NULL_STMT || (body->kind == AST_COMPOUND && body->kid_count == 0);
    return is_empty &&
           (s->kind == LOOP_OTHER || s->kind == LOOP_ITERATES || s->kind == LOOP_EMPTIES);
}

static void check_loop(rule_cx *cx, const ast_node *loop)
{
    struct waiting w = {.cx = cx, .s = loop_shape_of(cx, loop)};
    if (w.s->inner.count != 0 || w.s->kind == LOOP_ONCE || !calls_nothing_else(&w) ||
        !changes_locals_only(&w))
        return;
    const ast_node *term = shared_term(&w);
    if (term == NULL || (w.wait == NULL && !spins(&w)))
        return;
    bool is_async = cx->fn->tree->is_async;
    struct candidate *c = rule_report(
        cx, w.wait != NULL ? w.wait : loop,
        "this loop only %s until '%s' changes: %s; let whoever changes it wake the waiter: %s",
        w.wait == NULL ? "spins"
        : w.is_sleep   ? "sleeps"
                       : "yields",
        sema_text(cx->sema, cx->fn, term, 60),
        w.is_sleep ? "it wakes up for nothing, and notices late"
                   : "it burns a core and keeps others waiting",
        is_async ? "aw_notify, aw_event, or aw_park with aw_wake"
                 : "an event, a callback, or a condition variable on a thread of its own");
    if (w.wait != NULL)
        rule_note(cx, c, term, "what it waits for");
    rule_needs_loop(cx, c);
}

static void on_function(rule_cx *cx)
{
    struct loop_list loops = loops_of_function(cx);
    for (size_t i = 0; i < loops.all.count; i++)
        check_loop(cx, loops.all.at[i]);
}

const struct rule_calls rule_busy_wait = {.on_function = on_function};
