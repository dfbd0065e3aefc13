/* SPDX-License-Identifier: MIT */
/*
 * Paths are texts in the unit's arena; equality is strcmp. A local is looked through if it is given
 * one value, that value names a place, and nothing on the way there is ever given another value.
 */
#include "rules/lvalue_path.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ALIASES = 4, MAX_PATH_BYTES = 400 };

fn_view *fn_view_new(rule_cx *cx, struct sema_function *fn)
{
    fn_view *v = ARENA_NEW(cx->mem, fn_view);
    v->cx = cx;
    v->fn = fn;
    v->uses = local_uses_of(cx->mem, cx->sema, fn);
    return v;
}

uint32_t path_param_index(const fn_view *v, const ast_decl *d)
{
    const ast_function *tree = v->fn->tree;
    for (uint32_t i = 0; i < tree->params.count; i++) {
        if (tree->params.at[i] == d)
            return i;
    }
    return UINT32_MAX;
}

const char *path_add(arena *mem, const char *path, const char *suffix)
{
    if (path == NULL || suffix == NULL)
        return path;
    size_t len = strlen(path);
    if (len != 0 && suffix[0] == '^' && path[len - 1] == '&')
        return ARENA_JOIN(mem, {path, len - 1}, sv_from(suffix + 1));
    if (len != 0 && suffix[0] == '&' && path[len - 1] == '^')
        return ARENA_JOIN(mem, {path, len - 1}, sv_from(suffix + 1));
    if (len + strlen(suffix) > MAX_PATH_BYTES)
        return NULL;
    return ARENA_JOIN(mem, {path, len}, sv_from(suffix));
}

bool path_is_shared(const char *path)
{
    return path != NULL && strchr(path, '%') == NULL;
}

bool path_is_within(const char *path, const char *whole)
{
    size_t len = strlen(whole);
    return strncmp(path, whole, len) == 0 &&
           (path[len] == '\0' || path[len] == '.' || path[len] == '^' || path[len] == '[');
}

/* ---- aliases --------------------------------------------------------------------------------- */

static bool is_variable(const ast_decl *d)
{
    return d != NULL && (d->kind == DECL_VAR || d->kind == DECL_PARAM);
}

/* Does the local keep one value from its declaration on? */
static bool is_fixed(const fn_view *v, const ast_decl *d)
{
    const struct local_use *use = &v->uses->at[d->id];
    uint32_t values = use->assignments + use->constants;
    return !use->is_changed && values <= (d->kind == DECL_PARAM ? 0U : 1U);
}

/* Do all the variables of a place keep their values? */
static bool is_fixed_place(const fn_view *v, const ast_node *n)
{
    n = sema_strip(n);
    switch (n->kind) {
    case AST_IDENT:
        return !is_variable(n->ref) || is_fixed(v, n->ref) ||
               sema_type(v->cx->sema, v->fn, n)->cls == CTYPE_RECORD ||
               sema_type(v->cx->sema, v->fn, n)->cls == CTYPE_ARRAY;
    case AST_MEMBER:
        return is_fixed_place(v, n->kid[0]);
    case AST_UNARY:
        return (n->op == OP_ADDR || n->op == OP_DEREF) && is_fixed_place(v, n->kid[0]);
    case AST_INDEX:
        return is_fixed_place(v, n->kid[0]) &&
               (n->kid[1]->kind == AST_NUMBER || is_fixed_place(v, n->kid[1]));
    default:
        return false;
    }
}

/* What the local is another name of; NULL. */
static const ast_node *alias_of(const fn_view *v, const ast_decl *d)
{
    const struct local_use *use = &v->uses->at[d->id];
    if (d->kind != DECL_VAR || d->storage == STORAGE_STATIC || !is_fixed(v, d) ||
        use->assignments != 1 || use->address_taken)
        return NULL;
    return is_fixed_place(v, use->value) ? sema_strip(use->value) : NULL;
}

const ast_node *path_origin(const fn_view *v, const ast_node *n)
{
    n = sema_strip(n);
    for (unsigned i = 0; i < MAX_ALIASES && n->kind == AST_IDENT && is_variable(n->ref); i++) {
        const ast_node *to = alias_of(v, n->ref);
        if (to == NULL)
            break;
        n = to;
    }
    return n;
}

/* ---- paths ----------------------------------------------------------------------------------- */

static const char *path_in(const fn_view *v, const ast_node *n, unsigned aliases);

static const char *numbered(arena *mem, char sign, uint32_t number)
{
    char text[16];
    size_t at = sizeof text;
    do
        text[--at] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    text[--at] = sign;
    return arena_strndup(mem, text + at, sizeof text - at);
}

const char *path_of_decl(const fn_view *v, const ast_decl *d)
{
    uint32_t param = d->kind == DECL_PARAM && is_fixed(v, d) ? path_param_index(v, d) : UINT32_MAX;
    if (param != UINT32_MAX)
        return numbered(v->cx->mem, '$', param);
    return numbered(v->cx->mem, '%', d->id);
}

static const char *ident_path(const fn_view *v, const ast_node *n, unsigned aliases)
{
    if (is_variable(n->ref)) {
        const ast_node *to = aliases == 0 ? NULL : alias_of(v, n->ref);
        const char *path = to == NULL ? NULL : path_in(v, to, aliases - 1);
        return path != NULL ? path : path_of_decl(v, n->ref);
    }
    const sema_symbol *s = sema_ident_symbol(v->cx->sema, v->fn, n);
    if (s == NULL || s->kind != SYMBOL_VARIABLE)
        return NULL;
    return arena_strndup(v->cx->mem, s->name.at, s->name.len);
}

static const char *index_path(const fn_view *v, const ast_node *n, unsigned aliases)
{
    const char *base = path_in(v, n->kid[0], aliases);
    int64_t number;
    if (base == NULL)
        return NULL;
    if (sema_constant(v->cx->sema, v->fn, n->kid[1], &number))
        return path_add(v->cx->mem, base, arena_printf(v->cx->mem, "[%lld]", (long long)number));
    const char *index = path_in(v, n->kid[1], aliases);
    return index == NULL ? NULL
                         : path_add(v->cx->mem, base,
                                    ARENA_JOIN(v->cx->mem, SV("["), sv_from(index), SV("]")));
}

/* A call of an accessor: lock_of(s). */
static const char *call_path(const fn_view *v, const ast_node *n, unsigned aliases)
{
    arena *mem = v->cx->mem;
    strview name = sema_callee_name(v->cx->sema, v->fn, n);
    if (name.len == 0 || aliases == 0)
        return NULL;
    const char *path = ARENA_JOIN(mem, name, SV("("));
    for (uint32_t i = 0; i < sema_arg_count(n); i++) {
        const char *arg = path_in(v, sema_arg(n, i), aliases - 1);
        if (arg == NULL || strlen(path) > MAX_PATH_BYTES / 2)
            return NULL;
        path = ARENA_JOIN(mem, sv_from(path), sv_from(arg), SV(","));
    }
    return ARENA_JOIN(mem, sv_from(path), SV(")"));
}

static const char *member_path(const fn_view *v, const ast_node *n, unsigned aliases)
{
    arena *mem = v->cx->mem;
    const char *base = path_in(v, n->kid[0], aliases);
    if (base != NULL && n->op == OP_ARROW)
        base = path_add(mem, base, "^");
    strview field = ast_token_text(v->fn->tree, n->name_token);
    return base == NULL ? NULL : path_add(mem, base, ARENA_JOIN(mem, SV("."), field));
}

static const char *path_in(const fn_view *v, const ast_node *n, unsigned aliases)
{
    n = sema_strip(n);
    switch (n->kind) {
    case AST_IDENT:
        return ident_path(v, n, aliases);
    case AST_MEMBER:
        return member_path(v, n, aliases);
    case AST_INDEX:
        return index_path(v, n, aliases);
    case AST_CALL:
        return call_path(v, n, aliases);
    case AST_UNARY:
        if (n->op == OP_ADDR)
            return path_add(v->cx->mem, path_in(v, n->kid[0], aliases), "&");
        if (n->op == OP_DEREF)
            return path_add(v->cx->mem, path_in(v, n->kid[0], aliases), "^");
        return NULL;
    default:
        return NULL;
    }
}

const char *path_of(const fn_view *v, const ast_node *n)
{
    return path_in(v, n, MAX_ALIASES);
}

const char *path_raw(const fn_view *v, const ast_node *n)
{
    return path_in(v, n, 0);
}

const char *path_pointee(const fn_view *v, const ast_node *pointer)
{
    return path_add(v->cx->mem, path_of(v, pointer), "^");
}

const char *path_in_caller(const fn_view *caller, const ast_node *call, const char *path)
{
    if (!path_is_shared(path))
        return NULL;
    if (path[0] != '$')
        return strchr(path, '$') == NULL ? path : NULL;
    char *end;
    unsigned long param = strtoul(path + 1, &end, 10);
    if (strchr(end, '$') != NULL || param >= sema_arg_count(call))
        return NULL;
    const char *arg = path_of(caller, sema_arg(call, (uint32_t)param));
    if (arg == NULL || *end == '\0')
        return arg;
    return path_add(caller->cx->mem, arg, end);
}

const ast_decl *path_local_storage(const fn_view *v, const ast_node *lvalue)
{
    const ast_node *n = sema_strip(lvalue);
    for (;;) {
        bool through_pointer =
            n->kind == AST_INDEX && sema_type(v->cx->sema, v->fn, n->kid[0])->cls != CTYPE_ARRAY;
        if ((n->kind == AST_MEMBER && n->op == OP_DOT) ||
            (n->kind == AST_INDEX && !through_pointer)) {
            n = sema_strip(n->kid[0]);
        } else if ((n->kind == AST_MEMBER && n->op == OP_ARROW) || through_pointer ||
                   (n->kind == AST_UNARY && n->op == OP_DEREF)) {
            const ast_node *pointer = path_origin(v, n->kid[0]);
            if (pointer->kind == AST_UNARY && pointer->op == OP_ADDR)
                n = sema_strip(pointer->kid[0]);
            else if (sema_type(v->cx->sema, v->fn, pointer)->cls == CTYPE_ARRAY)
                n = pointer;
            else
                return NULL;
        } else {
            break;
        }
    }
    if (n->kind != AST_IDENT || !is_variable(n->ref))
        return NULL;
    bool is_automatic = n->ref->storage == STORAGE_AUTO || n->ref->storage == STORAGE_REGISTER;
    return is_automatic && !n->ref->is_thread_local ? n->ref : NULL;
}
