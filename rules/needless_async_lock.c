/* SPDX-License-Identifier: MIT */
/*
 * awaitc-needless-async-lock: each call that locks an async mutex of which no section in any
 * source holds an await. A mutex is told by the field or global that it stands in. One that is
 * given to other code (a condition's wait, a function that is not a lock's own) may be held there.
 */
#include <string.h>

#include "analyzer/base/word_set.h"
#include "analyzer/program/lint_settings.h"
#include "rules/lock_sections.h"
#include "rules/suspension.h"

struct search {
    rule_cx *cx;
    lock_unit *unit;
    word_set needed; /* keys of mutexes that hold an await somewhere, or may */
    const fn_view *view;
};

static const char *mark_of(struct search *s, const char *key)
{
    return arena_printf(s->cx->mem, "async-lock-spans %s", key);
}

static void need(struct search *s, const char *key)
{
    if (key == NULL)
        return;
    word_set_add(&s->needed, sv_from(key));
    if (strncmp(key, "l:", 2) != 0)
        rule_mark(s->cx, mark_of(s, key));
}

static void note_held(void *context, const lock_sections *sections, const ast_node *at,
                      uint64_t held)
{
    (void)at;
    struct search *s = context;
    for (size_t i = 0; i < sections->takes.count; i++) {
        if ((held >> i) & 1)
            need(s, sections->takes.at[i].key);
    }
}

/* ---- mutexes in other hands ------------------------------------------------------------------ */

static bool is_mutex_type(const ctype *type)
{
    while (type != NULL && (type->cls == CTYPE_POINTER || type->cls == CTYPE_ARRAY))
        type = type->elem;
    return type != NULL && (sv_is(type->name, "aw_mutex") || sv_is(type->name, "aw_rwlock") ||
                            sv_is(type->name, "CoMutex") || sv_is(type->name, "CoRwlock"));
}

/* Is it the lock's own function: lock, unlock, init, destroy? Waiting on a condition is not. */
static bool is_own_function(const struct search *s, strview name)
{
    const struct known_lock *row = known_lock_find(s->cx->settings->known, name);
    if (row != NULL)
        return row->action != LOCK_WAIT;
    return sv_starts(name, "aw_mutex_") || sv_starts(name, "aw_rwlock_") ||
           sv_starts(name, "qemu_co_mutex_") || sv_starts(name, "qemu_co_rwlock_");
}

static void note_argument(struct search *s, const ast_node *call, const ast_node *arg)
{
    const ast_node *n = path_origin(s->view, arg);
    if (n->kind == AST_UNARY && n->op == OP_ADDR)
        n = sema_strip(n->kid[0]);
    bool is_place = n->kind == AST_MEMBER || n->kind == AST_IDENT || n->kind == AST_INDEX;
    if (is_place && is_mutex_type(sema_type(s->cx->sema, s->view->fn, n)) &&
        !is_own_function(s, sema_callee_name(s->cx->sema, s->view->fn, call)))
        need(s, key_of(s->cx->mem, s->view->uses, n));
}

static void note_calls(struct search *s, const ast_node *n)
{
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] == NULL)
            continue;
        note_calls(s, n->kid[i]);
        if (n->kind == AST_CALL && i != 0)
            note_argument(s, n, n->kid[i]);
    }
}

/* A function that returns with the lock held, and that others can call: they may hold awaits. */
static void note_kept(struct search *s, const lock_sections *sections)
{
    const sema_symbol *symbol = sections->view->fn->symbol;
    for (size_t i = 0; i < sections->effects.count; i++) {
        const struct lock_effect *e = &sections->effects.at[i];
        if (!e->is_release && (symbol == NULL || !symbol->is_static))
            need(s, e->key);
    }
    for (size_t i = 0; sections->passes_on && i < sections->takes.count; i++)
        need(s, sections->takes.at[i].key);
}

/* ---- reports --------------------------------------------------------------------------------- */

static void report(struct search *s, const lock_sections *sections)
{
    for (size_t i = 0; i < sections->takes.count; i++) {
        const struct lock_take *t = &sections->takes.at[i];
        strview name = sema_callee_name(s->cx->sema, sections->view->fn, t->call);
        bool is_direct = known_lock_find(s->cx->settings->known, name) != NULL;
        if (!is_direct || t->key == NULL || t->key[0] == '(' ||
            word_set_find(&s->needed, sv_from(t->key)) != NULL)
            continue;
        rule_cx inner = *s->cx;
        inner.fn = sections->view->fn;
        struct candidate *c = rule_report(
            &inner, t->call,
            "no section of the async lock '%s' holds an await: a plain mutex "
            "(pthread_mutex_lock) does the same without suspending the task, and costs less",
            t->name);
        rule_leaf(c, t->name);
        rule_unless_mark(c, mark_of(s, t->key));
    }
}

static void on_unit(rule_cx *cx)
{
    uint32_t count;
    struct sema_function *const *functions = sema_unit_functions(cx->sema, &count);
    struct search s = {.cx = cx, .unit = lock_unit_new(cx, HELD_ASYNC_LOCK)};
    s.needed = word_set_in(cx->mem);
    bool any = false;
    for (uint32_t i = 0; i < count; i++)
        any = lock_sections_of(s.unit, functions[i])->takes.count != 0 || any;
    for (uint32_t i = 0; any && i < count; i++) {
        const lock_sections *sections = lock_sections_of(s.unit, functions[i]);
        s.view = sections->view;
        lock_each_held(s.unit, functions[i], note_held, &s);
        note_calls(&s, functions[i]->tree->root);
        note_kept(&s, sections);
        for (size_t k = 0; sections->flow == NULL && k < sections->takes.count; k++)
            need(&s, sections->takes.at[k].key);
    }
    for (uint32_t i = 0; any && i < count; i++) {
        if (functions[i]->in_source)
            report(&s, lock_sections_of(s.unit, functions[i]));
    }
}

const struct rule_calls rule_needless_async_lock = {.on_unit = on_unit};
