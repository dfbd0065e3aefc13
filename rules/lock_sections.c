/* SPDX-License-Identifier: MIT */
/*
 * One pass over a function's calls finds what takes and releases; worlds.h tells what is held
 * where. Releases name the same path as their take; if none does, the same key (`a->mu` through
 * another pointer). A function's effect on its callers is read off its exit: what is held there on
 * all ways, or exactly on those whose result has certain signs.
 */
#include "rules/lock_sections.h"

#include <string.h>

#include "analyzer/program/lint_settings.h"
#include "rules/suspension.h"
#include "rules/tree_terms.h"

enum { MAX_TAKES = 40, FIRST_RELEASE = 40 };

struct lock_unit {
    rule_cx *cx;
    enum held_class cls;
    lock_sections **of; /* [function] */
    bool *busy;         /* [function] */
};

lock_unit *lock_unit_new(rule_cx *cx, enum held_class cls)
{
    uint32_t count;
    lock_unit *u = ARENA_NEW(cx->mem, lock_unit);
    u->cx = cx;
    u->cls = cls;
    sema_unit_functions(cx->sema, &count);
    u->of = ARENA_ARRAY(cx->mem, lock_sections *, count + 1);
    u->busy = ARENA_ARRAY(cx->mem, bool, count + 1);
    return u;
}

static bool same(const char *a, const char *b)
{
    return a != NULL && b != NULL && strcmp(a, b) == 0;
}

/* ---- what calls do --------------------------------------------------------------------------- */

static enum held_class class_of(const struct known_lock *row)
{
    return row->kind == LOCK_ASYNC ? HELD_ASYNC_LOCK : HELD_THREAD_LOCK;
}

static uint8_t signs_of_success(enum lock_success success)
{
    return success == LOCK_IF_ZERO      ? SIGN_ZERO
           : success == LOCK_IF_NONZERO ? SIGN_NEGATIVE | SIGN_POSITIVE
                                        : SIGN_ANY;
}

static uint8_t signs_of_pair(enum lint_pair_fails fails)
{
    switch (fails) {
    case PAIR_FAILS_NONZERO:
        return SIGN_ZERO;
    case PAIR_FAILS_NEGATIVE:
        return SIGN_ZERO | SIGN_POSITIVE;
    case PAIR_FAILS_NULL:
        return SIGN_POSITIVE | SIGN_NEGATIVE;
    case PAIR_NEVER_FAILS:
        break;
    }
    return SIGN_ANY;
}

/* The lock without & in front: as people name it. */
static const char *lock_text(const fn_view *v, const ast_node *arg)
{
    const ast_node *n = sema_strip(arg);
    if (n->kind == AST_UNARY && n->op == OP_ADDR)
        n = n->kid[0];
    return sema_text(v->cx->sema, v->fn, n, 60);
}

static const char *key_of_lock(const fn_view *v, const ast_node *arg)
{
    const ast_node *n = path_origin(v, arg);
    if (n->kind == AST_UNARY && n->op == OP_ADDR)
        n = sema_strip(n->kid[0]);
    const char *key = key_of(v->cx->mem, v->uses, n);
    return key != NULL && key[0] == 'l' && key[1] == ':' ? NULL : key;
}

/* What a call's result is given to: `x = call`, `T x = call`. */
static const char *target_path(const fn_view *v, const ast_node *call)
{
    const ast_node *below = call, *n = call->parent;
    while (n != NULL && (n->kind == AST_PAREN || n->kind == AST_CAST || n->kind == AST_AWAIT)) {
        below = n;
        n = n->parent;
    }
    if (n == NULL)
        return NULL;
    if (n->kind == AST_ASSIGN && n->op == OP_ASSIGN && n->kid[1] == below)
        return path_raw(v, n->kid[0]);
    if (n->kind == AST_DECLARATOR && n->ref != NULL && n->kid[n->kid_count - 1] == below)
        return path_of_decl(v, n->ref);
    return NULL;
}

static void add_take(lock_sections *s, const struct lock_take *take)
{
    if (s->takes.count < MAX_TAKES)
        VEC_PUSH(s->view->cx->mem, &s->takes, *take);
}

static void add_lock_call(lock_unit *u, lock_sections *s, const ast_node *call,
                          const struct known_lock *row)
{
    const fn_view *v = s->view;
    bool has_arg = row->lock.kind != PLACE_NONE && row->lock.arg >= 0 &&
                   (uint32_t)row->lock.arg < sema_arg_count(call);
    const ast_node *arg = has_arg ? sema_arg(call, (uint32_t)row->lock.arg) : NULL;
    strview name = sema_callee_name(u->cx->sema, v->fn, call);
    const char *whole = arena_printf(u->cx->mem, "(%.*s)", SV_ARG(row->library));
    const char *path = arg != NULL ? path_pointee(v, arg) : whole;
    const char *key = arg != NULL ? key_of_lock(v, arg) : whole;
    if (class_of(row) != u->cls || row->action == LOCK_WAIT)
        return;
    if (row->action == LOCK_RELEASE) {
        struct lock_release release = {.call = call, .cls = u->cls, .path = path, .key = key};
        VEC_PUSH(u->cx->mem, &s->releases, release);
        return;
    }
    add_take(s, &(struct lock_take){.call = call,
                                    .at = call_is_done_at(call),
                                    .cls = u->cls,
                                    .success = signs_of_success(row->success),
                                    .path = path,
                                    .key = key,
                                    .name = arg != NULL
                                                ? lock_text(v, arg)
                                                : arena_printf(u->cx->mem, "%.*s", SV_ARG(name))});
}

static void add_pair_call(lock_unit *u, lock_sections *s, const ast_node *call, strview name)
{
    const fn_view *v = s->view;
    const lint_config *config = u->cx->settings->config;
    const char *arg = sema_arg_count(call) != 0 ? path_of(v, sema_arg(call, 0)) : NULL;
    for (size_t i = 0; u->cls == HELD_PAIR && i < config->pairs.count; i++) {
        const struct lint_pair *pair = &config->pairs.at[i];
        if (sv_is(name, pair->release)) {
            struct lock_release release = {
                .call = call, .cls = HELD_PAIR, .path = arg, .pair = pair};
            VEC_PUSH(u->cx->mem, &s->releases, release);
        }
        if (!sv_is(name, pair->acquire))
            continue;
        add_take(s, &(struct lock_take){.call = call,
                                        .at = call_is_done_at(call),
                                        .cls = HELD_PAIR,
                                        .success = signs_of_pair(pair->fails),
                                        .path = arg,
                                        .target = target_path(v, call),
                                        .pair = pair,
                                        .name = sema_text(u->cx->sema, v->fn, call, 60)});
    }
}

static struct sema_function *body_of(const lock_unit *u, const sema_symbol *callee)
{
    uint32_t count;
    if (callee == NULL || callee->function == NULL)
        return NULL;
    return sema_unit_functions(u->cx->sema, &count)[callee->function->index];
}

static void add_effect(lock_unit *u, lock_sections *s, const ast_node *call,
                       const struct lock_effect *e)
{
    const fn_view *v = s->view;
    const char *path = path_in_caller(v, call, e->path);
    const char *key = e->key;
    if (key == NULL && e->path != NULL && e->path[0] == '$' && strchr("0123456789", e->path[1])) {
        uint32_t param = (uint32_t)(e->path[1] - '0');
        if (e->path[2] == '^' && e->path[3] == '\0' && param < sema_arg_count(call))
            key = key_of_lock(v, sema_arg(call, param));
    }
    if (e->is_release) {
        struct lock_release release = {
            .call = call, .cls = e->cls, .path = path, .key = key, .pair = e->pair};
        VEC_PUSH(u->cx->mem, &s->releases, release);
        return;
    }
    add_take(s, &(struct lock_take){.call = call,
                                    .at = call_is_done_at(call),
                                    .cls = e->cls,
                                    .success = e->success,
                                    .path = path,
                                    .key = key,
                                    .target = e->pair != NULL ? target_path(v, call) : NULL,
                                    .pair = e->pair,
                                    .name = e->name});
}

static void add_call(lock_unit *u, lock_sections *s, const ast_node *call)
{
    strview name = sema_callee_name(u->cx->sema, s->view->fn, call);
    const struct known_lock *row =
        name.len == 0 ? NULL : known_lock_find(u->cx->settings->known, name);
    if (row != NULL) {
        add_lock_call(u, s, call, row);
        return;
    }
    add_pair_call(u, s, call, name);
    const ast_node *form = form_of_call(call);
    bool is_elsewhere = form != NULL && (form->op == FORM_SPAWN || form->op == FORM_SPAWN_ON ||
                                         form->op == FORM_SCOPE_SPAWN);
    struct sema_function *body = body_of(u, sema_callee(u->cx->sema, s->view->fn, call));
    if (body == NULL || is_elsewhere || u->busy[body->index])
        return;
    const lock_sections *inner = lock_sections_of(u, body);
    for (size_t i = 0; i < inner->effects.count; i++)
        add_effect(u, s, call, &inner->effects.at[i]);
}

struct return_search {
    const ast_decl *param; /* that all returns give back; NULL: none seen yet */
    bool differs;
};

static bool visit_return(void *context, const ast_node *n)
{
    struct return_search *search = context;
    if (n->kind != AST_RETURN)
        return true;
    const ast_node *value = n->kid_count == 0 || n->kid[0] == NULL ? NULL : sema_strip(n->kid[0]);
    bool is_param = value != NULL && value->kind == AST_IDENT && value->ref != NULL &&
                    value->ref->kind == DECL_PARAM;
    if (!is_param || (search->param != NULL && search->param != value->ref))
        search->differs = true;
    else
        search->param = value->ref;
    return true;
}

/* What a value is: of guard_enter(&s->mu), whose body gives its argument back, that argument. */
static const ast_node *value_through_call(const lock_unit *u, const fn_view *v,
                                          const ast_node *value)
{
    const ast_node *call = value == NULL ? NULL : sema_strip(value);
    struct sema_function *body = call == NULL || call->kind != AST_CALL
                                     ? NULL
                                     : body_of(u, sema_callee(u->cx->sema, v->fn, call));
    if (body == NULL)
        return value;
    struct return_search search = {NULL, false};
    tree_visit(body->tree->root, visit_return, &search);
    for (uint32_t i = 0; !search.differs && i < body->tree->params.count; i++) {
        if (body->tree->params.at[i] == search.param && i < sema_arg_count(call))
            return sema_arg(call, i);
    }
    return value;
}

/* A variable whose cleanup function releases what it points to or holds. */
static void add_cleanup(lock_unit *u, lock_sections *s, const ast_node *declarator)
{
    const fn_view *v = s->view;
    sema_symbol *callee = sema_find(u->cx->sema, declarator->ref->cleanup_function);
    struct sema_function *body = body_of(u, callee);
    const char *own = path_add(u->cx->mem, path_of_decl(v, declarator->ref), "&");
    const ast_node *value =
        declarator->kid_count == 0 ? NULL : declarator->kid[declarator->kid_count - 1];
    value = value_through_call(u, v, value);
    struct lock_release release = {.declarator = declarator, .cls = u->cls};
    if (body == NULL || u->busy[body->index]) {
        release.path = value == NULL ? NULL : path_pointee(v, value);
        release.key = value == NULL ? NULL : key_of_lock(v, value);
        VEC_PUSH(u->cx->mem, &s->releases, release);
        return;
    }
    const lock_sections *inner = lock_sections_of(u, body);
    for (size_t i = 0; i < inner->effects.count; i++) {
        const struct lock_effect *e = &inner->effects.at[i];
        if (!e->is_release || e->path == NULL || strncmp(e->path, "$0", 2) != 0)
            continue;
        release.path = path_add(u->cx->mem, own, e->path + 2);
        release.key = e->key;
        /* `T *held = &s->mu` with `unlock(*p)`: the path through the variable's value */
        if (value != NULL && strncmp(e->path, "$0^^", 4) == 0)
            release.path = path_add(u->cx->mem, path_pointee(v, value), e->path + 4);
        release.pair = e->pair;
        VEC_PUSH(u->cx->mem, &s->releases, release);
    }
}

static void find_calls(lock_unit *u, lock_sections *s, const ast_node *n)
{
    if (n->is_unevaluated)
        return;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            find_calls(u, s, n->kid[i]);
    }
    if (n->kind == AST_CALL)
        add_call(u, s, n);
    else if (n->kind == AST_DECLARATOR && n->ref != NULL && n->ref->cleanup != NULL)
        add_cleanup(u, s, n);
}

/* ---- which release ends which take ----------------------------------------------------------- */

static bool names_same(const struct lock_take *t, const struct lock_release *r)
{
    return same(t->path, r->path) || same(t->target, r->path);
}

static void match(lock_sections *s)
{
    for (size_t i = 0; i < s->releases.count; i++) {
        struct lock_release *r = &s->releases.at[i];
        for (unsigned pass = 0; pass < 3 && r->takes == 0; pass++) {
            for (size_t k = 0; k < s->takes.count; k++) {
                const struct lock_take *t = &s->takes.at[k];
                bool fits = pass == 0   ? names_same(t, r)
                            : pass == 1 ? same(t->key, r->key)
                                        : r->pair != NULL || r->path == NULL || t->path == NULL;
                if (t->pair == r->pair && fits)
                    r->takes |= 1ULL << k;
            }
        }
    }
}

/* ---- flow ------------------------------------------------------------------------------------ */

static void release(const lock_sections *s, struct worlds *w, size_t i)
{
    const struct lock_release *r = &s->releases.at[i];
    uint64_t own = i < WORLD_FACTS - FIRST_RELEASE ? 1ULL << (FIRST_RELEASE + i) : 0;
    for (uint32_t k = 0; k < w->count; k++) {
        if ((w->at[k].facts & r->takes) == 0)
            w->at[k].facts |= own;
        w->at[k].facts &= ~r->takes;
    }
}

static void transfer(void *context, world_flow *f, const struct tree_item *item, struct worlds *w)
{
    const lock_sections *s = context;
    bool is_call = item->kind == TREE_EXPR && item->node->kind == AST_CALL;
    for (size_t i = 0; (is_call || item->kind == TREE_CLEANUP) && i < s->releases.count; i++) {
        if (item->node == (is_call ? s->releases.at[i].call : s->releases.at[i].declarator))
            release(s, w, i);
    }
    for (size_t i = 0; item->kind == TREE_EXPR && i < s->takes.count; i++) {
        if (s->takes.at[i].at == item->node)
            worlds_split(f, w, s->takes.at[i].call, s->takes.at[i].success, 1ULL << i);
    }
}

static uint64_t held_at(const lock_sections *s, const struct worlds *w, const ast_node *at)
{
    uint64_t held = worlds_any(w) & ((1ULL << MAX_TAKES) - 1);
    for (size_t i = 0; i < s->takes.count; i++) {
        if (s->takes.at[i].at == at)
            held &= ~(1ULL << i);
    }
    return held;
}

void lock_each_held(lock_unit *u, struct sema_function *fn,
                    void (*visit)(void *context, const lock_sections *s, const ast_node *at,
                                  uint64_t held),
                    void *context)
{
    const lock_sections *s = lock_sections_of(u, fn);
    if (s->takes.count == 0 || s->flow == NULL)
        return;
    const tree_cfg *g = world_flow_graph(s->flow);
    for (uint32_t b = 0; b < g->block_count; b++) {
        struct tree_flow_walk w = world_flow_walk(s->flow, b);
        while (tree_flow_next(&w)) {
            bool is_first = tree_cfg_find(g, w.item->node) == w.index;
            uint64_t held =
                is_first && suspends_at(u->cx, fn, w.item) ? held_at(s, w.state, w.item->node) : 0;
            if (held != 0)
                visit(context, s, w.item->node, held);
        }
    }
}

void lock_report_held(rule_cx *cx, enum held_class cls,
                      void (*report)(void *context, const lock_sections *s, const ast_node *at,
                                     uint64_t held))
{
    uint32_t count;
    struct sema_function *const *functions = sema_unit_functions(cx->sema, &count);
    lock_unit *u = lock_unit_new(cx, cls);
    for (uint32_t i = 0; i < count; i++) {
        rule_cx inner = *cx;
        inner.fn = functions[i];
        if (functions[i]->in_source && function_suspends(cx, functions[i]))
            lock_each_held(u, functions[i], report, &inner);
    }
}

/* ---- what callers see ------------------------------------------------------------------------ */

/* The signs of the function's results on the ways on which a fact holds, and on the others. */
static void result_signs(const lock_sections *s, uint64_t fact, uint8_t *with, uint8_t *without)
{
    const tree_cfg *g = world_flow_graph(s->flow);
    *with = *without = 0;
    for (uint32_t b = 0; b < g->block_count; b++) {
        struct tree_flow_walk walk = world_flow_walk(s->flow, b);
        while (tree_flow_next(&walk)) {
            const struct worlds *w = walk.state;
            const ast_node *n = walk.item->node;
            for (uint32_t i = 0; walk.item->kind == TREE_RETURN && i < w->count; i++) {
                uint8_t sign = n->kid_count != 0 && n->kid[0] != NULL
                                   ? world_sign(s->flow, &w->at[i], n->kid[0])
                                   : SIGN_ANY;
                *(w->at[i].facts & fact ? with : without) |= sign;
            }
        }
    }
}

static void add_take_effect(lock_unit *u, lock_sections *s, size_t i)
{
    const struct lock_take *t = &s->takes.at[i];
    const struct worlds *end = world_flow_at_exit(s->flow);
    uint32_t with = 0;
    for (uint32_t k = 0; k < end->count; k++)
        with += (uint32_t)((end->at[k].facts >> i) & 1);
    if (with == 0)
        return;
    struct lock_effect e = {.cls = t->cls,
                            .success = SIGN_ANY,
                            .path = t->path,
                            .key = t->key,
                            .name = t->name,
                            .pair = t->pair};
    if (with < end->count) {
        uint8_t without;
        result_signs(s, 1ULL << i, &e.success, &without);
        if ((e.success & without) != 0 || e.success == 0)
            return;
    }
    bool is_known = path_is_shared(t->path) || t->pair != NULL;
    s->passes_on = s->passes_on || !is_known;
    if (is_known)
        VEC_PUSH(u->cx->mem, &s->effects, e);
}

static void add_release_effect(lock_unit *u, lock_sections *s, size_t i)
{
    const struct lock_release *r = &s->releases.at[i];
    bool is_own = i < WORLD_FACTS - FIRST_RELEASE &&
                  (worlds_any(world_flow_at_exit(s->flow)) >> (FIRST_RELEASE + i)) & 1;
    if (!is_own || !(path_is_shared(r->path) || r->pair != NULL))
        return;
    VEC_PUSH(
        u->cx->mem, &s->effects,
        (struct lock_effect){
            .is_release = true, .cls = r->cls, .path = r->path, .key = r->key, .pair = r->pair});
}

const lock_sections *lock_sections_of(lock_unit *u, struct sema_function *fn)
{
    uint32_t index = fn->index;
    if (u->of[index] != NULL)
        return u->of[index];
    lock_sections *s = ARENA_NEW(u->cx->mem, lock_sections);
    s->view = fn_view_new(u->cx, fn);
    u->busy[index] = true;
    find_calls(u, s, fn->tree->root);
    match(s);
    if (s->takes.count != 0 || s->releases.count != 0) {
        s->flow = world_flow_new(s->view, transfer, s);
        for (size_t i = 0; i < s->takes.count; i++) {
            if (s->takes.at[i].success != SIGN_ANY)
                world_flow_track(s->flow, s->takes.at[i].call);
        }
        if (!world_flow_solve(s->flow))
            s->flow = NULL;
    }
    for (size_t i = 0; s->flow != NULL && i < s->releases.count; i++)
        add_release_effect(u, s, i);
    for (size_t i = 0; s->flow != NULL && i < s->takes.count; i++)
        add_take_effect(u, s, i);
    u->busy[index] = false;
    u->of[index] = s;
    return s;
}
