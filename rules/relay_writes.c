/* SPDX-License-Identifier: MIT */
/*
 * A read callback is told by its parameters. What it writes to is another connection if that is its
 * context, or a field whose name says so; the field in which a client keeps its own is none.
 */
#include "rules/relay_writes.h"

#include "rules/await_sites.h"
#include "rules/tree_terms.h"

enum { MAX_STEPS = 4 };

/* Calls that queue, and which argument tells for whom. */
static const struct {
    const char *name;
    uint32_t target;
} queueing[] = {
    {"bufferevent_write", 0}, {"bufferevent_write_buffer", 0},
    {"evbuffer_add", 0},      {"evbuffer_add_buffer", 0},
    {"uv_write", 1},
};

static const char *const limiting[] = {
    "bufferevent_disable", "bufferevent_setwatermark",       "evbuffer_get_length",
    "uv_read_stop",        "uv_stream_get_write_queue_size", "uv_try_write"};
static const char other_words[] = "peer partner other remote upstream downstream dst dest sink out "
                                  "output target backend mirror sub subscriber to into";

/* What a parameter points to; NULL: it is no pointer. */
static const ctype *pointee_of(rule_cx *cx, const ast_decl *param)
{
    const ctype *type = sema_decl_type(cx->sema, cx->fn, param);
    return type->cls == CTYPE_POINTER ? type->elem : NULL;
}

bool is_uv_stream(rule_cx *cx, const ast_decl *param)
{
    const ctype *to = pointee_of(cx, param);
    return to != NULL && (sv_is(to->name, "uv_stream_t") ||
                          (to->record != NULL && sv_is(to->record->tag, "uv_stream_s")));
}

/* Is the function the callback of a library that queues: what its own connection is; NULL. */
static const ast_decl *own_connection(rule_cx *cx)
{
    const ast_function *fn = cx->fn->tree;
    if (fn->is_async || fn->params.count < 2 || fn->params.count > 3)
        return NULL;
    const ctype *to = pointee_of(cx, fn->params.at[0]);
    bool is_event = to != NULL && to->record != NULL && sv_is(to->record->tag, "bufferevent");
    bool is_uv = is_uv_stream(cx, fn->params.at[0]);
    return (is_event && fn->params.count == 2) || (is_uv && fn->params.count == 3)
               ? fn->params.at[0]
               : NULL;
}

bool is_read_callback(rule_cx *cx)
{
    return own_connection(cx) != NULL;
}

static bool is_other(rule_cx *cx, const ast_decl *own, const ast_node *n, unsigned depth);

/* Is a local another connection: by where its value comes from? */
static bool local_is_other(rule_cx *cx, const ast_decl *own, const ast_decl *d, unsigned depth)
{
    const ast_function *fn = cx->fn->tree;
    if (d->kind == DECL_PARAM)
        return fn->params.count == 2 && d == fn->params.at[1]; /* the context */
    const struct local_use *use = &await_local_uses(cx, cx->fn)->at[d->id];
    return use->assignments == 1 && use->value != NULL && is_other(cx, own, use->value, depth + 1);
}

static bool is_other(rule_cx *cx, const ast_decl *own, const ast_node *n, unsigned depth)
{
    const ast_function *fn = cx->fn->tree;
    n = sema_strip(n);
    if (n->kind == AST_UNARY && n->op == OP_ADDR)
        n = sema_strip(n->kid[0]);
    if (depth > MAX_STEPS || (n->kind == AST_IDENT && n->ref == own))
        return false;
    if (n->kind == AST_CALL)
        return sv_is(sema_callee_name(cx->sema, cx->fn, n), "bufferevent_get_output") &&
               sema_arg_count(n) == 1 && is_other(cx, own, sema_arg(n, 0), depth + 1);
    if (n->kind == AST_MEMBER)
        return name_has_word(ast_token_text(fn, n->name_token), other_words);
    return n->kind == AST_IDENT && n->ref != NULL && local_is_other(cx, own, n->ref, depth);
}

struct write_search {
    rule_cx *cx;
    const ast_decl *own;
    const ast_node *found;
};

static bool visit_write(void *context, const ast_node *n)
{
    struct write_search *search = context;
    rule_cx *cx = search->cx;
    if (n->kind != AST_CALL || search->found != NULL)
        return search->found == NULL;
    strview name = sema_callee_name(cx->sema, cx->fn, n);
    for (size_t i = 0; i < sizeof queueing / sizeof queueing[0]; i++) {
        if (sv_is(name, queueing[i].name) && queueing[i].target < sema_arg_count(n) &&
            is_other(cx, search->own, sema_arg(n, queueing[i].target), 0))
            search->found = n;
    }
    return search->found == NULL;
}

struct limit_search {
    rule_cx cx;
    bool found;
};

static bool visit_limit(void *context, const ast_node *n)
{
    struct limit_search *search = context;
    for (size_t i = 0; n->kind == AST_CALL && i < sizeof limiting / sizeof limiting[0]; i++)
        search->found = search->found ||
                        sv_is(sema_callee_name(search->cx.sema, search->cx.fn, n), limiting[i]);
    if (n->kind == AST_MEMBER)
        search->found = search->found || sv_is(ast_token_text(search->cx.fn->tree, n->name_token),
                                               "write_queue_size");
    return !search->found;
}

static bool unit_limits(rule_cx *cx)
{
    uint32_t count;
    struct sema_function *const *all = sema_unit_functions(cx->sema, &count);
    struct limit_search search = {.cx = *cx};
    for (uint32_t i = 0; i < count && !search.found; i++) {
        search.cx.fn = all[i];
        if (all[i]->in_source)
            tree_visit(all[i]->tree->root, visit_limit, &search);
    }
    return search.found;
}

const ast_node *relay_write_of(rule_cx *cx)
{
    struct write_search search = {.cx = cx, .own = own_connection(cx)};
    if (search.own == NULL)
        return NULL;
    tree_visit(cx->fn->tree->root, visit_write, &search);
    return search.found == NULL || unit_limits(cx) ? NULL : search.found;
}
