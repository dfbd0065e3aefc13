/* SPDX-License-Identifier: MIT */
/*
 * A body is searched without regard to its ways: if it releases or stores its parameter anywhere,
 * it may. Names decide only about functions that are not seen, and lean to "kept": whoever asks
 * wants to be sure that the caller still owns.
 */
#include "rules/value_fate.h"

#include <string.h>

#include "analyzer/program/known_descriptors.h"
#include "analyzer/program/known_owners.h"
#include "analyzer/program/lint_settings.h"
#include "rules/name_meanings.h"
#include "rules/suspension.h"

enum { MAX_DEPTH = 3 };

const fn_view *view_of_callee(const fn_view *v, const ast_node *call)
{
    uint32_t count;
    const sema_symbol *callee = sema_callee(v->cx->sema, v->fn, call);
    if (callee == NULL || callee->function == NULL || callee->function == v->fn)
        return NULL;
    return fn_view_new(v->cx, sema_unit_functions(v->cx->sema, &count)[callee->function->index]);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static bool fate_by_table(const fn_view *v, strview name, uint32_t i, enum value_fate *fate)
{
    const known_facts *known = v->cx->settings->known;
    size_t count;
    if (i == 0 && known_owner_releases(known, name)) {
        *fate = FATE_RELEASED;
        return true;
    }
    if (sv_is(name, "realloc") || sv_is(name, "reallocarray") || sv_is(name, "g_realloc") ||
        sv_is(name, "fdopen") || sv_is(name, "fdopendir")) {
        *fate = FATE_KEPT;
        return i == 0;
    }
    const struct known_descriptor *rows = known_descriptors_of(known, name, &count);
    for (size_t k = 0; k < count; k++) {
        bool is_it = rows[k].where.kind == PLACE_ARG && rows[k].where.arg == (int)i;
        if (!is_it || (rows[k].role != DESCRIPTOR_CLOSE && rows[k].role != DESCRIPTOR_GIVE))
            continue;
        *fate = rows[k].role == DESCRIPTOR_CLOSE ? FATE_RELEASED : FATE_KEPT;
        return true;
    }
    return false;
}

/* ---- bodies ---------------------------------------------------------------------------------- */

static enum value_fate fate_at(const fn_view *v, const ast_node *call, uint32_t i, bool *is_sure,
                               unsigned depth);

static bool is_param(const fn_view *v, const ast_node *n, uint32_t param)
{
    const char *path = path_of(v, n);
    return path != NULL && strcmp(path, arena_printf(v->cx->mem, "$%u", param)) == 0;
}

static enum value_fate worse(enum value_fate a, enum value_fate b)
{
    return a > b ? a : b;
}

static enum value_fate fate_in(const fn_view *v, const ast_node *n, uint32_t param, unsigned depth)
{
    enum value_fate fate = FATE_USED;
    if (n->is_unevaluated)
        return fate;
    if (n->kind == AST_CALL) {
        for (uint32_t i = 0; i < sema_arg_count(n); i++) {
            if (is_param(v, sema_arg(n, i), param))
                fate = worse(fate, form_starts_task(n) ? FATE_KEPT : fate_at(v, n, i, NULL, depth));
        }
    } else if (n->kind == AST_ASSIGN && is_param(v, n->kid[1], param) &&
               path_local_storage(v, n->kid[0]) == NULL) {
        fate = FATE_KEPT;
    } else if (n->kind == AST_RETURN && n->kid_count != 0 && n->kid[0] != NULL &&
               is_param(v, n->kid[0], param)) {
        fate = FATE_KEPT;
    }
    for (uint32_t i = 0; i < n->kid_count && fate != FATE_RELEASED; i++) {
        if (n->kid[i] != NULL)
            fate = worse(fate, fate_in(v, n->kid[i], param, depth));
    }
    return fate;
}

/* ---- names ----------------------------------------------------------------------------------- */

static const ctype *param_type(const fn_view *v, const ast_node *call, uint32_t i)
{
    const ctype *type = sema_type(v->cx->sema, v->fn, call->kid[0]);
    while (type->cls == CTYPE_POINTER && type->elem != NULL)
        type = type->elem;
    return type->cls == CTYPE_FUNCTION && i < type->param_count ? type->params[i] : NULL;
}

/* conn_init(c, fd): c is only filled, fd is kept. */
static bool fills_first(strview name)
{
    static const char *const words[] = {"init",   "set",  "open", "bind",  "start", "append",
                                        "create", "push", "put",  "store", NULL};
    return name_tells(name, words);
}

static enum value_fate fate_by_name(const fn_view *v, const ast_node *call, uint32_t i)
{
    static const char *const keeps_descriptor[] = {
        "new",  "create",  "wrap",    "adopt",    "attach",   "give",  "own",    "take",  "push",
        "init", "enqueue", "handoff", "transfer", "dispatch", "spawn", "fdopen", "start", NULL};
    strview name = sema_callee_name(v->cx->sema, v->fn, call);
    const ctype *type = param_type(v, call, i);
    bool is_pointer = type == NULL || type->cls == CTYPE_POINTER;
    if (type != NULL && type->cls == CTYPE_POINTER && type->elem != NULL && type->elem->is_const)
        return FATE_USED;
    if (name_tells(name, name_words_of_releasing))
        return FATE_RELEASED;
    if (i == 0 && sema_arg_count(call) > 1 && fills_first(name))
        return FATE_USED;
    return name_tells(name, is_pointer ? name_words_of_keeping : keeps_descriptor) ? FATE_KEPT
                                                                                   : FATE_USED;
}

static enum value_fate fate_at(const fn_view *v, const ast_node *call, uint32_t i, bool *is_sure,
                               unsigned depth)
{
    bool unused;
    enum value_fate fate = FATE_USED;
    const sema_symbol *callee = sema_callee(v->cx->sema, v->fn, call);
    strview name = sema_callee_name(v->cx->sema, v->fn, call);
    is_sure = is_sure != NULL ? is_sure : &unused;
    *is_sure = true;
    if (name.len != 0 && fate_by_table(v, name, i, &fate))
        return fate;
    const fn_view *body = depth == 0 ? NULL : view_of_callee(v, call);
    if (body != NULL)
        return fate_in(body, body->fn->tree->root, i, depth - 1);
    bool is_known = sv_starts(name, "aw_") || (callee != NULL && callee->is_system) ||
                    (callee != NULL && callee->function == v->fn);
    if (is_known)
        return FATE_USED;
    *is_sure = false;
    if (name.len == 0)
        return FATE_KEPT; /* through a pointer */
    return fate_by_name(v, call, i);
}

enum value_fate value_fate_of(const fn_view *v, const ast_node *call, uint32_t i, bool *is_sure)
{
    return fate_at(v, call, i, is_sure, MAX_DEPTH);
}

/* ---- kept parameters ------------------------------------------------------------------------- */

static void find_kept(const fn_view *v, const ast_node *n, kept_param_list *list)
{
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            find_kept(v, n->kid[i], list);
    }
    if (n->kind != AST_ASSIGN || n->op != OP_ASSIGN)
        return;
    const char *value = path_of(v, n->kid[1]);
    const char *place = path_of(v, n->kid[0]);
    bool is_param = value != NULL && value[0] == '$' && strpbrk(value, "^.[&") == NULL;
    if (!is_param || !path_is_shared(place) || path_local_storage(v, n->kid[0]) != NULL)
        return;
    for (uint32_t p = 0; p < v->fn->tree->params.count; p++) {
        if (strcmp(value, arena_printf(v->cx->mem, "$%u", p)) == 0)
            VEC_PUSH(v->cx->mem, list, (struct kept_param){p, place});
    }
}

kept_param_list kept_params_of(const fn_view *v, const ast_node *call)
{
    kept_param_list list = {NULL, 0, 0};
    const fn_view *body = view_of_callee(v, call);
    if (body != NULL)
        find_kept(body, body->fn->tree->root, &list);
    return list;
}
