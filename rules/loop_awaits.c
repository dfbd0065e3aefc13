/* SPDX-License-Identifier: MIT */
/*
 * Three sets decide. *Progress*: variables that the loop itself moves on (i++, p = p->next).
 * *Fresh*: what a round declares for itself. *Tainted*: memory whose content comes from an await of
 * the loop, found by repeating the walk until nothing is added. Then:
 *
 *     what a call works on      must be fresh, or reached through progress
 *     what it reads             must not be tainted, unless this very round wrote it
 *     the loop's condition      must depend on progress only, or on failure
 *     other ways out            must be failures, or depend on no await
 */
#include "rules/loop_awaits.h"

#include "rules/await_order.h"
#include "rules/exit_kind.h"
#include "rules/name_words.h"

enum { TAINT_ROUNDS = 6, ALIAS_DEPTH = 4 };

struct loop_view {
    struct access_cx access;
    const ast_node *loop, *condition, *body;
    const ast_node *leave; /* `if (condition) break;`, in front of all awaits; NULL: none */
    const struct await_sites *sites;
    VEC(const struct await_site *) awaits;
    VEC(struct access_path) tainted;
    VEC(const ast_decl *) written; /* locals from outside that the loop assigns */
    bool is_hopeless;              /* something orders the rounds */
};

static rule_cx *cx_of(const struct loop_view *v)
{
    return v->access.cx;
}

/* ---- shape ------------------------------------------------------------------------------------
 */

static bool is_loop(const ast_node *n)
{
    return n->kind == AST_FOR || n->kind == AST_WHILE || n->kind == AST_DO;
}

static bool is_endless(const struct loop_view *v)
{
    int64_t value;
    return v->condition == NULL ||
           sema_constant(cx_of(v)->sema, v->access.fn, v->condition, &value);
}

/* for (;;) { if (i == n) break; ... }: its condition stands in its body. */
static void read_leaving(struct loop_view *v)
{
    bool is_block = v->body != NULL && v->body->kind == AST_COMPOUND;
    for (uint32_t i = 0; is_block && i < v->body->kid_count; i++) {
        const ast_node *n = v->body->kid[i];
        while (n->kind == AST_LABEL && n->kid[0] != NULL)
            n = n->kid[0];
        if (has_await(n))
            return;
        const ast_node *then = n->kind == AST_IF && n->kid[2] == NULL ? n->kid[1] : NULL;
        while (then != NULL && then->kind == AST_COMPOUND && then->kid_count == 1)
            then = then->kid[0];
        if (then == NULL || then->kind != AST_BREAK)
            continue;
        v->condition = n->kid[0];
        v->leave = then;
        return;
    }
}

static void read_shape(struct loop_view *v, const ast_node *loop)
{
    v->loop = loop;
    switch (loop->kind) {
    case AST_FOR:
        v->condition = loop->kid[1];
        v->body = loop->kid[3];
        break;
    case AST_DO:
        v->condition = loop->kid[1];
        v->body = loop->kid[0];
        break;
    default:
        v->condition = loop->kid[0];
        v->body = loop->kid[1];
        break;
    }
    if (is_endless(v))
        read_leaving(v);
}

/* Is the local declared by each round anew? */
static bool is_fresh(const struct loop_view *v, const ast_decl *d)
{
    if (d == NULL || d->kind != DECL_VAR || d->declarator == NULL || d->storage == STORAGE_STATIC)
        return false;
    for (const ast_node *n = d->declarator; n != NULL; n = n->parent) {
        if (n == v->body)
            return true;
    }
    return false;
}

static void note_written(struct loop_view *v, const ast_node *lvalue)
{
    const ast_node *n = sema_strip(lvalue);
    if (n->kind != AST_IDENT || n->ref == NULL || is_fresh(v, n->ref))
        return;
    for (size_t i = 0; i < v->written.count; i++) {
        if (v->written.at[i] == n->ref)
            return;
    }
    VEC_PUSH(cx_of(v)->mem, &v->written, n->ref);
}

/* pthread_join, waitpid on a pool: all of them run already, one wait or many take the longest. */
static bool waits_for_running(const struct await_call *c)
{
    return c->pool == FORM_BLOCKING &&
           (NAME_HAS(c->name, "join", "waitpid", "waitid", "wait4", "wait"));
}

static void note_await(struct loop_view *v, const ast_node *n)
{
    const struct await_site *site = await_site_find(v->sites, n);
    if (site == NULL || await_site_is_pause(site)) {
        v->is_hopeless = true;
        return;
    }
    v->is_hopeless |= await_site_recurs(cx_of(v), v->access.fn, site);
    bool is_many = site->is_form && site->operand->op == FORM_ALL;
    v->is_hopeless |= is_many;
    for (uint32_t i = 0; i < site->call_count; i++) {
        const struct await_call *c = &site->calls[i];
        v->is_hopeless |= c->pool == FORM_COMPUTE ||
                          (c->pool == FORM_BLOCKING && c->body != NULL) || waits_for_running(c);
    }
    if (!await_site_never_waits(site) && !site->is_repeated)
        VEC_PUSH(cx_of(v)->mem, &v->awaits, site);
}

/* Everything below n that matters. */
static void collect(struct loop_view *v, const ast_node *n)
{
    if (n->is_unevaluated)
        return;
    if (is_loop(n) && n != v->loop && has_await(n))
        v->is_hopeless = true;
    switch (n->kind) {
    case AST_AWAIT:
        note_await(v, n);
        break;
    case AST_FORM:
        v->is_hopeless |= n->parent == NULL || sema_strip(n)->op == FORM_SPAWN ||
                          n->op == FORM_SPAWN_ON || n->op == FORM_BLOCK_ON;
        break;
    case AST_LABEL: /* but the one that makes it a loop: see ast_find_goto_loops */
        v->is_hopeless |= v->body->kind != AST_COMPOUND || n != v->body->kid[0];
        break;
    case AST_ASM:
    case AST_DEFER:
    case AST_GOTO_COMPUTED:
        v->is_hopeless = true;
        break;
    case AST_ASSIGN:
    case AST_PREFIX:
    case AST_POSTFIX:
        note_written(v, n->kid[0]);
        break;
    default:
        break;
    }
    for (uint32_t i = 0; i < n->kid_count && !v->is_hopeless; i++) {
        if (n->kid[i] != NULL)
            collect(v, n->kid[i]);
    }
}

/* ---- taint ------------------------------------------------------------------------------------
 */

/* As access_overlap, but a[i] and a[i - 1] are one element in different rounds. */
static bool overlap_between_rounds(const struct access_path *a, const struct access_path *b)
{
    struct access_path x = *a, y = *b;
    for (uint32_t i = 0; i < x.count; i++) {
        if (x.steps[i].kind == STEP_INDEX && x.steps[i].var != NULL)
            x.steps[i].is_known = false;
    }
    for (uint32_t i = 0; i < y.count; i++) {
        if (y.steps[i].kind == STEP_INDEX && y.steps[i].var != NULL)
            y.steps[i].is_known = false;
    }
    return access_overlap(&x, &y);
}

static bool is_tainted_path(const struct loop_view *v, const struct access_path *p)
{
    for (size_t i = 0; i < v->tainted.count; i++) {
        if (overlap_between_rounds(&v->tainted.at[i], p))
            return true;
    }
    return false;
}

static bool is_lvalue_kind(const ast_node *n)
{
    return n->kind == AST_IDENT || n->kind == AST_MEMBER || n->kind == AST_INDEX ||
           (n->kind == AST_UNARY && n->op == OP_DEREF);
}

/* Does the expression's value come from an await? */
static bool is_tainted(const struct loop_view *v, const ast_node *n)
{
    if (n->is_unevaluated)
        return false;
    if (n->kind == AST_AWAIT)
        return true;
    if (is_lvalue_kind(n)) {
        struct access_path p = access_lvalue(&v->access, n);
        if (is_tainted_path(v, &p))
            return true;
    }
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && is_tainted(v, n->kid[i]))
            return true;
    }
    return false;
}

static bool add_taint(struct loop_view *v, struct access_path p)
{
    for (size_t i = 0; i < v->tainted.count; i++) {
        if (access_is_same(&v->tainted.at[i], &p))
            return false;
    }
    VEC_PUSH(cx_of(v)->mem, &v->tainted, p);
    return true;
}

/* Does a decision on an await's result make control come to n? */
static bool is_under_tainted(const struct loop_view *v, const ast_node *n)
{
    for (const ast_node *child = n, *p = n->parent; p != NULL && p != v->loop;
         child = p, p = p->parent) {
        bool decides = (p->kind == AST_IF || p->kind == AST_CONDITIONAL || p->kind == AST_SWITCH ||
                        p->kind == AST_AND_AND || p->kind == AST_OR_OR || p->kind == AST_WHILE ||
                        p->kind == AST_FOR) &&
                       child != p->kid[0];
        const ast_node *condition = p->kind == AST_FOR ? p->kid[1] : p->kid[0];
        if (decides && condition != NULL && is_tainted(v, condition))
            return true;
    }
    return false;
}

static bool taint_calls(struct loop_view *v, const ast_node *call)
{
    bool is_fed = false, grew = false;
    for (uint32_t i = 1; i < call->kid_count; i++)
        is_fed = is_fed || is_tainted(v, call->kid[i]);
    if (!is_fed)
        return false;
    struct await_call c = await_call_of(cx_of(v), v->access.fn, call);
    for (uint32_t i = 0; i < c.arg_count; i++) {
        if (c.args[i].kind != ARG_OBJECT)
            continue;
        struct access_path p = access_pointee(&v->access, c.args[i].node);
        p.is_deep = true;
        grew |= add_taint(v, p);
    }
    return grew;
}

/* p = p->next: a list goes on, whatever is done with its nodes. */
static bool follows_link(const ast_node *assign)
{
    const ast_node *target = sema_strip(assign->kid[0]), *n = sema_strip(assign->kid[1]);
    if (target->kind != AST_IDENT || n->kind != AST_MEMBER)
        return false;
    while (n->kind == AST_MEMBER)
        n = sema_strip(n->kid[0]);
    return n->kind == AST_IDENT && n->ref == target->ref && n->ref != NULL;
}

/* i++, i += 2 of the variable, as a statement. */
static bool is_step_statement(const ast_node *n, const ast_decl *d)
{
    const ast_node *e = n->kind == AST_EXPR_STMT && n->kid_count != 0 ? sema_strip(n->kid[0]) : n;
    bool steps = e->kind == AST_PREFIX || e->kind == AST_POSTFIX ||
                 (e->kind == AST_ASSIGN && (e->op == OP_ADD || e->op == OP_SUB));
    return steps && sema_strip(e->kid[0])->ref == d;
}

/* Does every `continue` of the loop come right behind a step of the variable? */
static bool continues_stepped(const struct loop_view *v, const ast_node *n, const ast_decl *d)
{
    if (n->kind == AST_CONTINUE) {
        const ast_node *block = n->parent, *loop = n->parent;
        while (!is_loop(loop))
            loop = loop->parent;
        if (loop != v->loop)
            return true;
        for (uint32_t i = 1; block->kind == AST_COMPOUND && i < block->kid_count; i++) {
            if (block->kid[i] == n)
                return is_step_statement(block->kid[i - 1], d);
        }
        return false;
    }
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && !continues_stepped(v, n->kid[i], d))
            return false;
    }
    return true;
}

/* Does every round step the variable, whatever the awaits give: at its end, and in front of each
 * `continue`? */
static bool always_steps(const struct loop_view *v, const ast_decl *d)
{
    const ast_node *body = v->body;
    bool at_end = d != NULL && body->kind == AST_COMPOUND && body->kid_count != 0 &&
                  is_step_statement(body->kid[body->kid_count - 1], d);
    return at_end && continues_stepped(v, body, d);
}

static bool spread_taint(struct loop_view *v, const ast_node *n)
{
    bool grew = false;
    bool links = n->kind == AST_ASSIGN && n->op == OP_ASSIGN && follows_link(n);
    if (n->kind == AST_ASSIGN && ((is_tainted(v, n->kid[1]) && !links) || is_under_tainted(v, n)))
        grew |= add_taint(v, access_lvalue(&v->access, n->kid[0]));
    if ((n->kind == AST_PREFIX || n->kind == AST_POSTFIX) && is_under_tainted(v, n) &&
        !always_steps(v, sema_strip(n->kid[0])->ref))
        grew |= add_taint(v, access_lvalue(&v->access, n->kid[0]));
    if (n->kind == AST_CALL && (n->parent == NULL || n->parent->kind != AST_AWAIT))
        grew |= taint_calls(v, n);
    bool is_given = n->kind == AST_DECLARATOR && n->ref != NULL && n->kid_count != 0 &&
                    n->kid[n->kid_count - 1] != NULL;
    if (is_given && is_tainted(v, n->kid[n->kid_count - 1]))
        grew |= add_taint(v, (struct access_path){.root = n->ref, .local = n->ref});
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            grew |= spread_taint(v, n->kid[i]);
    }
    return grew;
}

static void find_taint(struct loop_view *v)
{
    for (size_t i = 0; i < v->awaits.count; i++) {
        struct footprint f = {0};
        footprint_of_site(&v->access, v->awaits.at[i], &f);
        for (size_t k = 0; k < f.writes.count; k++)
            add_taint(v, f.writes.at[k]);
    }
    for (int round = 0; round < TAINT_ROUNDS && spread_taint(v, v->loop); round++) {
    }
}

/* ---- progress ---------------------------------------------------------------------------------
 */

static bool is_written(const struct loop_view *v, const ast_decl *d)
{
    for (size_t i = 0; i < v->written.count; i++) {
        if (v->written.at[i] == d)
            return true;
    }
    return false;
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

/* The first mention of a variable in a round, in the order of the text; NULL. */
static const ast_node *first_mention(const ast_node *n, const ast_decl *d)
{
    if (n->kind == AST_IDENT)
        return n->ref == d ? n : NULL;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        const ast_node *found = n->kid[i] == NULL ? NULL : first_mention(n->kid[i], d);
        if (found != NULL)
            return found;
    }
    return NULL;
}

/* Does each round set the variable before it reads it? */
static bool is_set_first(const struct loop_view *v, const ast_decl *d)
{
    const ast_node *n = NULL;
    if (v->loop->kind == AST_WHILE)
        n = first_mention(v->condition, d);
    if (n == NULL)
        n = first_mention(v->body, d);
    if (n == NULL || n->parent == NULL)
        return false;
    const ast_node *assign = n->parent;
    if (assign->kind != AST_ASSIGN || assign->op != OP_ASSIGN || assign->kid[0] != n ||
        mentions(assign->kid[1], d))
        return false;
    for (const ast_node *p = assign->parent, *child = assign; p != NULL && p != v->loop;
         child = p, p = p->parent) {
        bool maybe = (p->kind == AST_IF || p->kind == AST_CONDITIONAL || p->kind == AST_AND_AND ||
                      p->kind == AST_OR_OR || p->kind == AST_SWITCH || is_loop(p)) &&
                     child != p->kid[0];
        if (maybe)
            return false;
    }
    return true;
}

/* Does every store of the variable in the loop move it on: i++, i += 2, p = p->next? */
static bool moves_on(const ast_node *n, const ast_decl *d)
{
    bool assigns = n->kind == AST_ASSIGN && sema_strip(n->kid[0])->kind == AST_IDENT &&
                   sema_strip(n->kid[0])->ref == d;
    if (assigns && n->op == OP_ASSIGN && !mentions(n->kid[1], d) &&
        sema_strip(n->kid[1])->kind != AST_CALL)
        return false;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && !moves_on(n->kid[i], d))
            return false;
    }
    return true;
}

/* Does each round have a value of its own in this variable? */
static bool is_progress(const struct loop_view *v, const ast_decl *d)
{
    struct access_path p = {.root = d, .local = d};
    if (!is_written(v, d) || is_tainted_path(v, &p))
        return false;
    bool moves = true; /* where a `for` starts is no round's */
    for (uint32_t i = v->loop->kind == AST_FOR ? 1 : 0; moves && i < v->loop->kid_count; i++)
        moves = v->loop->kid[i] == NULL || moves_on(v->loop->kid[i], d);
    return moves || is_set_first(v, d);
}

static bool varies(const struct loop_view *v, const ast_node *n, unsigned depth);

/* A round's own variable: does it get another value each round? */
static bool fresh_varies(const struct loop_view *v, const ast_decl *d, unsigned depth)
{
    const struct local_use *use = &v->access.uses->at[d->id];
    if (use->address_taken || use->is_changed || use->value == NULL)
        return true;
    const ast_node *value = sema_strip(use->value);
    return value->kind == AST_CALL || value->kind == AST_AWAIT || value->kind == AST_INIT_LIST ||
           (depth > 0 && varies(v, value, depth - 1));
}

/* Has the expression another value in each round? */
static bool varies(const struct loop_view *v, const ast_node *n, unsigned depth)
{
    if (n->kind == AST_POSTFIX || n->kind == AST_PREFIX)
        return true;
    if (n->kind == AST_IDENT && n->ref != NULL) {
        if (is_fresh(v, n->ref))
            return fresh_varies(v, n->ref, depth);
        return is_progress(v, n->ref);
    }
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && varies(v, n->kid[i], depth))
            return true;
    }
    return false;
}

/* ---- what the calls work on -------------------------------------------------------------------
 */

/* Does another round leave something in this memory that this one would find? */
static bool is_carried(const struct loop_view *v, const struct access_path *p)
{
    if (p->local != NULL && is_fresh(v, p->local) &&
        (p->count == 0 || p->steps[0].kind != STEP_DEREF))
        return false;
    if (p->count == 0 && p->local != NULL && is_written(v, p->local) && is_set_first(v, p->local))
        return false;
    for (size_t i = 0; i < v->tainted.count; i++) {
        if (overlap_between_rounds(&v->tainted.at[i], p) && !access_is_same(&v->tainted.at[i], p) &&
            !access_overlap(&v->tainted.at[i], p))
            return true;
        bool meets = access_overlap(&v->tainted.at[i], p);
        if (!meets)
            continue;
        bool own = false;
        uint32_t common = p->count < v->tainted.at[i].count ? p->count : v->tainted.at[i].count;
        for (uint32_t k = 0; k < common; k++) {
            const struct access_step *s = &p->steps[k], *t = &v->tainted.at[i].steps[k];
            own |= s->kind == STEP_INDEX && t->kind == STEP_INDEX && sv_equal(s->text, t->text);
        }
        bool of_own_node = p->local != NULL && p->count > 0 && p->steps[0].kind == STEP_DEREF &&
                           (is_progress(v, p->local) || is_fresh(v, p->local));
        if (!own && !of_own_node)
            return true;
    }
    return false;
}

/* (p - 1)->field, p[-1].field: of a pointer that goes on, what another round works on. */
static bool is_neighbour(const struct loop_view *v, const ast_node *n)
{
    const ast_node *base =
        n->kind == AST_MEMBER && n->op == OP_ARROW ? sema_strip(n->kid[0]) : NULL;
    if (base != NULL && base->kind == AST_BINARY && (base->op == OP_SUB || base->op == OP_ADD))
        base = sema_strip(base->kid[0]);
    else if (n->kind == AST_INDEX)
        base = sema_strip(n->kid[0]);
    else
        return false;
    return base->kind == AST_IDENT && base->ref != NULL && is_progress(v, base->ref) &&
           sema_type(cx_of(v)->sema, v->access.fn, base)->cls == CTYPE_POINTER &&
           v->tainted.count != 0;
}

/* Does the expression read what an earlier round's await gave? */
static bool reads_carried(const struct loop_view *v, const ast_node *n)
{
    if (n->is_unevaluated || n->kind == AST_AWAIT)
        return false;
    bool is_address = n->kind == AST_UNARY && n->op == OP_ADDR;
    if (is_address)
        return reads_carried(v, n->kid[0]->kid_count > 0 ? n->kid[0]->kid[0] : n->kid[0]);
    if (is_lvalue_kind(n)) {
        struct access_path p = access_lvalue(&v->access, n);
        bool is_array = sema_type(cx_of(v)->sema, v->access.fn, n)->cls == CTYPE_ARRAY;
        if (is_neighbour(v, n))
            return true;
        if (!is_array && is_carried(v, &p))
            return true;
    }
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && reads_carried(v, n->kid[i]))
            return true;
    }
    return false;
}

/* A variable that is read before the round sets it, and not by moving on: the last round's. */
static bool is_previous(const struct loop_view *v, const ast_node *n)
{
    n = sema_strip(n);
    if (n->kind != AST_IDENT || n->ref == NULL || !is_written(v, n->ref))
        return false;
    return !is_progress(v, n->ref);
}

static bool argument_is_free(const struct loop_view *v, const struct await_arg *arg)
{
    struct access_path p;
    switch (arg->kind) {
    case ARG_SCALAR:
    case ARG_RECORD:
        return !reads_carried(v, arg->node);
    case ARG_DESCRIPTOR:
        return varies(v, arg->node, ALIAS_DEPTH) && !reads_carried(v, arg->node);
    case ARG_BORROWED:
        if (sema_strip(arg->node)->kind == AST_STRING)
            return true;
        p = access_pointee(&v->access, arg->node);
        p.is_deep = true;
        return !is_carried(v, &p) && !is_previous(v, arg->node) && !reads_carried(v, arg->node);
    case ARG_OBJECT:
        p = access_pointee(&v->access, arg->node);
        if (is_previous(v, arg->node) || reads_carried(v, arg->node))
            return false;
        return (is_fresh(v, p.local) && (p.count == 0 || p.steps[0].kind != STEP_DEREF)) ||
               varies(v, arg->node, ALIAS_DEPTH);
    }
    return false;
}

static bool is_free(const struct loop_view *v, const struct await_site *site)
{
    for (uint32_t i = 0; i < site->call_count; i++) {
        const struct await_call *c = &site->calls[i];
        bool any_varies = varies(v, c->node->kid[0], ALIAS_DEPTH);
        for (uint32_t k = 0; k < c->arg_count; k++) {
            any_varies |= varies(v, c->args[k].node, ALIAS_DEPTH);
            if (!argument_is_free(v, &c->args[k]))
                return false;
        }
        if (!any_varies || reads_carried(v, c->node->kid[0]))
            return false;
    }
    struct footprint f = {0};
    footprint_of_site(&v->access, site, &f);
    for (size_t i = 0; i < f.writes.count; i++) {
        bool is_shared = f.writes.at[i].local == NULL && f.writes.at[i].count == 0;
        if (is_shared && f.writes.at[i].root != NULL)
            return false;
    }
    return true;
}

/* Is the await made only if an earlier round's await said so? */
static bool waits_on_condition(const struct loop_view *v, const ast_node *await)
{
    for (const ast_node *child = await, *p = await->parent; p != NULL && p != v->loop;
         child = p, p = p->parent) {
        bool decides = (p->kind == AST_IF || p->kind == AST_CONDITIONAL || p->kind == AST_AND_AND ||
                        p->kind == AST_OR_OR || p->kind == AST_SWITCH) &&
                       child != p->kid[0];
        if (decides && reads_carried(v, p->kid[0]))
            return true;
    }
    return false;
}

/* ---- ways out ---------------------------------------------------------------------------------
 */

/* Is it memory that others may set to end the loop: no local, and nothing that moves on? */
static bool is_flag(const struct loop_view *v, const ast_node *n)
{
    return !varies(v, n, ALIAS_DEPTH);
}

static bool calls_something(const ast_node *n)
{
    if (n->kind == AST_CALL)
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && calls_something(n->kid[i]))
            return true;
    }
    return false;
}

static bool condition_is_free(const struct loop_view *v, const ast_node *n)
{
    n = sema_strip_parens(n);
    bool leaves = v->leave != NULL; /* when it holds */
    if (n->kind == (leaves ? AST_OR_OR : AST_AND_AND))
        return condition_is_free(v, n->kid[0]) && condition_is_free(v, n->kid[1]);
    if (is_tainted(v, n))
        return exit_is_failure(cx_of(v), n, leaves, NULL);
    return !calls_something(n) && varies(v, n, ALIAS_DEPTH);
}

/* The loop or switch that a break leaves. */
static const ast_node *broken(const ast_node *n)
{
    for (n = n->parent; n != NULL; n = n->parent) {
        if (is_loop(n) || n->kind == AST_SWITCH)
            return n;
    }
    return NULL;
}

/* Is this way out taken by failure, or whatever the awaits give? */
static bool exit_is_free(const struct loop_view *v, const ast_node *jump)
{
    bool decided = false;
    for (const ast_node *child = jump, *p = jump->parent; p != NULL && p != v->loop;
         child = p, p = p->parent) {
        if (p->kind == AST_SWITCH || (is_loop(p) && p != v->loop))
            return false;
        if (p->kind != AST_IF || child == p->kid[0])
            continue;
        bool when = child == p->kid[1];
        if (is_tainted(v, p->kid[0]))
            return exit_is_failure(cx_of(v), p->kid[0], when, jump);
        if (!decided && is_flag(v, p->kid[0]))
            return false;
        decided = true;
    }
    return decided;
}

static bool exits_are_free(const struct loop_view *v, const ast_node *n)
{
    bool leaves = n->kind == AST_RETURN || n->kind == AST_GOTO ||
                  (n->kind == AST_BREAK && broken(n) == v->loop);
    if (leaves && (has_await(n) || !exit_is_free(v, n)))
        return false;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && !exits_are_free(v, n->kid[i]))
            return false;
    }
    return true;
}

/* Is a variable used as more than an operand of a comparison? */
static bool is_valued(const ast_node *n, const ast_decl *d)
{
    if (n->kind == AST_IDENT && n->ref == d) {
        const ast_node *p = n->parent;
        return p == NULL || p->kind != AST_BINARY || p->op < OP_LT || p->op > OP_NE;
    }
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && is_valued(n->kid[i], d))
            return true;
    }
    return false;
}

/* Does what follows the loop go by how far it came before it was left? */
static bool position_matters(const struct loop_view *v)
{
    const ast_node *block = v->loop->parent;
    bool behind = false;
    if (block == NULL || block->kind != AST_COMPOUND)
        return false;
    for (uint32_t i = 0; i < block->kid_count; i++) {
        for (size_t k = 0; behind && k < v->written.count; k++) {
            if (is_progress(v, v->written.at[k]) && is_valued(block->kid[i], v->written.at[k]))
                return true;
        }
        behind = behind || block->kid[i] == v->loop;
    }
    return false;
}

static bool has_break(const struct loop_view *v, const ast_node *n)
{
    bool leaves = n->kind == AST_GOTO || (n->kind == AST_BREAK && broken(n) == v->loop);
    leaves = leaves && n != v->leave;
    for (uint32_t i = 0; i < n->kid_count && !leaves; i++)
        leaves = n->kid[i] != NULL && has_break(v, n->kid[i]);
    return leaves;
}

/* ---- plain calls ------------------------------------------------------------------------------
 */

/* Does a plain call of the loop make an order among the rounds? */
static bool call_is_order(const struct loop_view *v, const ast_node *call)
{
    rule_cx *cx = cx_of(v);
    bool is_dropped = call->parent != NULL && call->parent->kind == AST_EXPR_STMT;
    enum plain_effect effect = plain_call_effect(&v->access, call, is_dropped);
    if (effect == PLAIN_QUIET || sema_call_is_noreturn(cx->sema, v->access.fn, call))
        return false;
    bool any_varies = false, is_fed = false;
    struct await_call c = await_call_of(cx, v->access.fn, call);
    for (uint32_t i = 0; i < c.arg_count; i++) {
        bool own = varies(v, c.args[i].node, ALIAS_DEPTH);
        any_varies |= own;
        is_fed |= is_tainted(v, c.args[i].node);
        if (!own && c.args[i].kind == ARG_OBJECT && effect == PLAIN_ORDER) {
            struct access_path p = access_pointee(&v->access, c.args[i].node);
            if (!is_fresh(v, p.local))
                return true;
        }
    }
    if (effect == PLAIN_OUTPUT)
        return is_fed && !is_under_tainted(v, call);
    return !any_varies && !is_fed;
}

static bool calls_make_order(const struct loop_view *v, const ast_node *n)
{
    if (n->is_unevaluated)
        return false;
    bool is_awaited = n->parent != NULL && sema_strip_parens(n->parent)->kind == AST_AWAIT;
    bool is_branch = n->parent != NULL && n->parent->kind == AST_FORM;
    if (n->kind == AST_CALL && !is_awaited && !is_branch &&
        !sema_call_is_async(cx_of(v)->sema, v->access.fn, n) && call_is_order(v, n))
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && calls_make_order(v, n->kid[i]))
            return true;
    }
    return false;
}

/* ---- the answer -------------------------------------------------------------------------------
 */

const struct await_site *loop_awaits_site(rule_cx *cx, const ast_node *loop)
{
    struct loop_view v = {.access = access_begin(cx, cx->fn), .sites = await_sites_of(cx, cx->fn)};
    read_shape(&v, loop);
    if (v.body == NULL || is_endless(&v) || !has_await(loop))
        return NULL;
    collect(&v, loop);
    if (v.is_hopeless || v.awaits.count == 0)
        return NULL;
    find_taint(&v);
    for (size_t i = 0; i < v.awaits.count; i++) {
        if (!is_free(&v, v.awaits.at[i]) || waits_on_condition(&v, v.awaits.at[i]->node))
            return NULL;
    }
    if ((has_break(&v, loop) || is_tainted(&v, v.condition)) && position_matters(&v))
        return NULL;
    bool is_independent = condition_is_free(&v, v.condition) && exits_are_free(&v, loop) &&
                          !calls_make_order(&v, loop);
    return is_independent ? v.awaits.at[0] : NULL;
}
