/* SPDX-License-Identifier: MIT */
/*
 * Footprints come from the kinds of the arguments (await_sites.h) and, where the unit has the
 * callee's body, from the globals that it names, followed through the bodies that it calls.
 */
#include "rules/await_order.h"

#include "analyzer/base/check.h"
#include "rules/name_words.h"

enum { BODY_DEPTH = 4 };

/* ---- globals of bodies ------------------------------------------------------------------------
 */

struct body_walk {
    rule_cx *cx;
    struct sema_function *fn;
    struct footprint *out;
    unsigned depth;
};

static void add_globals(const struct body_walk *w, const ast_node *n, bool is_written);

static bool is_constant(const ctype *type)
{
    while (type->cls == CTYPE_ARRAY && type->elem != NULL)
        type = type->elem;
    return type->is_const;
}

/* The global, or static local, that an identifier names; root NULL: it names none that changes. */
static struct access_path shared_variable(const struct body_walk *w, const ast_node *n)
{
    struct access_path p = {.root_text = ast_node_text(w->fn->tree, n), .is_deep = true};
    sema_symbol *s = sema_ident_symbol(w->cx->sema, w->fn, n);
    bool is_static = s == NULL && n->ref != NULL && n->ref->kind == DECL_VAR &&
                     n->ref->storage == STORAGE_STATIC;
    if (s != NULL && s->kind == SYMBOL_VARIABLE && !s->is_system &&
        !is_constant(sema_symbol_type(w->cx->sema, s))) {
        p.root = s;
        p.global = s;
    } else if (is_static && !is_constant(sema_decl_type(w->cx->sema, w->fn, n->ref))) {
        p.root = n->ref;
    }
    return p;
}

static void add_callee_globals(const struct body_walk *w, const ast_node *call)
{
    struct sema_function *body = await_body_of(w->cx, sema_callee(w->cx->sema, w->fn, call));
    if (body == NULL || body == w->fn || w->depth == 0)
        return;
    struct body_walk inner = {w->cx, body, w->out, w->depth - 1};
    add_globals(&inner, body->tree->root, false);
}

static void add_globals(const struct body_walk *w, const ast_node *n, bool is_written)
{
    if (n->is_unevaluated)
        return;
    if (n->kind == AST_IDENT) {
        struct access_path p = shared_variable(w, n);
        if (p.root != NULL && is_written)
            VEC_PUSH(w->cx->mem, &w->out->writes, p);
        else if (p.root != NULL)
            VEC_PUSH(w->cx->mem, &w->out->reads, p);
        return;
    }
    if (n->kind == AST_CALL)
        add_callee_globals(w, n);
    for (uint32_t i = 0; i < n->kid_count; i++) {
        const ast_node *k = n->kid[i];
        if (k == NULL)
            continue;
        bool writes = ((n->kind == AST_ASSIGN || n->kind == AST_PREFIX || n->kind == AST_POSTFIX) &&
                       i == 0) ||
                      (n->kind == AST_UNARY && n->op == OP_ADDR);
        bool is_base = n->kind == AST_MEMBER || (n->kind == AST_INDEX && i == 0) ||
                       n->kind == AST_PAREN || n->kind == AST_CAST ||
                       (n->kind == AST_UNARY && n->op == OP_DEREF);
        add_globals(w, k, writes || (is_written && is_base));
    }
}

/* ---- footprints -------------------------------------------------------------------------------
 */

static bool holds_handle(const ctype *type)
{
    for (size_t i = 0; type->record != NULL && i < type->record->fields.count; i++) {
        const struct cfield *f = &type->record->fields.at[i];
        if (f->type->cls == CTYPE_POINTER && f->type->elem != NULL && !f->type->elem->is_const)
            return true;
        if (sv_is(f->name, "fd") || sv_ends(f->name, "_fd") || sv_is(f->name, "sock"))
            return true;
    }
    return false;
}

static void add_argument(const struct access_cx *a, const struct await_arg *arg,
                         struct footprint *out)
{
    arena *mem = a->cx->mem;
    struct access_path p;
    switch (arg->kind) {
    case ARG_SCALAR:
        return;
    case ARG_DESCRIPTOR:
        VEC_PUSH(mem, &out->descriptors, access_lvalue(a, arg->node));
        VEC_PUSH(mem, &out->descriptor_nodes, arg->node);
        return;
    case ARG_RECORD:
        if (holds_handle(arg->type)) {
            p = access_lvalue(a, arg->node);
            p.is_deep = true;
            VEC_PUSH(mem, &out->writes, p);
        }
        return;
    case ARG_OBJECT:
    case ARG_BORROWED:
        if (sema_strip(arg->node)->kind == AST_STRING)
            return;
        p = access_pointee(a, arg->node);
        p.is_deep = true;
        if (arg->kind == ARG_OBJECT)
            VEC_PUSH(mem, &out->writes, p);
        else
            VEC_PUSH(mem, &out->reads, p);
        return;
    }
}

/* Through a pointer in an object (ops->read): the object is read. */
static void add_callee_object(const struct access_cx *a, const struct await_call *c,
                              struct footprint *out)
{
    const ast_node *n = sema_strip(c->node->kid[0]);
    if (c->callee != NULL || n->kind != AST_MEMBER)
        return;
    struct access_path p =
        n->op == OP_ARROW ? access_pointee(a, n->kid[0]) : access_lvalue(a, n->kid[0]);
    VEC_PUSH(a->cx->mem, &out->reads, p);
}

void footprint_of_site(const struct access_cx *a, const struct await_site *site,
                       struct footprint *out)
{
    for (uint32_t i = 0; i < site->call_count; i++) {
        const struct await_call *c = &site->calls[i];
        for (uint32_t k = 0; k < c->arg_count; k++)
            add_argument(a, &c->args[k], out);
        add_callee_object(a, c, out);
        if (c->target != NULL)
            VEC_PUSH(a->cx->mem, &out->writes, access_lvalue(a, c->target));
        if (c->body != NULL) {
            struct body_walk walk = {a->cx, c->body, out, BODY_DEPTH};
            add_globals(&walk, c->body->tree->root, false);
        }
    }
}

#define ANY_OVERLAPS(list, p)                                                                      \
    for (size_t i_ = 0; i_ < (list).count; i_++) {                                                 \
        if (access_overlap(&(list).at[i_], (p)))                                                   \
            return true;                                                                           \
    }

bool footprint_writes(const struct footprint *f, const struct access_path *p)
{
    ANY_OVERLAPS(f->writes, p)
    return false;
}

bool footprint_touches(const struct footprint *f, const struct access_path *p)
{
    ANY_OVERLAPS(f->reads, p)
    return footprint_writes(f, p);
}

static bool same_descriptor(const struct access_cx *a, const struct footprint *f, size_t i,
                            const struct footprint *g, size_t k)
{
    int64_t x, y;
    bool is_x = sema_constant(a->cx->sema, a->fn, f->descriptor_nodes.at[i], &x);
    bool is_y = sema_constant(a->cx->sema, a->fn, g->descriptor_nodes.at[k], &y);
    if (is_x || is_y)
        return is_x && is_y && x == y;
    return access_overlap(&f->descriptors.at[i], &g->descriptors.at[k]);
}

static bool meet_by_descriptor(const struct access_cx *a, const struct footprint *f,
                               const struct footprint *g)
{
    for (size_t i = 0; i < f->descriptors.count; i++) {
        if (footprint_writes(g, &f->descriptors.at[i]))
            return true;
        for (size_t k = 0; k < g->descriptors.count; k++) {
            if (same_descriptor(a, f, i, g, k))
                return true;
        }
    }
    for (size_t k = 0; k < g->descriptors.count; k++) {
        if (footprint_writes(f, &g->descriptors.at[k]))
            return true;
    }
    return false;
}

static bool footprints_meet(const struct access_cx *a, const struct footprint *f,
                            const struct footprint *g)
{
    for (size_t i = 0; i < f->writes.count; i++) {
        if (footprint_touches(g, &f->writes.at[i]))
            return true;
    }
    for (size_t i = 0; i < g->writes.count; i++) {
        if (footprint_touches(f, &g->writes.at[i]))
            return true;
    }
    return meet_by_descriptor(a, f, g);
}

/* ---- protocols --------------------------------------------------------------------------------
 */

/* Does the name speak of a step that others come before or behind? */
static bool is_step_name(strview name)
{
    return NAME_HAS(
        name, "begin", "start", "stop", "commit", "rollback", "abort", "open", "close", "init",
        "setup", "shutdown", "finish", "end", "flush", "sync", "fsync", "lock", "unlock", "acquire",
        "release", "connect", "disconnect", "login", "logout", "auth", "authenticate", "handshake",
        "prepare", "execute", "create", "delete", "remove", "destroy", "drop", "reset", "wait",
        "drain", "checkpoint", "publish", "save", "store", "put", "insert", "update", "append",
        "set", "write", "mount", "unmount", "enable", "disable", "register", "unregister",
        "subscribe", "unsubscribe", "ack", "negotiate", "upgrade", "reload", "migrate", "rename",
        "move", "configure", "activate", "deactivate", "join", "leave", "attach", "detach",
        "suspend", "resume", "power", "invalidate", "clear", "apply", "install");
}

/* Does it make lasting, or visible, what was done before, whatever that was? */
static bool is_seal_name(strview name)
{
    return NAME_HAS(name, "fsync", "fdatasync", "rename", "commit", "rollback", "publish");
}

static bool is_sender_name(strview name)
{
    return NAME_HAS(name, "send", "write", "put", "post", "request", "ask", "submit", "command",
                    "cmd", "transmit", "push");
}

static bool is_receiver_name(strview name)
{
    return NAME_HAS(name, "recv", "receive", "read", "reply", "response", "answer", "ack", "expect",
                    "wait", "result");
}

/* Does some argument appear, as text, in both calls, and is it a variable? */
static bool share_argument(const struct access_cx *a, const struct await_call *x,
                           const struct await_call *y)
{
    for (uint32_t i = 0; i < x->arg_count; i++) {
        int64_t ignored;
        if (sema_constant(a->cx->sema, a->fn, x->args[i].node, &ignored))
            continue;
        strview text = ast_node_text(a->fn->tree, sema_strip(x->args[i].node));
        for (uint32_t k = 0; k < y->arg_count; k++) {
            if (sv_equal(text, ast_node_text(a->fn->tree, sema_strip(y->args[k].node))))
                return true;
        }
    }
    return false;
}

/* The same question once more: a sample at another time, or the next of a hidden row. */
static bool is_repetition(const struct access_cx *a, const struct await_call *x,
                          const struct await_call *y)
{
    if (x->callee == NULL || x->callee != y->callee || x->arg_count != y->arg_count)
        return false;
    for (uint32_t i = 0; i < x->arg_count; i++) {
        if (!sv_equal(ast_node_text(a->fn->tree, x->args[i].node),
                      ast_node_text(a->fn->tree, y->args[i].node)))
            return false;
    }
    return true;
}

/* Does the await only act on what is not named: no result that is used, no memory that it fills, no
 * descriptor? */
static bool is_mere_action(const struct access_cx *a, const struct await_site *site)
{
    const ast_node *n = site->node, *parent = n->parent;
    while (parent != NULL && (parent->kind == AST_PAREN || parent->kind == AST_CAST)) {
        n = parent;
        parent = parent->parent;
    }
    bool is_used = parent != NULL && parent->kind != AST_EXPR_STMT;
    if (is_used && sema_type(a->cx->sema, a->fn, site->node)->cls != CTYPE_VOID)
        return false;
    for (uint32_t i = 0; i < site->call_count; i++) {
        const struct await_call *c = &site->calls[i];
        for (uint32_t k = 0; k < c->arg_count; k++) {
            if (c->args[k].kind == ARG_OBJECT || c->args[k].kind == ARG_DESCRIPTOR)
                return false;
        }
        if (c->target != NULL)
            return false;
    }
    (void)n;
    return true;
}

static bool has_handle(const struct await_call *c)
{
    for (uint32_t i = 0; i < c->arg_count; i++) {
        if (c->args[i].kind == ARG_DESCRIPTOR || c->args[i].kind == ARG_OBJECT)
            return true;
    }
    return false;
}

static bool is_stream_pair(const struct await_call *x, const struct await_call *y)
{
    bool leaves = (x->role == ROLE_WRITE && y->role == ROLE_READ) ||
                  (x->role == ROLE_READ && y->role == ROLE_WRITE);
    if (leaves)
        return true;
    bool sends_x = x->role == ROLE_WRITE || is_sender_name(x->name);
    bool gets_y = y->role == ROLE_READ || is_receiver_name(y->name);
    return sends_x && gets_y && !is_receiver_name(x->name) && has_handle(x) && has_handle(y);
}

static bool is_file_pair(const struct access_cx *a, const struct await_call *x,
                         const struct await_call *y)
{
    bool files = (x->role == ROLE_LOOKUP || x->role == ROLE_CHANGE) &&
                 (y->role == ROLE_LOOKUP || y->role == ROLE_CHANGE);
    if (!files || (x->role == ROLE_LOOKUP && y->role == ROLE_LOOKUP))
        return false;
    bool one_file = sv_is(x->name, "aw_write_file") && sv_is(y->name, "aw_write_file");
    return !one_file || share_argument(a, x, y);
}

static bool is_fetch_name(strview name)
{
    return NAME_HAS(name, "get", "load", "fetch", "read", "query", "find", "lookup", "resolve",
                    "check", "test", "count", "list", "ask", "poll", "probe", "ping", "measure",
                    "sample", "refresh", "warm", "notify", "send", "tell");
}

/* load_quota, load_mail: two of a kind. tx_begin, tx_commit are not: tx is no verb. */
static bool same_verb(strview x, strview y)
{
    size_t len = 0;
    while (len < x.len && len < y.len && x.at[len] == y.at[len] && x.at[len] != '_')
        len++;
    bool same = len > 0 && len < x.len && len < y.len && x.at[len] == '_' && y.at[len] == '_';
    strview word = {x.at, len};
    return same && (is_step_name(word) || is_fetch_name(word));
}

static bool protocol_orders(const struct access_cx *a, const struct await_site *first,
                            const struct await_call *x, const struct await_site *second,
                            const struct await_call *y)
{
    if (is_stream_pair(x, y) || is_file_pair(a, x, y) || is_repetition(a, x, y))
        return true;
    bool acts_x = is_mere_action(a, first), acts_y = is_mere_action(a, second);
    if ((acts_x && x->arg_count == 0) || (acts_y && y->arg_count == 0))
        return true;
    bool same_callee = x->callee != NULL && x->callee == y->callee;
    bool are_siblings = same_callee || same_verb(x->name, y->name);
    bool seals = is_seal_name(x->name) || is_seal_name(y->name);
    if (!are_siblings && (seals || (acts_x && acts_y)))
        return true;
    if (same_callee && acts_x && acts_y && is_step_name(x->name) && share_argument(a, x, y))
        return true;
    if (are_siblings || !(acts_x || acts_y))
        return false;
    bool steps = is_step_name(x->name) || is_step_name(y->name);
    return steps && share_argument(a, x, y);
}

bool await_has_order(const struct access_cx *a, const struct await_site *first,
                     const struct footprint *f, const struct await_site *second,
                     const struct footprint *g)
{
    if (footprints_meet(a, f, g))
        return true;
    if (first->is_form && first->operand->op == FORM_ALL)
        return true; /* what could wait with them is among them already */
    for (uint32_t i = 0; i < first->call_count; i++) {
        for (uint32_t k = 0; k < second->call_count; k++) {
            if (protocol_orders(a, first, &first->calls[i], second, &second->calls[k]))
                return true;
        }
    }
    return false;
}

/* ---- plain calls ------------------------------------------------------------------------------
 */

bool has_await(const ast_node *n)
{
    if (n->is_unevaluated)
        return false;
    if (n->kind == AST_AWAIT)
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && has_await(n->kid[i]))
            return true;
    }
    return false;
}

bool has_noreturn_call(rule_cx *cx, const struct sema_function *fn, const ast_node *n)
{
    if (n->kind == AST_CALL && sema_call_is_noreturn(cx->sema, fn, n))
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && has_noreturn_call(cx, fn, n->kid[i]))
            return true;
    }
    return false;
}

static bool is_c_library_helper(strview name)
{
    return sv_starts(name, "mem") || (sv_starts(name, "str") && !sv_starts(name, "str_")) ||
           sv_starts(name, "hto") || sv_starts(name, "ntoh") || sv_starts(name, "__builtin_") ||
           NAME_HAS(name, "snprintf", "vsnprintf", "sprintf", "malloc", "calloc", "realloc", "free",
                    "atoi", "atol", "abs", "labs", "isdigit", "isalpha", "isspace", "tolower",
                    "toupper", "qsort", "bsearch", "inet_pton", "inet_ntop", "sscanf", "va_start");
}

static bool is_output(strview name)
{
    return NAME_HAS(name, "printf", "fprintf", "dprintf", "vprintf", "vfprintf", "puts", "fputs",
                    "putchar", "fputc", "putc", "fwrite", "perror", "syslog", "log", "trace",
                    "debug", "warn", "warnx", "info", "logf");
}

static bool is_clock(strview name)
{
    return NAME_HAS(name, "now", "time", "clock", "gettime", "gettimeofday", "ticks", "stamp",
                    "timestamp", "usleep", "nanosleep", "sleep", "lock", "unlock", "fence",
                    "barrier");
}

static enum plain_effect effect_in(const struct access_cx *a, const ast_node *call, bool is_dropped,
                                   unsigned depth);

/* What the calls and stores of a body amount to. */
static enum plain_effect body_effect(const struct access_cx *a, const ast_node *n, unsigned depth)
{
    enum plain_effect worst = PLAIN_QUIET;
    if (n->is_unevaluated)
        return worst;
    if (n->kind == AST_CALL) {
        bool is_dropped = n->parent != NULL && n->parent->kind == AST_EXPR_STMT;
        worst = effect_in(a, n, is_dropped, depth);
    }
    if (n->kind == AST_FORM || n->kind == AST_ASM || n->kind == AST_AWAIT)
        return PLAIN_ORDER;
    bool writes = n->kind == AST_ASSIGN || n->kind == AST_PREFIX || n->kind == AST_POSTFIX;
    if (writes && access_lvalue(a, n->kid[0]).global != NULL)
        return PLAIN_ORDER;
    for (uint32_t i = 0; i < n->kid_count && worst != PLAIN_ORDER; i++) {
        if (n->kid[i] == NULL)
            continue;
        enum plain_effect effect = body_effect(a, n->kid[i], depth);
        worst = effect > worst ? effect : worst;
    }
    return worst;
}

/* Are all its pointers those of local variables? Then its effect is what they hold. */
static bool works_on_locals(const struct access_cx *a, const ast_node *call)
{
    bool any = false;
    for (uint32_t i = 0; i < sema_arg_count(call); i++) {
        const ast_node *n = sema_arg(call, i);
        enum ctype_class cls = sema_type(a->cx->sema, a->fn, n)->cls;
        if ((cls != CTYPE_POINTER && cls != CTYPE_ARRAY) || sema_strip(n)->kind == AST_STRING)
            continue;
        struct access_path p = access_pointee(a, n);
        if (p.local == NULL || (p.count > 0 && p.steps[0].kind == STEP_DEREF))
            return false;
        any = true;
    }
    return any;
}

static enum plain_effect effect_in(const struct access_cx *a, const ast_node *call, bool is_dropped,
                                   unsigned depth)
{
    sema_symbol *callee = sema_callee(a->cx->sema, a->fn, call);
    strview name = sema_callee_name(a->cx->sema, a->fn, call);
    if (sema_call_is_noreturn(a->cx->sema, a->fn, call))
        return PLAIN_ORDER;
    if (is_c_library_helper(name))
        return PLAIN_QUIET;
    if (is_output(name))
        return PLAIN_OUTPUT;
    if (name.len == 0 || is_clock(name))
        return PLAIN_ORDER;
    struct sema_function *body = await_body_of(a->cx, callee);
    if (body != NULL) {
        if (depth == 0 || body == a->fn)
            return PLAIN_ORDER;
        struct access_cx inner = access_begin(a->cx, body);
        return body_effect(&inner, body->tree->root, depth - 1);
    }
    if (is_dropped)
        return works_on_locals(a, call) ? PLAIN_QUIET : PLAIN_ORDER;
    return sema_arg_count(call) == 0 ? PLAIN_ORDER : PLAIN_QUIET;
}

enum plain_effect plain_call_effect(const struct access_cx *a, const ast_node *call,
                                    bool is_dropped)
{
    return effect_in(a, call, is_dropped, BODY_DEPTH);
}
