/* SPDX-License-Identifier: MIT */
/*
 * awaitc-stale-across-await: a pointer is loaded from a field or global before an await and
 * followed behind it, though other functions, of this source or another, give that field other
 * values. Off by
 * default. A reference that is counted, an async lock, and a test against the field make it good.
 */
#include <string.h>

#include "analyzer/base/word_set.h"
#include "analyzer/program/known_locks.h"
#include "analyzer/program/known_owners.h"
#include "analyzer/program/lint_settings.h"
#include "rules/carried_values.h"
#include "rules/name_meanings.h"
#include "rules/suspension.h"

struct writer {
    const char *key;
    struct sema_function *fn;
    const ast_node *at;
};

struct stale {
    rule_cx *cx;
    VEC(struct writer) writers; /* of pointers that stand in fields and globals */
};

/* ---- who writes ------------------------------------------------------------------------------ */

/* Is the object that is written to one that the function has just made? */
static bool is_new_object(const fn_view *v, const ast_node *lvalue)
{
    const ast_node *n = sema_strip(lvalue);
    while (n->kind == AST_MEMBER || n->kind == AST_INDEX)
        n = sema_strip(n->kid[0]);
    if (n->kind != AST_IDENT || n->ref == NULL || n->ref->kind != DECL_VAR)
        return false;
    const struct local_use *use = &v->uses->at[n->ref->id];
    size_t count;
    if (use->value == NULL)
        return true; /* a local structure */
    const ast_node *value = sema_strip(use->value);
    return value->kind == AST_CALL &&
           known_owners_of(v->cx->settings->known, sema_callee_name(v->cx->sema, v->fn, value),
                           &count) != NULL;
}

/* clients[3], w->target[i]: all elements are taken for one. */
static const ast_node *whole(const ast_node *n)
{
    n = sema_strip(n);
    while (n->kind == AST_INDEX)
        n = sema_strip(n->kid[0]);
    return n;
}

static void find_writes(struct stale *s, const fn_view *v, const ast_node *n)
{
    if (n->kind == AST_ASSIGN && n->op == OP_ASSIGN) {
        const ast_node *left = whole(n->kid[0]);
        bool is_shared = (left->kind == AST_MEMBER || left->kind == AST_IDENT) &&
                         sema_type(s->cx->sema, v->fn, n->kid[0])->cls == CTYPE_POINTER &&
                         !is_new_object(v, left);
        const char *key = is_shared ? key_of(s->cx->mem, v->uses, left) : NULL;
        if (key != NULL && strncmp(key, "l:", 2) != 0)
            VEC_PUSH(s->cx->mem, &s->writers, (struct writer){key, v->fn, n});
    }
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            find_writes(s, v, n->kid[i]);
    }
}

static const struct writer *other_writer(const struct stale *s, const char *key,
                                         const struct sema_function *fn)
{
    for (size_t i = 0; i < s->writers.count; i++) {
        const struct writer *w = &s->writers.at[i];
        bool makes = name_tells(w->fn->symbol->name, name_words_of_making);
        if (w->fn != fn && strcmp(w->key, key) == 0 && !makes)
            return w;
    }
    return NULL;
}

static bool is_written_here(const struct stale *s, const char *key)
{
    for (size_t i = 0; i < s->writers.count; i++) {
        if (strcmp(s->writers.at[i].key, key) == 0)
            return true;
    }
    return false;
}

static const char *mark_of(const rule_cx *cx, const char *key)
{
    return arena_printf(cx->mem, "pointer-written %s", key);
}

/* For functions of other sources that load these pointers. */
static void mark_writers(const struct stale *s)
{
    for (size_t i = 0; i < s->writers.count; i++) {
        const struct writer *w = &s->writers.at[i];
        if (!name_tells(w->fn->symbol->name, name_words_of_making))
            rule_mark(s->cx, mark_of(s->cx, w->key));
    }
}

/* ---- sources and uses ------------------------------------------------------------------------ */

static bool source(void *context, const fn_view *v, const ast_node *n, struct carried_source *out)
{
    const struct stale *s = context;
    const ast_node *held = whole(n);
    bool is_shared =
        held->kind == AST_MEMBER ||
        (held->kind == AST_IDENT && sema_ident_symbol(s->cx->sema, v->fn, held) != NULL);
    if (!is_shared || sema_type(s->cx->sema, v->fn, n)->cls != CTYPE_POINTER ||
        path_local_storage(v, n) != NULL || (n->kind != AST_INDEX && n != held))
        return false;
    const char *key = key_of(s->cx->mem, v->uses, held);
    if (key == NULL || strncmp(key, "l:", 2) == 0 ||
        (is_written_here(s, key) && other_writer(s, key, v->fn) == NULL))
        return false;
    out->what = sema_text(s->cx->sema, v->fn, n, 60);
    return true;
}

/* Only what follows the pointer counts. */
static bool is_use(void *context, const fn_view *v, const ast_node *read)
{
    (void)context;
    const ast_node *n = read, *up = read->parent;
    while (up != NULL && (up->kind == AST_PAREN || up->kind == AST_CAST)) {
        n = up;
        up = up->parent;
    }
    if (up == NULL || is_null_test(v, read))
        return false;
    return (up->kind == AST_MEMBER && up->op == OP_ARROW) ||
           (up->kind == AST_INDEX && up->kid[0] == n) ||
           (up->kind == AST_UNARY && up->op == OP_DEREF) ||
           (up->kind == AST_CALL && up->kid[0] != n);
}

static bool is_var(const fn_view *v, const ast_node *n, const char *var)
{
    const char *path = path_raw(v, n);
    return path != NULL && strcmp(path, var) == 0;
}

/* A comparison with the field, or a call that counts a reference. */
static bool renews(void *context, const fn_view *v, const struct tree_item *item, const char *var,
                   const struct carried_source *s)
{
    (void)context;
    const ast_node *n = item->node;
    if (item->kind != TREE_EXPR)
        return false;
    if (n->kind == AST_BINARY && (n->op == OP_EQ || n->op == OP_NE)) {
        const char *field = path_raw(v, s->node);
        return field != NULL && ((is_var(v, n->kid[0], var) && is_var(v, n->kid[1], field)) ||
                                 (is_var(v, n->kid[1], var) && is_var(v, n->kid[0], field)));
    }
    bool is_kept = n->kind == AST_CALL &&
                   name_tells(sema_callee_name(v->cx->sema, v->fn, n), name_words_of_holding);
    for (uint32_t i = 0; is_kept && i < sema_arg_count(n); i++) {
        if (is_var(v, sema_arg(n, i), var))
            return true;
    }
    return false;
}

static void report(void *context, const fn_view *v, const struct carried_source *s,
                   const ast_node *use, const ast_node *await)
{
    const struct stale *stale = context;
    rule_cx inner = *stale->cx;
    inner.fn = v->fn;
    const char *key = key_of(inner.mem, v->uses, whole(s->node));
    const struct writer *w = other_writer(stale, key, v->fn);
    if (use == NULL)
        return;
    const char *who = w == NULL ? "a function of another source"
                                : arena_printf(inner.mem, "'%.*s'", SV_ARG(w->fn->symbol->name));
    struct candidate *c = rule_report(
        &inner, use,
        "this pointer was loaded from '%s' in front of an await, and may be stale by now: %s "
        "changes the field; load it again behind the await, or hold a reference",
        s->what, who);
    if (w == NULL)
        rule_needs_mark(c, mark_of(&inner, key));
    rule_leaf(c, s->what);
    rule_note(&inner, c, s->node, "loaded here");
    if (await != NULL)
        rule_note(&inner, c, await, "other tasks may run here");
    if (w != NULL)
        rule_note_at(&inner, c, sema_place(inner.sema, w->fn, w->at), NULL,
                     "and the field changes here");
}

/* ---- the unit -------------------------------------------------------------------------------- */

static bool takes_async_lock(const fn_view *v, const ast_node *n)
{
    if (n->kind == AST_CALL) {
        strview name = sema_callee_name(v->cx->sema, v->fn, n);
        const struct known_lock *row =
            name.len == 0 ? NULL : known_lock_find(v->cx->settings->known, name);
        if (row != NULL && row->kind == LOCK_ASYNC)
            return true;
    }
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && takes_async_lock(v, n->kid[i]))
            return true;
    }
    return false;
}

static void on_unit(rule_cx *cx)
{
    uint32_t count;
    struct sema_function *const *functions = sema_unit_functions(cx->sema, &count);
    struct stale s = {.cx = cx};
    fn_view **views = ARENA_ARRAY(cx->mem, fn_view *, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        views[i] = fn_view_new(cx, functions[i]);
        if (functions[i]->symbol != NULL)
            find_writes(&s, views[i], functions[i]->tree->root);
    }
    mark_writers(&s);
    for (uint32_t i = 0; i < count; i++) {
        if (!functions[i]->in_source || !function_suspends(cx, functions[i]) ||
            takes_async_lock(views[i], functions[i]->tree->root))
            continue;
        struct carried_rules rules = {
            .source = source, .is_use = is_use, .renews = renews, .report = report, .context = &s};
        carried_values_check(views[i], &rules);
    }
}

const struct rule_calls rule_stale_across_await = {.on_unit = on_unit};
