/* SPDX-License-Identifier: MIT */
/*
 * One walk over a function finds its awaits; what a call's arguments are, and whether it can fail,
 * is worked out from the callee's body if the unit has it, else from its prototype. Questions that
 * follow bodies remember their answers in the function, and end where they come back to themselves.
 */
#include "rules/await_sites.h"

#include "analyzer/base/check.h"
#include "rules/name_words.h"

enum memo { MEMO_NONE, MEMO_BUSY, MEMO_NO, MEMO_YES };

/* sema_function.facts */
struct function_awaits {
    struct await_sites sites;
    bool has_sites;
    const struct local_uses *uses; /* NULL: not asked for yet */
    enum memo waits, can_fail;
    uint8_t *param_is_descriptor; /* [params]: enum memo */
};

static struct function_awaits *facts_of(rule_cx *cx, struct sema_function *fn)
{
    if (fn->facts == NULL) {
        struct function_awaits *f = ARENA_NEW(cx->mem, struct function_awaits);
        f->param_is_descriptor = ARENA_ARRAY(cx->mem, uint8_t, fn->tree->params.count + 1);
        fn->facts = f;
    }
    return fn->facts;
}

struct sema_function *await_body_of(rule_cx *cx, const sema_symbol *symbol)
{
    uint32_t count;
    if (symbol == NULL || symbol->function == NULL)
        return NULL;
    return sema_unit_functions(cx->sema, &count)[symbol->function->index];
}

/* ---- leaves -----------------------------------------------------------------------------------
 */

struct leaf {
    const char *name;
    enum await_role role;
    bool can_fail;
    int descriptors[2];
};

static const struct leaf leaves[] = {
#define LEAF(name, role, fails, first, second) {name, ROLE_##role, fails, {first, second}},
#include "rules/await_leaves.def"
#undef LEAF
};

/* The line of a name, the longest prefix if it has none of its own; NULL. */
static const struct leaf *find_leaf(strview name)
{
    const struct leaf *best = NULL;
    for (size_t i = 0; i < COUNTOF(leaves); i++) {
        if (sv_is(name, leaves[i].name))
            return &leaves[i];
        if (sv_ends(sv_from(leaves[i].name), "_") && sv_starts(name, leaves[i].name))
            best = &leaves[i];
    }
    return best;
}

static bool is_leaf_name(strview name, const sema_symbol *callee)
{
    return sv_starts(name, "aw_") && (callee == NULL || callee->function == NULL);
}

/* ---- types ------------------------------------------------------------------------------------
 */

bool await_type_is_signed(const ctype *type)
{
    return type->cls == CTYPE_INT && !type->is_unsigned;
}

static const ctype *function_type(rule_cx *cx, const struct sema_function *fn, const ast_node *call)
{
    const ctype *type = sema_type(cx->sema, fn, call->kid[0]);
    while (type->cls == CTYPE_POINTER && type->elem != NULL)
        type = type->elem;
    return type->cls == CTYPE_FUNCTION ? type : NULL;
}

/* ---- descriptors ------------------------------------------------------------------------------
 */

static bool has_word(strview name, const char *word)
{
    size_t len = strlen(word);
    for (size_t i = 0; i + len <= name.len; i++) {
        bool starts = i == 0 || name.at[i - 1] == '_';
        bool ends = i + len == name.len || name.at[i + len] == '_' ||
                    (name.at[i + len] >= '0' && name.at[i + len] <= '9');
        if (starts && ends && memcmp(name.at + i, word, len) == 0)
            return true;
    }
    return false;
}

/* Does the name say that an int is a descriptor? */
static bool is_descriptor_name(strview name)
{
    static const char *const words[] = {
        "fd",  "fds", "sock", "socket", "sockfd", "listener", "conn_fd",     "connfd", "pipefd",
        "sfd", "cfd", "efd",  "infd",   "outfd",  "filefd",   "client_sock", "filedes"};
    for (size_t i = 0; i < COUNTOF(words); i++) {
        if (has_word(name, words[i]))
            return true;
    }
    return name.len > 2 && (sv_ends(name, "fd") || sv_ends(name, "Fd") || sv_ends(name, "sock"));
}

static bool param_is_descriptor(rule_cx *cx, struct sema_function *fn, uint32_t param);

/* Does argument i of a call have to be a descriptor, as far as the callee tells? */
static bool callee_takes_descriptor(rule_cx *cx, const struct sema_function *fn,
                                    const ast_node *call, uint32_t i)
{
    sema_symbol *callee = sema_callee(cx->sema, fn, call);
    strview name = sema_callee_name(cx->sema, fn, call);
    const struct leaf *leaf = is_leaf_name(name, callee) ? find_leaf(name) : NULL;
    if (leaf != NULL && ((int)i == leaf->descriptors[0] || (int)i == leaf->descriptors[1]))
        return true;
    struct sema_function *body = await_body_of(cx, callee);
    if (body != NULL)
        return param_is_descriptor(cx, body, i);
    const ctype *type = function_type(cx, fn, call);
    if (callee == NULL || type == NULL || i >= type->param_count ||
        !await_type_is_signed(type->params[i]))
        return false;
    return is_descriptor_name(sema_param_name(cx->sema, callee, i));
}

struct descriptor_search {
    rule_cx *cx;
    const struct sema_function *fn;
    const ast_decl *decl;
};

/* Is the variable an argument that must be a descriptor, anywhere below n? */
static bool reaches_descriptor(const struct descriptor_search *s, const ast_node *n)
{
    for (uint32_t i = 0; i < n->kid_count; i++) {
        const ast_node *k = n->kid[i];
        if (k == NULL)
            continue;
        if (n->kind == AST_CALL && i > 0 && sema_strip(k)->kind == AST_IDENT &&
            sema_strip(k)->ref == s->decl && callee_takes_descriptor(s->cx, s->fn, n, i - 1))
            return true;
        if (reaches_descriptor(s, k))
            return true;
    }
    return false;
}

static bool param_is_descriptor(rule_cx *cx, struct sema_function *fn, uint32_t param)
{
    if (param >= fn->tree->params.count)
        return false;
    struct function_awaits *f = facts_of(cx, fn);
    const ast_decl *decl = fn->tree->params.at[param];
    uint8_t *memo = &f->param_is_descriptor[param];
    if (*memo == MEMO_NONE) {
        *memo = MEMO_BUSY;
        struct descriptor_search search = {cx, fn, decl};
        bool is = await_type_is_signed(sema_decl_type(cx->sema, fn, decl)) &&
                  reaches_descriptor(&search, fn->tree->root);
        *memo = is ? MEMO_YES : MEMO_NO;
    }
    return *memo == MEMO_YES;
}

/* Does the call make a descriptor? */
static bool makes_descriptor(strview name)
{
    static const char *const makers[] = {
        "accept",        "accept4",     "aw_accept",       "aw_open",        "aw_tcp_connect",
        "aw_tcp_listen", "aw_udp_bind", "aw_unix_connect", "aw_unix_listen", "dup",
        "epoll_create1", "eventfd",     "inotify_init1",   "memfd_create",   "open",
        "openat",        "signalfd",    "socket",          "timerfd_create"};
    for (size_t i = 0; i < COUNTOF(makers); i++) {
        if (sv_is(name, makers[i]))
            return true;
    }
    return false;
}

static const ast_node *below_await(const ast_node *n)
{
    n = sema_strip(n);
    return n->kind == AST_AWAIT ? sema_strip(n->kid[0]) : n;
}

static bool is_given_descriptor(const struct descriptor_search *s, const ast_node *n)
{
    const ast_node *value = NULL;
    if (n->kind == AST_DECLARATOR && n->ref == s->decl && n->kid_count != 0)
        value = n->kid[n->kid_count - 1];
    else if (n->kind == AST_ASSIGN && sema_strip(n->kid[0])->ref == s->decl)
        value = n->kid[1];
    if (value != NULL && below_await(value)->kind == AST_CALL &&
        makes_descriptor(sema_callee_name(s->cx->sema, s->fn, below_await(value))))
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && is_given_descriptor(s, n->kid[i]))
            return true;
    }
    return false;
}

bool await_is_descriptor(rule_cx *cx, struct sema_function *fn, const ast_node *n)
{
    n = sema_strip(n);
    while (n->kind == AST_INDEX)
        n = sema_strip(n->kid[0]);
    if (n->kind == AST_MEMBER)
        return is_descriptor_name(ast_token_text(fn->tree, n->name_token));
    if (n->kind != AST_IDENT)
        return false;
    if (is_descriptor_name(ast_node_text(fn->tree, n)))
        return true;
    if (n->ref == NULL || (n->ref->kind != DECL_VAR && n->ref->kind != DECL_PARAM))
        return false;
    struct descriptor_search search = {cx, fn, n->ref};
    return reaches_descriptor(&search, fn->tree->root) ||
           is_given_descriptor(&search, fn->tree->root);
}

/* ---- calls ------------------------------------------------------------------------------------
 */

static enum await_arg_kind pointer_kind(const ctype *type, const struct leaf *leaf,
                                        bool is_declared)
{
    if (type->elem == NULL || type->elem->cls == CTYPE_FUNCTION)
        return ARG_SCALAR;
    bool only_reads =
        leaf != NULL && !is_declared && (leaf->role == ROLE_WRITE || leaf->role == ROLE_LOOKUP);
    return type->elem->is_const || only_reads ? ARG_BORROWED : ARG_OBJECT;
}

static enum await_arg_kind arg_kind(rule_cx *cx, struct sema_function *fn,
                                    const struct await_call *c, uint32_t i, const ctype *type,
                                    bool is_declared)
{
    const ast_node *n = c->args[i].node;
    const struct leaf *leaf = c->is_leaf ? find_leaf(c->name) : NULL;
    if (sema_strip(n)->kind == AST_STRING)
        return ARG_BORROWED;
    switch (type->cls) {
    case CTYPE_RECORD:
        return ARG_RECORD;
    case CTYPE_POINTER:
    case CTYPE_ARRAY:
        return sema_is_null(cx->sema, fn, n) ? ARG_SCALAR : pointer_kind(type, leaf, is_declared);
    case CTYPE_INT:
        break;
    default:
        return ARG_SCALAR;
    }
    if (callee_takes_descriptor(cx, fn, c->node, i))
        return ARG_DESCRIPTOR;
    bool may_be = c->body == NULL && await_type_is_signed(type) && !c->is_leaf;
    return may_be && await_is_descriptor(cx, fn, n) ? ARG_DESCRIPTOR : ARG_SCALAR;
}

static bool function_can_fail(rule_cx *cx, struct sema_function *fn);
static bool function_waits(rule_cx *cx, struct sema_function *fn);

static bool call_can_fail(rule_cx *cx, const struct sema_function *fn, const struct await_call *c)
{
    const struct leaf *leaf = c->is_leaf ? find_leaf(c->name) : NULL;
    if (leaf != NULL && !leaf->can_fail)
        return false;
    if (leaf != NULL && c->callee == NULL)
        return true; /* of a header that is not there; what the runtime promises holds */
    if (!await_type_is_signed(sema_type(cx->sema, fn, c->node)))
        return false;
    return c->body == NULL || function_can_fail(cx, c->body);
}

struct await_call await_call_of(rule_cx *cx, struct sema_function *fn, const ast_node *call)
{
    struct await_call c = {.node = call, .pool = FORM_ALL};
    c.callee = sema_callee(cx->sema, fn, call);
    c.name = sema_callee_name(cx->sema, fn, call);
    c.body = await_body_of(cx, c.callee);
    c.is_leaf = is_leaf_name(c.name, c.callee);
    const struct leaf *leaf = c.is_leaf ? find_leaf(c.name) : NULL;
    c.role = leaf == NULL ? ROLE_WORK : leaf->role;
    c.arg_count = sema_arg_count(call);
    c.args = ARENA_ARRAY(cx->mem, struct await_arg, c.arg_count + 1);
    const ctype *type = function_type(cx, fn, call);
    for (uint32_t i = 0; i < c.arg_count; i++) {
        struct await_arg *arg = &c.args[i];
        arg->node = sema_arg(call, i);
        bool is_declared = type != NULL && i < type->param_count;
        arg->type = is_declared ? type->params[i] : sema_type(cx->sema, fn, arg->node);
        arg->kind = arg_kind(cx, fn, &c, i, arg->type, is_declared);
    }
    return c;
}

/* ---- sites ------------------------------------------------------------------------------------
 */

struct site_walk {
    rule_cx *cx;
    struct sema_function *fn;
    VEC(struct await_site) sites;
};

typedef VEC(struct await_call) call_list;

static bool is_pool(const ast_node *n)
{
    return n->op == FORM_BLOCKING || n->op == FORM_COMPUTE;
}

/* The calls that an operand or a branch runs. */
static void add_calls(struct site_walk *w, call_list *list, const ast_node *n, enum ast_form pool)
{
    const ast_node *target = NULL;
    n = sema_strip(n);
    if (n->kind == AST_ASSIGN) {
        target = n->kid[0];
        n = sema_strip(n->kid[1]);
    }
    if (n->kind == AST_FORM) {
        uint32_t first = n->op == FORM_TIMEOUT || n->op == FORM_SCOPE_SPAWN ? 1 : 0;
        for (uint32_t i = first; i < n->kid_count; i++)
            add_calls(w, list, n->kid[i], is_pool(n) ? (enum ast_form)n->op : FORM_ALL);
        return;
    }
    if (n->kind != AST_CALL)
        return;
    struct await_call c = await_call_of(w->cx, w->fn, n);
    c.target = target;
    c.pool = pool;
    VEC_PUSH(w->cx->mem, list, c);
}

/* Is it a copy of an await on the same line that a macro made of its argument? */
static bool repeats_another(struct site_walk *w, const ast_node *await)
{
    uint32_t begin, end;
    if (w->sites.count == 0 || sema_source_range(w->cx->sema, w->fn, await, &begin, &end))
        return false;
    uint32_t line = sema_place(w->cx->sema, w->fn, await).line;
    for (size_t i = w->sites.count; i-- > 0;) {
        const ast_node *other = w->sites.at[i].node;
        if (sema_place(w->cx->sema, w->fn, other).line != line)
            return false;
        if (sv_equal(ast_node_text(w->fn->tree, other), ast_node_text(w->fn->tree, await)))
            return true;
    }
    return false;
}

static void add_site(struct site_walk *w, const ast_node *n)
{
    struct await_site site = {.node = n, .operand = sema_strip(n->kid[0])};
    call_list calls = {NULL, 0, 0};
    if (site.operand->kind != AST_CALL && site.operand->kind != AST_FORM)
        return;
    site.is_form = site.operand->kind == AST_FORM;
    site.is_repeated = repeats_another(w, n);
    add_calls(w, &calls, n->kid[0], FORM_ALL);
    site.calls = calls.at;
    site.call_count = (uint32_t)calls.count;
    VEC_PUSH(w->cx->mem, &w->sites, site);
}

static void find_sites(struct site_walk *w, const ast_node *n)
{
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            find_sites(w, n->kid[i]);
    }
    if (n->kind == AST_AWAIT && !n->is_unevaluated && n->kid_count == 1 && n->kid[0] != NULL)
        add_site(w, n);
}

/* Does nobody use what the await gives? */
static bool gives_nothing(rule_cx *cx, const struct sema_function *fn, const ast_node *await)
{
    const ast_node *p = await->parent;
    while (p != NULL && (p->kind == AST_PAREN || p->kind == AST_CAST))
        p = p->parent;
    return (p != NULL && p->kind == AST_EXPR_STMT) ||
           sema_type(cx->sema, fn, await)->cls == CTYPE_VOID;
}

/* Are all awaits of a void function pauses and locks? */
static bool only_pauses(rule_cx *cx, struct sema_function *fn)
{
    const struct await_sites *sites = await_sites_of(cx, fn);
    const ctype *type = fn->symbol == NULL ? NULL : sema_symbol_type(cx->sema, fn->symbol);
    if (type == NULL || type->elem == NULL || type->elem->cls != CTYPE_VOID)
        return false;
    for (uint32_t i = 0; i < sites->count; i++) {
        if (!await_site_is_pause(&sites->at[i]))
            return false;
    }
    return sites->count != 0;
}

static bool is_gate_name(strview name)
{
    return NAME_HAS(name, "wait", "await", "lock", "acquire", "take", "enter", "throttle", "limit",
                    "limiter", "gate", "until", "barrier", "drain", "drained", "pace", "delay",
                    "sleep", "pause", "backoff", "turn", "permit", "token", "idle", "ready", "tick",
                    "nap", "rest", "cooldown", "settle");
}

static bool is_gate(rule_cx *cx, const struct sema_function *fn, const struct await_site *site)
{
    if (site->is_form || site->call_count != 1 || !gives_nothing(cx, fn, site->node))
        return false;
    const struct await_call *c = &site->calls[0];
    if (c->body == NULL)
        return !c->is_leaf && is_gate_name(c->name);
    return c->body != fn && only_pauses(cx, c->body);
}

/* Bodies last: they are asked for when this function's sites are known, so recursion ends. */
static void judge_calls(rule_cx *cx, struct sema_function *fn, struct await_sites *sites)
{
    for (uint32_t i = 0; i < sites->count; i++) {
        sites->at[i].is_gate = is_gate(cx, fn, &sites->at[i]);
        for (uint32_t k = 0; k < sites->at[i].call_count; k++) {
            struct await_call *c = &sites->at[i].calls[k];
            c->can_fail = call_can_fail(cx, fn, c);
            c->never_waits = c->pool == FORM_ALL && c->body != NULL && c->body->tree->is_async &&
                             !function_waits(cx, c->body);
        }
    }
}

const struct await_sites *await_sites_of(rule_cx *cx, struct sema_function *fn)
{
    struct function_awaits *f = facts_of(cx, fn);
    if (!f->has_sites) {
        f->has_sites = true;
        struct site_walk walk = {.cx = cx, .fn = fn};
        if (ast_may_have(fn->tree, AST_AWAIT))
            find_sites(&walk, fn->tree->root);
        f->sites.at = walk.sites.at;
        f->sites.count = (uint32_t)walk.sites.count;
        judge_calls(cx, fn, &f->sites);
    }
    return &f->sites;
}

const struct await_site *await_site_find(const struct await_sites *sites, const ast_node *await)
{
    uint32_t low = 0, high = sites->count; /* in the order of their ends */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (sites->at[middle].node->last < await->last)
            low = middle + 1;
        else
            high = middle;
    }
    return low < sites->count && sites->at[low].node == await ? &sites->at[low] : NULL;
}

const struct local_uses *await_local_uses(rule_cx *cx, struct sema_function *fn)
{
    struct function_awaits *f = facts_of(cx, fn);
    if (f->uses == NULL)
        f->uses = local_uses_of(cx->mem, cx->sema, fn);
    return f->uses;
}

/* ---- waiting ----------------------------------------------------------------------------------
 */

bool await_function_awaits(rule_cx *cx, struct sema_function *fn)
{
    return await_sites_of(cx, fn)->count != 0;
}

/* Does some way through the function wait? A recursion is taken to. */
static bool function_waits(rule_cx *cx, struct sema_function *fn)
{
    struct function_awaits *f = facts_of(cx, fn);
    if (f->waits != MEMO_NONE)
        return f->waits != MEMO_NO;
    f->waits = MEMO_BUSY;
    const struct await_sites *sites = await_sites_of(cx, fn);
    bool waits = false;
    for (uint32_t i = 0; i < sites->count && !waits; i++) {
        const struct await_site *site = &sites->at[i];
        waits = site->call_count == 0;
        for (uint32_t k = 0; k < site->call_count && !waits; k++) {
            const struct await_call *c = &site->calls[k];
            waits = c->body == NULL || c->pool != FORM_ALL || function_waits(cx, c->body);
        }
    }
    f->waits = waits ? MEMO_YES : MEMO_NO;
    return waits;
}

bool await_site_is_pause(const struct await_site *site)
{
    if (site->is_gate)
        return true;
    if (site->is_form && (site->operand->op == FORM_RACE || site->operand->op == FORM_TRY_ALL ||
                          site->operand->op == FORM_SCOPE_SPAWN))
        return true;
    for (uint32_t i = 0; i < site->call_count; i++) {
        enum await_role role = site->calls[i].role;
        if (role == ROLE_PAUSE || role == ROLE_LOCK || role == ROLE_MEET)
            return true;
    }
    return site->call_count == 0;
}

static bool awaits_symbol(rule_cx *cx, struct sema_function *fn, const sema_symbol *symbol)
{
    const struct await_sites *sites = await_sites_of(cx, fn);
    for (uint32_t i = 0; i < sites->count; i++) {
        for (uint32_t k = 0; k < sites->at[i].call_count; k++) {
            if (sites->at[i].calls[k].callee == symbol)
                return true;
        }
    }
    return false;
}

bool await_site_recurs(rule_cx *cx, struct sema_function *fn, const struct await_site *site)
{
    for (uint32_t i = 0; i < site->call_count; i++) {
        const struct await_call *c = &site->calls[i];
        bool is_self = c->callee != NULL && c->callee == fn->symbol;
        if (is_self || (c->body != NULL && awaits_symbol(cx, c->body, fn->symbol)))
            return true;
    }
    return false;
}

bool await_site_never_waits(const struct await_site *site)
{
    bool never = site->call_count != 0;
    for (uint32_t i = 0; i < site->call_count; i++)
        never = never && site->calls[i].never_waits;
    return never;
}

/* ---- failing ----------------------------------------------------------------------------------
 */

static bool value_can_fail(rule_cx *cx, struct sema_function *fn, const ast_node *n,
                           unsigned depth);

/* Can a value that the local is given be negative? */
static bool local_can_fail(rule_cx *cx, struct sema_function *fn, const ast_decl *d,
                           const ast_node *n, unsigned depth)
{
    const ast_node *value = NULL;
    if (n->kind == AST_DECLARATOR && n->ref == d && n->kid_count != 0)
        value = n->kid[n->kid_count - 1];
    else if (n->kind == AST_ASSIGN && n->op == OP_ASSIGN && sema_strip(n->kid[0])->ref == d)
        value = n->kid[1];
    if (value != NULL && value_can_fail(cx, fn, value, depth - 1))
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && local_can_fail(cx, fn, d, n->kid[i], depth))
            return true;
    }
    return false;
}

/* The operand of an AWAIT. */
static bool awaited_can_fail(rule_cx *cx, struct sema_function *fn, const ast_node *await)
{
    const struct await_site *site = await_site_find(await_sites_of(cx, fn), await);
    return site != NULL && await_site_can_fail(cx, fn, site);
}

static bool value_can_fail(rule_cx *cx, struct sema_function *fn, const ast_node *n, unsigned depth)
{
    int64_t number;
    if (depth == 0)
        return false;
    n = sema_strip(n);
    if (sema_constant(cx->sema, fn, n, &number))
        return number < 0;
    switch (n->kind) {
    case AST_UNARY:
        return n->op == OP_MINUS;
    case AST_AWAIT:
        return awaited_can_fail(cx, fn, n);
    case AST_CALL:
        return await_type_is_signed(sema_type(cx->sema, fn, n));
    case AST_CONDITIONAL:
        return value_can_fail(cx, fn, n->kid[n->kid[1] == NULL ? 0 : 1], depth) ||
               value_can_fail(cx, fn, n->kid[2], depth);
    case AST_COMMA:
    case AST_ASSIGN:
        return value_can_fail(cx, fn, n->kid[1], depth);
    case AST_IDENT:
        return n->ref != NULL && n->ref->kind == DECL_VAR &&
               await_type_is_signed(sema_decl_type(cx->sema, fn, n->ref)) &&
               local_can_fail(cx, fn, n->ref, fn->tree->root, depth);
    default:
        return false;
    }
}

static bool returns_failure(rule_cx *cx, struct sema_function *fn, const ast_node *n)
{
    if (n->kind == AST_RETURN)
        return n->kid[0] != NULL && value_can_fail(cx, fn, n->kid[0], 4);
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && returns_failure(cx, fn, n->kid[i]))
            return true;
    }
    return false;
}

static bool function_can_fail(rule_cx *cx, struct sema_function *fn)
{
    struct function_awaits *f = facts_of(cx, fn);
    if (f->can_fail == MEMO_NONE) {
        f->can_fail = MEMO_BUSY;
        f->can_fail = returns_failure(cx, fn, fn->tree->root) ? MEMO_YES : MEMO_NO;
    }
    return f->can_fail == MEMO_YES;
}

/* Does a child that the function starts in a scope fail, as far as its text tells? */
static bool scope_can_fail(rule_cx *cx, struct sema_function *fn)
{
    const struct await_sites *sites = await_sites_of(cx, fn);
    bool any = false;
    for (uint32_t i = 0; i < sites->count; i++) {
        const struct await_site *s = &sites->at[i];
        if (!s->is_form || s->operand->op != FORM_SCOPE_SPAWN)
            continue;
        any = true;
        if (s->call_count == 1 && call_can_fail(cx, fn, &s->calls[0]))
            return true;
    }
    return !any;
}

/* A join whose second argument is NULL says that the outcome does not matter. */
static bool drops_outcome(rule_cx *cx, struct sema_function *fn, const struct await_call *c)
{
    return sv_is(c->name, "aw_join") && c->arg_count == 2 &&
           sema_is_null(cx->sema, fn, c->args[1].node);
}

bool await_site_can_fail(rule_cx *cx, struct sema_function *fn, const struct await_site *site)
{
    if (!site->is_form) {
        if (site->call_count != 1 || drops_outcome(cx, fn, &site->calls[0]))
            return false;
        if (sv_is(site->calls[0].name, "aw_scope_wait"))
            return scope_can_fail(cx, fn);
        return call_can_fail(cx, fn, &site->calls[0]);
    }
    switch (site->operand->op) {
    case FORM_TRY_ALL:
    case FORM_TIMEOUT:
        return true;
    case FORM_BLOCKING:
    case FORM_COMPUTE:
        return site->call_count == 1 && call_can_fail(cx, fn, &site->calls[0]);
    default:
        return false;
    }
}
