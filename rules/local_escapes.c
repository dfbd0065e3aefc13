/* SPDX-License-Identifier: MIT */
/*
 * Sites are found by one walk; worlds.h tells on which ways they are open. What ends them: the
 * join of the handle (a spawn that gave NULL opens none), another value in the same place, a call
 * whose name says that it takes the local out again, the loop's run to its end.
 */
#include "rules/local_escapes.h"

#include <string.h>

#include "analyzer/program/known_callbacks.h"
#include "analyzer/program/known_loops.h"
#include "analyzer/program/lint_settings.h"
#include "rules/function_memo.h"
#include "rules/name_meanings.h"
#include "rules/suspension.h"
#include "rules/tree_terms.h"
#include "rules/worlds.h"

enum { MAX_SITES = 48 };

struct escapes {
    const fn_view *v;
    VEC(struct escape_site) sites;
    bool *reported;
    world_flow *flow;
    bool is_main;
};

/* ---- addresses of locals --------------------------------------------------------------------- */

/* The automatic variable whose address an expression is; NULL. */
static const ast_decl *address_of_local(const fn_view *v, const ast_node *n)
{
    n = path_origin(v, n);
    if (n->kind == AST_UNARY && n->op == OP_ADDR)
        return path_local_storage(v, n->kid[0]);
    if (n->kind == AST_BINARY && (n->op == OP_ADD || n->op == OP_SUB))
        return address_of_local(v, n->kid[0]);
    bool is_place = n->kind == AST_IDENT || n->kind == AST_MEMBER || n->kind == AST_INDEX;
    if (!is_place || sema_type(v->cx->sema, v->fn, n)->cls != CTYPE_ARRAY)
        return NULL;
    const ast_decl *d = path_local_storage(v, n);
    return d != NULL && d->kind == DECL_PARAM ? NULL : d;
}

static void add_site(struct escapes *e, const struct escape_site *s)
{
    if (s->local != NULL && e->sites.count < MAX_SITES)
        VEC_PUSH(e->v->cx->mem, &e->sites, *s);
}

/* ---- tasks ----------------------------------------------------------------------------------- */

/* What a form's value is given to, as a path; *is_joined: it is an argument of aw_join itself. */
static const char *handle_of(const fn_view *v, const ast_node *form, bool *is_joined)
{
    const ast_node *below = form, *n = form->parent;
    *is_joined = false;
    for (; n != NULL; below = n, n = n->parent) {
        if (n->kind != AST_PAREN && n->kind != AST_CAST)
            break;
    }
    if (n == NULL)
        return NULL;
    if (n->kind == AST_DECLARATOR && n->ref != NULL && n->kid[n->kid_count - 1] == below)
        return path_of_decl(v, n->ref);
    if (n->kind == AST_ASSIGN && n->op == OP_ASSIGN && n->kid[1] == below) {
        const ast_node *left = sema_strip(n->kid[0]);
        const char *path = path_raw(v, left);
        return path == NULL && left->kind == AST_INDEX ? path_raw(v, left->kid[0]) : path;
    }
    *is_joined = n->kind == AST_CALL && sv_is(sema_callee_name(v->cx->sema, v->fn, n), "aw_join");
    return NULL;
}

static bool scope_is_inside(const ast_scope *inner, const ast_scope *outer)
{
    for (const ast_scope *s = inner == NULL ? NULL : inner->parent; s != NULL; s = s->parent) {
        if (s == outer)
            return true;
    }
    return false;
}

/* What a local struct is given, in an initialiser or one field at a time: m = {line}; m.text =
 * line; Stops where `wanted` says so of a value. */
struct content_search {
    const fn_view *v;
    const ast_decl *holder;
    uint32_t end; /* tokens from here on do not count */
    bool (*wanted)(struct content_search *search, const ast_node *value);
    bool found;
    const ast_decl *local; /* `wanted`'s */
};

static bool visit_content(void *context, const ast_node *n)
{
    struct content_search *search = context;
    if (n->first >= search->end || search->found)
        return false;
    if (n->kind == AST_ASSIGN && n->op == OP_ASSIGN) {
        const ast_node *left = sema_strip(n->kid[0]);
        search->found = left->kind == AST_MEMBER &&
                        path_local_storage(search->v, left) == search->holder &&
                        search->wanted(search, n->kid[1]);
    } else if (n->kind == AST_DECLARATOR && n->ref == search->holder && n->kid_count != 0) {
        const ast_node *list = n->kid[n->kid_count - 1];
        bool is_list = list != NULL && list->kind == AST_INIT_LIST;
        for (uint32_t i = 0; is_list && i < list->kid_count && !search->found; i++) {
            const ast_node *item = list->kid[i];
            search->found = search->wanted(
                search, item->kind == AST_DESIGNATED ? item->kid[item->kid_count - 1] : item);
        }
    }
    return !search->found;
}

static bool is_address(struct content_search *search, const ast_node *value)
{
    search->local = address_of_local(search->v, value);
    return search->local != NULL;
}

/* The local whose address a struct, given by value, has in it; NULL. */
static const ast_decl *address_inside(const fn_view *v, const ast_node *arg)
{
    arg = sema_strip(arg);
    if (arg->kind != AST_IDENT || arg->ref == NULL || arg->ref->kind != DECL_VAR ||
        sema_type(v->cx->sema, v->fn, arg)->cls != CTYPE_RECORD)
        return NULL;
    struct content_search search = {
        .v = v, .holder = arg->ref, .end = arg->first, .wanted = is_address};
    tree_visit(v->fn->tree->root, visit_content, &search);
    return search.local;
}

static void add_form(struct escapes *e, const ast_node *form)
{
    const fn_view *v = e->v;
    bool is_scope = form->op == FORM_SCOPE_SPAWN, is_joined = false;
    if (form->kid_count == 0 || (!is_scope && form->op != FORM_SPAWN && form->op != FORM_SPAWN_ON))
        return;
    const ast_node *call = sema_strip(form->kid[form->kid_count - 1]);
    const ast_decl *scope = is_scope ? address_of_local(v, form->kid[0]) : NULL;
    struct escape_site s = {.kind = is_scope ? ESCAPE_SCOPE : ESCAPE_TASK,
                            .at = form,
                            .success = is_scope ? SIGN_ANY : SIGN_POSITIVE};
    s.handle = is_scope ? path_pointee(v, form->kid[0]) : handle_of(v, form, &is_joined);
    for (uint32_t i = 0; call->kind == AST_CALL && !is_joined && i < sema_arg_count(call); i++) {
        const ast_decl *local = address_of_local(v, sema_arg(call, i));
        if (local == NULL)
            local = address_inside(v, sema_arg(call, i));
        if (local == NULL || (scope != NULL && !scope_is_inside(local->scope, scope->scope)))
            continue;
        s.local = local;
        add_site(e, &s);
        return;
    }
}

/* ---- stores ---------------------------------------------------------------------------------- */

/* Does the place surely outlive the function: a global, or something behind a pointer that it did
 * not point at a local itself? */
static bool outlives(const fn_view *v, const ast_node *lvalue)
{
    const ast_node *n = sema_strip(lvalue);
    if (path_local_storage(v, n) != NULL)
        return false;
    while (n->kind == AST_MEMBER || n->kind == AST_INDEX ||
           (n->kind == AST_UNARY && n->op == OP_DEREF))
        n = path_origin(v, n->kid[0]);
    if (n->kind != AST_IDENT)
        return false;
    if (n->ref == NULL)
        return sema_ident_symbol(v->cx->sema, v->fn, n) != NULL;
    if (n->ref->storage == STORAGE_STATIC || n->ref->storage == STORAGE_EXTERN)
        return true;
    const struct local_use *use = &v->uses->at[n->ref->id];
    if (n->ref->kind == DECL_PARAM)
        return use->assignments == 0;
    if (use->assignments != 1 || use->is_changed)
        return false;
    const ast_node *value = sema_strip(use->value);
    return value->kind == AST_CALL || value->kind == AST_AWAIT;
}

static void add_store(struct escapes *e, const ast_node *n)
{
    const fn_view *v = e->v;
    const ast_decl *local = address_of_local(v, n->kid[1]);
    if (local == NULL || !outlives(v, n->kid[0]))
        return;
    add_site(e, &(struct escape_site){.kind = ESCAPE_STORE,
                                      .at = n,
                                      .local = local,
                                      .place = path_raw(v, n->kid[0]),
                                      .holder = n->kid[0]});
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* With which results of a registration will the callback run? */
static uint8_t success_of(const fn_view *v, const ast_node *call, enum callback_kind kind)
{
    const ctype *type = sema_type(v->cx->sema, v->fn, call);
    if (type->cls == CTYPE_POINTER)
        return SIGN_NEGATIVE | SIGN_POSITIVE;
    if (type->cls != CTYPE_INT)
        return SIGN_ANY;
    return kind == CALLBACK_THREAD ? SIGN_ZERO : SIGN_ZERO | SIGN_POSITIVE;
}

/* Does the function run an event loop itself, or by a helper of the unit? Then what it registers is
 * used while it has not ended: main functions and tests. */
static bool runs_loop(const fn_view *v, struct sema_function *fn, bool looks_deeper)
{
    const struct memo_nodes *calls = calls_of_function(v->cx, fn);
    uint8_t *known = &function_memo_of(v->cx, fn)->runs_loop;
    if (!looks_deeper && *known != MEMO_UNKNOWN)
        return *known == MEMO_YES;
    if (!looks_deeper)
        *known = MEMO_YES;
    for (size_t i = 0; i < calls->all.count; i++) {
        const ast_node *n = calls->all.at[i];
        strview name = sema_callee_name(v->cx->sema, fn, n);
        const sema_symbol *callee = sema_callee(v->cx->sema, fn, n);
        if (known_loop_find(v->cx->settings->known, name) != NULL)
            return true;
        struct sema_function *body = looks_deeper ? unit_function(v->cx, callee) : NULL;
        if (body != NULL && runs_loop(v, body, false))
            return true;
    }
    if (!looks_deeper)
        *known = MEMO_NO;
    return false;
}

/* Does the function wait for a thread's end somewhere? Then it waits for those that it starts, on
 * whatever flag that depends. */
static bool joins_threads(const fn_view *v, const ast_node *n)
{
    static const char *const join[] = {"join", NULL};
    if (n->kind == AST_CALL && name_tells(sema_callee_name(v->cx->sema, v->fn, n), join))
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && joins_threads(v, n->kid[i]))
            return true;
    }
    return false;
}

/* Does the function wait on the local itself: sem_wait(&ready), for each thread that posts it? */
static bool waits_on(const fn_view *v, const ast_node *n, const ast_decl *local)
{
    if (n->kind == AST_CALL &&
        name_tells(sema_callee_name(v->cx->sema, v->fn, n), name_words_of_waiting)) {
        for (uint32_t i = 0; i < sema_arg_count(n); i++) {
            if (address_of_local(v, sema_arg(n, i)) == local)
                return true;
        }
    }
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && waits_on(v, n->kid[i], local))
            return true;
    }
    return false;
}

static void add_registration(struct escapes *e, const ast_node *call, strview name)
{
    const fn_view *v = e->v;
    size_t count;
    const struct known_callback *rows =
        known_callbacks_of_function(v->cx->settings->known, name, &count);
    for (size_t i = 0; i < count; i++) {
        const struct known_callback *r = &rows[i];
        bool runs_later =
            r->kind == CALLBACK_LOOP || r->kind == CALLBACK_WORK || r->kind == CALLBACK_THREAD;
        if (!runs_later || r->data_in.kind != PLACE_ARG || r->argument < 0 ||
            (uint32_t)r->argument >= sema_arg_count(call) ||
            (uint32_t)r->data_in.arg >= sema_arg_count(call) ||
            sema_is_null(v->cx->sema, v->fn, sema_arg(call, (uint32_t)r->argument)))
            continue;
        if (r->kind == CALLBACK_THREAD && joins_threads(v, v->fn->tree->root))
            continue;
        const ast_node *data = sema_arg(call, (uint32_t)r->data_in.arg);
        const ast_decl *shared = address_of_local(v, data);
        if (r->kind == CALLBACK_THREAD && shared != NULL && waits_on(v, v->fn->tree->root, shared))
            continue;
        add_site(e, &(struct escape_site){.kind = ESCAPE_CALLBACK,
                                          .at = call,
                                          .local = shared,
                                          .success = success_of(v, call, r->kind),
                                          .holder = call->kid[0]});
        return;
    }
}

static void add_kept(struct escapes *e, const ast_node *call)
{
    const fn_view *v = e->v;
    kept_param_list kept = kept_params_of(v, call);
    for (size_t i = 0; i < kept.count; i++) {
        uint32_t param = kept.at[i].param;
        const ast_decl *local =
            param < sema_arg_count(call) ? address_of_local(v, sema_arg(call, param)) : NULL;
        const char *place = kept.at[i].place;
        if (local == NULL)
            continue;
        if (place[0] == '$') {
            uint32_t base = (uint32_t)(place[1] - '0');
            if (base > 9 || base >= sema_arg_count(call) || base == param)
                continue;
            const ast_node *arg = path_origin(v, sema_arg(call, base));
            bool is_address = arg->kind == AST_UNARY && arg->op == OP_ADDR;
            if (address_of_local(v, arg) != NULL || !outlives(v, is_address ? arg->kid[0] : arg))
                if (!(arg->kind == AST_IDENT && arg->ref != NULL && arg->ref->kind == DECL_PARAM))
                    continue;
        }
        add_site(e, &(struct escape_site){.kind = ESCAPE_STORE,
                                          .at = call,
                                          .local = local,
                                          .place = path_in_caller(v, call, place),
                                          .holder = call->kid[0]});
        return;
    }
}

static bool is_function_name(const fn_view *v, const ast_node *n)
{
    n = sema_strip(n);
    if (n->kind == AST_UNARY && n->op == OP_ADDR)
        n = sema_strip(n->kid[0]);
    const sema_symbol *s = n->kind == AST_IDENT ? sema_ident_symbol(v->cx->sema, v->fn, n) : NULL;
    return s != NULL && s->kind == SYMBOL_FUNCTION;
}

/* Characters and what is passed as const are copied by who wants them later. */
static bool is_text(const fn_view *v, const ast_node *n)
{
    const ctype *type = sema_type(v->cx->sema, v->fn, path_origin(v, n));
    bool has_elem = type->cls == CTYPE_ARRAY || type->cls == CTYPE_POINTER;
    return has_elem && type->elem != NULL && type->elem->cls == CTYPE_INT &&
           type->elem->size_bytes == 1;
}

/* Does the function promise not to change the object: const struct hints *? It reads it at once. */
static bool is_const_param(const fn_view *v, const ast_node *call, uint32_t i)
{
    const ctype *type = sema_type(v->cx->sema, v->fn, call->kid[0]);
    if (type->cls == CTYPE_POINTER && type->elem != NULL)
        type = type->elem;
    if (type->cls != CTYPE_FUNCTION || i >= type->param_count)
        return false;
    const ctype *param = type->params[i];
    return param != NULL && param->cls == CTYPE_POINTER && param->elem != NULL &&
           param->elem->is_const;
}

/* Does the name say that something is done later? */
static bool names_later(strview name)
{
    static const char *const later[] = {"register", "submit",  "schedule", "defer", "subscribe",
                                        "watch",    "enqueue", "post",     "async", NULL};
    static const char *const begins[] = {"start", "add", "set", "arm", "install", "on", NULL};
    static const char *const event[] = {"timer",   "timeout",  "alarm", "event", "watcher",
                                        "handler", "callback", "cb",    "hook",  NULL};
    return name_tells(name, later) || (name_tells(name, begins) && name_tells(name, event));
}

/* What calls back does so before it returns. */
static const char *const words_at_once[] = {
    "foreach", "each", "walk",   "visit", "iterate", "sort", "scan", "map",
    "filter",  "find", "search", "parse", "run",     "wait", "sync", NULL};

static bool is_callback(struct content_search *search, const ast_node *value)
{
    return is_function_name(search->v, value);
}

static bool reads_field(const ast_node *n, const ast_decl *d, uint32_t behind)
{
    if (n->kind == AST_MEMBER && n->first > behind && sema_strip(n->kid[0])->ref == d)
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && reads_field(n->kid[i], d, behind))
            return true;
    }
    return false;
}

/* queue_submit(&request), with a callback in the request, which nothing here waits for. */
static void add_request(struct escapes *e, const ast_node *call, strview name)
{
    static const char *const submit[] = {"submit", "schedule", "defer", "enqueue", "post", NULL};
    const fn_view *v = e->v;
    if (!name_tells(name, submit) || name_tells(name, words_at_once))
        return;
    for (uint32_t i = 0; i < sema_arg_count(call); i++) {
        const ast_decl *local = address_of_local(v, sema_arg(call, i));
        struct content_search search = {
            .v = v, .holder = local, .end = UINT32_MAX, .wanted = is_callback};
        if (local == NULL || local->kind != DECL_VAR || is_const_param(v, call, i))
            continue;
        tree_visit(v->fn->tree->root, visit_content, &search);
        if (!search.found || waits_on(v, v->fn->tree->root, local) ||
            reads_field(v->fn->tree->root, local, call->last))
            continue;
        add_site(e,
                 &(struct escape_site){
                     .kind = ESCAPE_CALLBACK, .at = call, .local = local, .holder = call->kid[0]});
        return;
    }
}

/* timer_start(t, 100, on_timer, &state): a function that is not seen, whose name says that it calls
 * back later. */
static void add_named(struct escapes *e, const ast_node *call, strview name)
{
    const fn_view *v = e->v;
    bool has_function = false;
    const ast_decl *local = NULL;
    add_request(e, call, name);
    /* parser_set_callback(&parser, on_line, &n): what calls back is a local itself */
    if (sema_arg_count(call) == 0 || address_of_local(v, sema_arg(call, 0)) != NULL)
        return;
    for (uint32_t i = 0; i < sema_arg_count(call); i++) {
        bool is_function = is_function_name(v, sema_arg(call, i));
        has_function = has_function || is_function;
        if (local == NULL && !is_function && !is_text(v, sema_arg(call, i)) &&
            !is_const_param(v, call, i))
            local = address_of_local(v, sema_arg(call, i));
    }
    if (has_function && names_later(name) && !name_tells(name, words_at_once))
        add_site(e,
                 &(struct escape_site){
                     .kind = ESCAPE_CALLBACK, .at = call, .local = local, .holder = call->kid[0]});
}

static void add_call(struct escapes *e, const ast_node *call)
{
    const fn_view *v = e->v;
    strview name = sema_callee_name(v->cx->sema, v->fn, call);
    const sema_symbol *callee = sema_callee(v->cx->sema, v->fn, call);
    size_t count;
    if (name.len == 0 || form_of_call(call) != NULL)
        return;
    if (callee != NULL && callee->function != NULL) {
        add_kept(e, call);
        return;
    }
    if (known_callbacks_of_function(v->cx->settings->known, name, &count) != NULL)
        add_registration(e, call, name);
    else if (callee != NULL && !callee->is_system && !callee->is_async && !sv_starts(name, "aw_"))
        add_named(e, call, name);
}

/* Does the function start something that goes on when it has ended? */
static bool starts_later(const struct escapes *e, const ast_node *n)
{
    const fn_view *v = e->v;
    size_t count;
    if (n->kind == AST_CALL) {
        strview name = sema_callee_name(v->cx->sema, v->fn, n);
        if (known_callbacks_of_function(v->cx->settings->known, name, &count) != NULL ||
            names_later(name))
            return true;
    }
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && starts_later(e, n->kid[i]))
            return true;
    }
    return false;
}

/* Is there a call behind the node? */
static bool has_call_behind(const ast_node *n, const ast_node *node)
{
    if (n->kind == AST_CALL && n->first > node->last)
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && has_call_behind(n->kid[i], node))
            return true;
    }
    return false;
}

/* In a function that starts nothing and never suspends, an address that is left in the caller's
 * object is meant for the calls that follow; what is there afterwards is untidy, not late. */
static void drop_plain_stores(struct escapes *e)
{
    size_t kept = 0;
    if (e->v->fn->tree->is_async || starts_later(e, e->v->fn->tree->root))
        return;
    for (size_t i = 0; i < e->sites.count; i++) {
        const struct escape_site *s = &e->sites.at[i];
        if (s->kind != ESCAPE_STORE || !has_call_behind(e->v->fn->tree->root, s->at))
            e->sites.at[kept++] = e->sites.at[i];
    }
    e->sites.count = kept;
}

static void find_sites(struct escapes *e, const ast_node *n)
{
    if (n->is_unevaluated)
        return;
    if (n->kind == AST_FORM)
        add_form(e, n);
    else if (n->kind == AST_ASSIGN && n->op == OP_ASSIGN)
        add_store(e, n);
    else if (n->kind == AST_CALL)
        add_call(e, n);
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            find_sites(e, n->kid[i]);
    }
}

/* ---- what ends a site ------------------------------------------------------------------------ */

struct joined {
    const struct escapes *e;
    const struct escape_site *site;
    bool is_joined;
};

static bool is_part(const char *a, const char *b)
{
    return a != NULL && b != NULL && (path_is_within(a, b) || path_is_within(b, a));
}

/* aw_join(t, ...), aw_scope_wait(&s), or any awaited call that is given the handle. */
static void look_at_joined(void *context, const ast_node *call)
{
    struct joined *j = context;
    const fn_view *v = j->e->v;
    for (uint32_t i = 0; i < sema_arg_count(call); i++) {
        const ast_node *arg = sema_arg(call, i);
        const char *path = j->site->kind == ESCAPE_SCOPE ? path_pointee(v, arg) : path_raw(v, arg);
        const char *pointee = path_add(v->cx->mem, path_raw(v, arg), "^");
        j->is_joined =
            j->is_joined || is_part(path, j->site->handle) || is_part(pointee, j->site->handle);
    }
}

static bool joins(const struct escapes *e, const struct escape_site *s, const ast_node *await)
{
    struct joined j = {e, s, false};
    const ast_node *operand = sema_strip(await->kid[0]);
    if (s->kind == ESCAPE_SCOPE && operand->kind == AST_FORM && operand->op == FORM_SCOPE_SPAWN)
        return false;
    each_awaited_call(await, look_at_joined, &j);
    return s->handle != NULL && j.is_joined;
}

static bool mentions(const ast_node *n, const ast_decl *d)
{
    if (n->kind == AST_IDENT && n->ref == d)
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && mentions(n->kid[i], d))
            return true;
    }
    return false;
}

/* A call that takes the local out again, frees what holds it, or runs the loop to its end. */
static bool call_ends(const struct escapes *e, const struct escape_site *s, const ast_node *call)
{
    const fn_view *v = e->v;
    strview name = sema_callee_name(v->cx->sema, v->fn, call);
    if (name.len == 0 || call == s->at)
        return false;
    if (s->kind == ESCAPE_CALLBACK && (known_loop_find(v->cx->settings->known, name) != NULL ||
                                       name_tells(name, name_words_of_waiting)))
        return true;
    if (s->kind == ESCAPE_TASK || s->kind == ESCAPE_SCOPE)
        return false;
    bool removes = name_tells(name, name_words_of_removing);
    const char *place = s->place;
    for (uint32_t i = 0; i < sema_arg_count(call); i++) {
        const ast_node *arg = sema_arg(call, i);
        const char *path = path_raw(v, arg);
        bool holds = path != NULL && place != NULL && path_is_within(place, path);
        if (removes && (mentions(arg, s->local) || address_of_local(v, arg) == s->local || holds))
            return true;
        if (holds && value_fate_of(v, call, i, NULL) == FATE_RELEASED)
            return true;
    }
    return false;
}

/* Another value in the same place; or, as lists are unlinked, a store of what the local holds. */
static bool assignment_ends(const struct escapes *e, const struct escape_site *s, const ast_node *n)
{
    const fn_view *v = e->v;
    const char *path = path_raw(v, n->kid[0]);
    if (s->kind != ESCAPE_STORE || n == s->at || address_of_local(v, n->kid[1]) == s->local)
        return false;
    if (path != NULL && s->place != NULL && path_is_within(s->place, path))
        return true;
    return path_local_storage(v, n->kid[0]) == NULL && sema_strip(n->kid[0])->kind != AST_IDENT &&
           mentions(n->kid[1], s->local) &&
           sema_type(v->cx->sema, v->fn, n->kid[1])->cls == CTYPE_POINTER;
}

/* ---- a search for the local that takes it out: for (p = &q->first; ...) if (*p == &w) ... ---- */

struct removal {
    const struct escapes *e;
    const struct escape_site *site;
    bool compares, removes;
};

static void look_for_removal(struct removal *r, const ast_node *n)
{
    const fn_view *v = r->e->v;
    if (n->kind == AST_BINARY && (n->op == OP_EQ || n->op == OP_NE))
        r->compares = r->compares || address_of_local(v, n->kid[0]) == r->site->local ||
                      address_of_local(v, n->kid[1]) == r->site->local;
    if (n->kind == AST_ASSIGN)
        r->removes = r->removes || assignment_ends(r->e, r->site, n);
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            look_for_removal(r, n->kid[i]);
    }
}

static bool takes_out(const struct escapes *e, const struct escape_site *s, const ast_node *loop)
{
    struct removal r = {.e = e, .site = s};
    look_for_removal(&r, loop);
    return r.compares && r.removes;
}

/* Where the loop does not find the local, somebody else has taken it out. */
static void find_removers(const struct escapes *e, struct escape_site *s, const ast_node *n)
{
    bool is_loop = n->kind == AST_FOR || n->kind == AST_WHILE || n->kind == AST_DO;
    if (is_loop && s->remover == NULL && takes_out(e, s, n))
        s->remover = n;
    for (uint32_t i = 0; i < n->kid_count && s->remover == NULL; i++) {
        if (n->kid[i] != NULL)
            find_removers(e, s, n->kid[i]);
    }
}

static bool is_in_remover(const struct escape_site *s, const ast_node *n)
{
    return s->remover != NULL && n->first >= s->remover->first && n->last <= s->remover->last;
}

static bool item_ends(const struct escapes *e, const struct escape_site *s,
                      const struct tree_item *item)
{
    const ast_node *n = item->node;
    if (item->kind != TREE_EXPR)
        return false;
    if (is_in_remover(s, n))
        return true;
    bool waits = s->kind == ESCAPE_TASK || s->kind == ESCAPE_SCOPE;
    if (n->kind == AST_AWAIT)
        return waits ? joins(e, s, n) : s->kind == ESCAPE_CALLBACK;
    return n->kind == AST_CALL     ? call_ends(e, s, n)
           : n->kind == AST_ASSIGN ? assignment_ends(e, s, n)
                                   : false;
}

static void transfer(void *context, world_flow *f, const struct tree_item *item, struct worlds *w)
{
    const struct escapes *e = context;
    for (size_t i = 0; i < e->sites.count; i++) {
        const struct escape_site *s = &e->sites.at[i];
        if (((worlds_any(w) >> i) & 1) && item_ends(e, s, item))
            worlds_clear(w, 1ULL << i);
        if (item->kind != TREE_EXPR || item->node != s->at)
            continue;
        if (s->success != 0)
            worlds_split(f, w, s->at, s->success, 1ULL << i);
        else
            worlds_set(w, 1ULL << i);
    }
}

/* ---- reports --------------------------------------------------------------------------------- */

typedef void report_function(rule_cx *cx, const struct escape_site *s, const ast_node *await);

static void report(struct escapes *e, size_t i, const ast_node *await, report_function *tell)
{
    const struct escape_site *s = &e->sites.at[i];
    if (e->reported[i])
        return;
    for (size_t k = 0; k < e->sites.count; k++) { /* a macro that stores it twice */
        const struct escape_site *o = &e->sites.at[k];
        bool is_same = o->local == s->local && o->kind == s->kind && o->kind == ESCAPE_STORE;
        e->reported[k] = e->reported[k] || k == i || is_same;
    }
    tell(e->v->cx, s, await);
}

static void check_item(struct escapes *e, const struct tree_item *item, const struct worlds *w,
                       report_function *tell)
{
    rule_cx *cx = e->v->cx;
    bool suspends = suspends_at(cx, cx->fn, item);
    for (size_t i = 0; i < e->sites.count; i++) {
        const struct escape_site *s = &e->sites.at[i];
        if (!((worlds_any(w) >> i) & 1))
            continue;
        if (s->kind == ESCAPE_TASK && suspends && !e->is_main && !joins(e, s, item->node))
            report(e, i, item->node, tell);
        bool ends = item->kind == TREE_SCOPE_END && s->local->scope != NULL &&
                    s->local->scope->node == item->node;
        if (s->kind == ESCAPE_SCOPE && ends)
            report(e, i, NULL, tell);
    }
}

static void check(struct escapes *e, report_function *tell)
{
    const tree_cfg *g = world_flow_graph(e->flow);
    for (uint32_t b = 0; b < g->block_count; b++) {
        struct tree_flow_walk w = world_flow_walk(e->flow, b);
        while (tree_flow_next(&w))
            check_item(e, w.item, w.state, tell);
    }
    uint64_t open = worlds_any(world_flow_at_exit(e->flow));
    for (size_t i = 0; i < e->sites.count; i++) {
        if ((open >> i) & 1)
            report(e, i, NULL, tell);
    }
}

void local_escapes_check(rule_cx *cx, report_function *tell)
{
    struct escapes e = {.v = fn_view_new(cx, cx->fn)};
    if (!cx->fn->tree->is_async && runs_loop(e.v, cx->fn, true))
        return;
    find_sites(&e, cx->fn->tree->root);
    drop_plain_stores(&e);
    if (e.sites.count == 0)
        return;
    for (size_t i = 0; i < e.sites.count; i++) {
        if (e.sites.at[i].kind == ESCAPE_STORE)
            find_removers(&e, &e.sites.at[i], cx->fn->tree->root);
    }
    e.is_main = sv_is(cx->fn->tree->name, "main");
    e.reported = ARENA_ARRAY(cx->mem, bool, e.sites.count + 1);
    e.flow = world_flow_new(e.v, transfer, &e);
    for (size_t i = 0; i < e.sites.count; i++) {
        if (e.sites.at[i].success != 0 && e.sites.at[i].success != SIGN_ANY)
            world_flow_track(e.flow, e.sites.at[i].at);
    }
    if (world_flow_solve(e.flow))
        check(&e, tell);
}
