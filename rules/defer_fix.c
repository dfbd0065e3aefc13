/* SPDX-License-Identifier: MIT */
/*
 * One walk sorts the mentions of the local: where it is set, the releases, and the rest, which must
 * only use it. The defer goes behind the acquiring statement, or behind the check that follows it.
 * Jumps must not lead over it, and what follows a release must not notice that it comes later.
 */
#include "rules/defer_fix.h"

#include <string.h>

#include "analyzer/program/lint_settings.h"
#include "rules/await_order.h"
#include "rules/exit_kind.h"
#include "rules/tree_terms.h"

enum { MAX_RELEASES = 8 };

struct defer_fix {
    rule_cx *cx;
    const fn_view *v;
    const struct owned_site *site;
    ast_decl *local;
    const ast_node *statement; /* that acquires */
    const ast_node *block;     /* in which it stands */
    const ast_node *behind;    /* the defer goes behind this statement of the block */
    const ast_node *releases[MAX_RELEASES];
    uint32_t release_count;
    bool is_hopeless;
};

static const ast_node *statement_of(const ast_node *n)
{
    while (n != NULL && (!ast_is_statement(n->kind) || n->kind == AST_DEFER))
        n = n->parent;
    return n;
}

/* The statement that follows one in its block; NULL. */
static const ast_node *next_of(const ast_node *statement)
{
    const ast_node *block = statement->parent;
    for (uint32_t i = 0; block != NULL && i + 1 < block->kid_count; i++) {
        if (block->kid[i] == statement)
            return block->kind == AST_COMPOUND ? block->kid[i + 1] : NULL;
    }
    return NULL;
}

static bool is_local(const struct defer_fix *f, const ast_node *n)
{
    n = sema_strip(n);
    return n->kind == AST_IDENT && n->ref == f->local;
}

static bool mentions(const struct defer_fix *f, const ast_node *n)
{
    const ast_node ident = {.kind = AST_IDENT, .ref = f->local};
    return tree_mentions(f->cx->fn->tree, n, &ident);
}

/* ---- what is done with the local --------------------------------------------------------------
 */

static bool is_release(const struct defer_fix *f, const ast_node *call)
{
    rule_cx *cx = f->cx;
    return sema_arg_count(call) == 1 && is_local(f, sema_arg(call, 0)) &&
           sv_equal(sema_callee_name(cx->sema, cx->fn, call),
                    sema_callee_name(cx->sema, cx->fn, f->site->release));
}

static void add_release(struct defer_fix *f, const ast_node *call)
{
    const ast_node *s = call->parent;
    bool is_statement = s != NULL && s->kind == AST_EXPR_STMT && s->parent != NULL &&
                        (s->parent->kind == AST_COMPOUND || s->parent->kind == AST_LABEL);
    if (!is_statement || f->release_count == MAX_RELEASES)
        f->is_hopeless = true;
    else
        f->releases[f->release_count++] = s;
}

/* Does the expression around the mention only look at the local, or at what it points to? */
static bool only_uses(const struct defer_fix *f, const ast_node *mention)
{
    const ast_node *n = mention, *up = n->parent;
    while (up != NULL && (up->kind == AST_PAREN || up->kind == AST_CAST)) {
        n = up;
        up = up->parent;
    }
    if (up == NULL)
        return false;
    switch (up->kind) {
    case AST_BINARY:
        return tree_is_comparison(up);
    case AST_INDEX:
    case AST_MEMBER:
        return up->kid[0] == n && (up->kind == AST_INDEX || up->op == OP_ARROW) &&
               sema_type(f->cx->sema, f->cx->fn, up)->cls != CTYPE_ARRAY;
    case AST_UNARY:
        return up->op == OP_DEREF || up->op == OP_NOT || up->is_unevaluated;
    case AST_IF:
    case AST_WHILE:
        return up->kid[0] == n;
    case AST_SIZEOF_EXPR:
        return true;
    case AST_CALL:
        for (uint32_t i = 0; i < sema_arg_count(up); i++) {
            if (sema_arg(up, i) == n)
                return (up->parent == NULL || up->parent->kind != AST_FORM) &&
                       value_fate_of(f->v, up, i, NULL) == FATE_USED;
        }
        return false;
    default:
        return false;
    }
}

static void sort_mention(struct defer_fix *f, const ast_node *n)
{
    const ast_node *up = n->parent;
    while (up != NULL && (up->kind == AST_PAREN || up->kind == AST_CAST))
        up = up->parent;
    if (up != NULL && up->kind == AST_CALL && is_release(f, up))
        add_release(f, up);
    else
        f->is_hopeless = f->is_hopeless || !only_uses(f, n);
}

static bool visit_mention(void *context, const ast_node *n)
{
    struct defer_fix *f = context;
    bool is_acquisition = tree_is_inside(n, f->statement) || tree_is_inside(n, f->behind);
    if (n->kind == AST_IDENT && n->ref == f->local && !n->is_unevaluated && !is_acquisition)
        sort_mention(f, n);
    return !f->is_hopeless;
}

static bool visit_effect(void *context, const ast_node *n)
{
    bool *found = context;
    *found = *found || n->kind == AST_CALL || n->kind == AST_AWAIT || n->kind == AST_FORM;
    return !*found;
}

static bool has_effect(const ast_node *n)
{
    bool found = false;
    tree_visit(n, visit_effect, &found);
    return found;
}

/* ---- where it goes ----------------------------------------------------------------------------
 */

static bool leaves(const ast_node *n)
{
    while (n->kind == AST_COMPOUND && n->kid_count != 0)
        n = n->kid[n->kid_count - 1];
    return n->kind == AST_RETURN || n->kind == AST_GOTO || n->kind == AST_BREAK ||
           n->kind == AST_CONTINUE;
}

static const ast_node *last_of(const ast_node *n)
{
    while (n->kind == AST_COMPOUND && n->kid_count != 0)
        n = n->kid[n->kid_count - 1];
    return n;
}

/* if (p == NULL) return -1; about this local alone. */
static bool is_failure_check(const struct defer_fix *f, const ast_node *s)
{
    if (s == NULL || s->kind != AST_IF || s->kid[2] != NULL || !leaves(s->kid[1]))
        return false;
    const ast_node *condition = sema_strip_parens(s->kid[0]);
    return mentions(f, condition) && condition->kind != AST_AND_AND &&
           condition->kind != AST_OR_OR &&
           exit_is_failure(f->cx, condition, true, last_of(s->kid[1]));
}

static bool find_place(struct defer_fix *f)
{
    strview release = sema_callee_name(f->cx->sema, f->cx->fn, f->site->release);
    f->statement = statement_of(f->site->call);
    f->block = f->statement == NULL ? NULL : f->statement->parent;
    if (f->block == NULL || f->block->kind != AST_COMPOUND ||
        (f->block->parent != NULL &&
         (f->block->parent->kind == AST_SWITCH || f->block->parent->kind == AST_STMT_EXPR ||
          f->block->parent->kind == AST_DEFER)))
        return false;
    f->behind = f->statement;
    if (f->statement->kind == AST_IF)
        return is_failure_check(f, f->statement);
    if (f->statement->kind != AST_DECL_STMT && f->statement->kind != AST_EXPR_STMT)
        return false;
    const ast_node *next = next_of(f->statement);
    while (next != NULL && next->kind == AST_DECL_STMT && !has_effect(next) && !mentions(f, next))
        next = next_of(next);
    if (is_failure_check(f, next)) {
        f->behind = next;
        return true;
    }
    return f->site->row->fails == OWNED_NEVER_FAILS || sv_is(release, "free") ||
           sv_is(release, "g_free");
}

/* ---- jumps ------------------------------------------------------------------------------------
 */

/* No label of the block in front of the place, and no jump from there to behind it. */
static bool visit_jump(void *context, const ast_node *n)
{
    struct defer_fix *f = context;
    bool is_front = n->first < f->behind->last;
    bool in_check = tree_is_inside(n, f->behind);
    if (n->kind == AST_GOTO_COMPUTED || n->kind == AST_ASM || (n->kind == AST_LABEL && is_front))
        f->is_hopeless = true;
    if (n->kind == AST_GOTO && (is_front || in_check)) {
        const ast_node *label = n->ref == NULL ? NULL : n->ref->declarator;
        if (label == NULL || (label->first > f->behind->last && label->first < f->block->last))
            f->is_hopeless = true;
    }
    if ((n->kind == AST_CASE || n->kind == AST_DEFAULT) && n->parent == f->block)
        f->is_hopeless = true;
    return !f->is_hopeless;
}

/* ---- what follows a release -------------------------------------------------------------------
 */

static bool is_other_release(const struct defer_fix *f, const ast_node *s)
{
    const ast_node *call = s->kind == AST_EXPR_STMT ? sema_strip(s->kid[0]) : s;
    return call->kind == AST_CALL &&
           known_owner_releases(f->cx->settings->known,
                                sema_callee_name(f->cx->sema, f->cx->fn, call));
}

/* May the release come as late as the end of its block? Memory may wait for anything but an await;
 * a close only for other releases and a plain return. */
static bool may_wait(const struct defer_fix *f, const ast_node *s)
{
    bool is_memory = f->site->row->kind == OWNED_HEAP;
    const ast_node *last = s, *from = s->parent->kind == AST_LABEL ? s->parent : s;
    for (const ast_node *n = next_of(from); n != NULL; n = next_of(n)) {
        bool is_quiet = n->kind == AST_RETURN ? !has_effect(n)
                        : is_memory           ? !has_await(n) && n->kind != AST_LABEL
                                              : is_other_release(f, n);
        if (!is_quiet || mentions(f, n))
            return false;
        last = n;
    }
    return from->parent == f->block || last->kind == AST_RETURN;
}

static bool releases_may_wait(const struct defer_fix *f)
{
    for (uint32_t i = 0; i < f->release_count; i++) {
        const ast_node *s = f->releases[i];
        bool is_label = s->parent->kind == AST_LABEL;
        const ast_node *next = is_label ? next_of(s->parent) : s;
        if (next == NULL || next->kind == AST_DECL_STMT || !tree_is_inside(s, f->block) ||
            s->first < f->behind->last || !may_wait(f, s))
            return false;
    }
    return f->release_count != 0;
}

/* ---- the text ---------------------------------------------------------------------------------
 */

static bool remove_line(rule_cx *cx, struct candidate *c, const ast_node *s)
{
    strview source = sema_unit_source(cx->sema);
    uint32_t begin, end;
    if (!sema_source_range(cx->sema, cx->fn, s, &begin, &end))
        return false;
    uint32_t line = begin, behind = end;
    while (line > 0 && (source.at[line - 1] == ' ' || source.at[line - 1] == '\t'))
        line--;
    while (behind < source.len &&
           (source.at[behind] == ' ' || source.at[behind] == '\t' || source.at[behind] == '\r'))
        behind++;
    bool is_alone = (line == 0 || source.at[line - 1] == '\n') && behind < source.len &&
                    source.at[behind] == '\n';
    rule_fix_bytes(cx, c, is_alone ? line : begin, is_alone ? behind + 1 : end, "");
    return true;
}

static void write_fix(struct defer_fix *f, struct candidate *c)
{
    rule_cx *cx = f->cx;
    strview source = sema_unit_source(cx->sema);
    uint32_t begin, end, first, last;
    if (!sema_source_token(cx->sema, cx->fn, f->behind->last - 1, &first, &last) ||
        !sema_source_token(cx->sema, cx->fn, f->behind->first, &first, &end) ||
        !sema_source_range(cx->sema, cx->fn, f->site->release, &begin, &end))
        return;
    for (uint32_t i = 0; i < f->release_count; i++) {
        uint32_t a, b;
        if (!sema_source_range(cx->sema, cx->fn, f->releases[i], &a, &b))
            return;
    }
    const char plain[] = "AWAITC_NO_KEYWORDS";
    bool has_keywords = memmem(source.at, source.len, plain, sizeof plain - 1) == NULL;
    uint32_t at = last; /* behind a comment that ends the line */
    while (at < source.len && (source.at[at] == ' ' || source.at[at] == '\t'))
        at++;
    if (at + 1 < source.len && source.at[at] == '/' && source.at[at + 1] == '/') {
        while (at < source.len && source.at[at] != '\n' && source.at[at] != '\r')
            at++;
        last = at;
    }
    rule_fix(cx, c, "release it by a defer");
    rule_fix_bytes(cx, c, last, last,
                   arena_printf(cx->mem, "\n%s%s { %.*s; }", source_indent(cx, first),
                                has_keywords ? "defer" : "aw_defer", (int)(end - begin),
                                source.at + begin));
    for (uint32_t i = 0; i < f->release_count; i++)
        (void)remove_line(cx, c, f->releases[i]);
}

static ast_decl *local_of(const struct owned_site *s)
{
    const ast_node *n = s->call->parent;
    if (s->target != NULL)
        return s->target->kind == AST_IDENT ? s->target->ref : NULL;
    while (n != NULL && (n->kind == AST_PAREN || n->kind == AST_CAST || n->kind == AST_AWAIT))
        n = n->parent;
    if (n != NULL && n->kind == AST_ASSIGN && sema_strip(n->kid[0])->kind == AST_IDENT)
        return sema_strip(n->kid[0])->ref;
    return n != NULL && n->kind == AST_DECLARATOR ? n->ref : NULL;
}

void defer_fix_add(rule_cx *cx, struct candidate *c, const struct owned_site *s)
{
    struct defer_fix f = {.cx = cx, .site = s, .local = local_of(s)};
    if (f.local == NULL || f.local->kind != DECL_VAR || s->row->where.kind != PLACE_RESULT ||
        s->holder_count != 1 || s->carrier_count != 0 || tree_around(s->release, AST_DEFER) != NULL)
        return;
    f.v = fn_view_new(cx, cx->fn);
    if (!find_place(&f))
        return;
    tree_visit(cx->fn->tree->root, visit_mention, &f);
    if (!f.is_hopeless)
        tree_visit(cx->fn->tree->root, visit_jump, &f);
    if (!f.is_hopeless && releases_may_wait(&f))
        write_fix(&f, c);
}
