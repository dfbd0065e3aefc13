/* SPDX-License-Identifier: MIT */
/*
 * needless-await: an async function whose whole body awaits one call of the same parameters and
 * type and gives back its result: callers can call that one, and save a frame and a step.
 */
#include <string.h>

#include "rules/await_sites.h"
#include "rules/function_uses.h"

static bool same_type(const ctype *a, const ctype *b, unsigned depth)
{
    if (a == b)
        return true;
    if (depth == 0 || a->cls != b->cls || a->is_unsigned != b->is_unsigned ||
        a->size_bytes != b->size_bytes || a->record != b->record || a->cls == CTYPE_UNKNOWN)
        return false;
    if (a->cls != CTYPE_POINTER && a->cls != CTYPE_ARRAY)
        return true;
    if (a->elem == NULL || b->elem == NULL)
        return false;
    return a->elem->is_const == b->elem->is_const && same_type(a->elem, b->elem, depth - 1);
}

/* The only variable that a statement declares; *value gets its initialiser, or NULL. */
static const ast_decl *only_variable(const ast_node *s, const ast_node **value)
{
    const ast_node *d = s->kind == AST_DECL_STMT && s->kid_count == 2 ? s->kid[1] : NULL;
    if (d == NULL || d->kind != AST_DECLARATOR || d->ref == NULL ||
        d->ref->storage != STORAGE_AUTO || d->ref->cleanup != NULL)
        return NULL;
    *value = d->kid_count == 0 ? NULL : d->kid[d->kid_count - 1];
    return d->ref;
}

/* What comes back by way of a variable of its own, of the function's own type:
 * T rc = await f(...); return rc; */
static const ast_node *value_by_way(rule_cx *cx, const ast_node *body)
{
    uint32_t count = body->kid_count;
    const ast_node *value = NULL, *last = body->kid[count - 1];
    const ast_decl *d = count == 2 || count == 3 ? only_variable(body->kid[0], &value) : NULL;
    const ast_node *given =
        last->kind == AST_RETURN && last->kid[0] != NULL ? sema_strip_parens(last->kid[0]) : NULL;
    if (d == NULL || given == NULL || given->kind != AST_IDENT || given->ref != d ||
        !same_type(sema_decl_type(cx->sema, cx->fn, d),
                   sema_symbol_type(cx->sema, cx->fn->symbol)->elem, 6))
        return NULL;
    if (count == 2)
        return value;
    const ast_node *set = body->kid[1];
    set = set->kind == AST_EXPR_STMT && set->kid[0] != NULL ? sema_strip_parens(set->kid[0]) : set;
    bool is_set = set->kind == AST_ASSIGN && set->op == OP_ASSIGN &&
                  sema_strip_parens(set->kid[0])->ref == d && value == NULL;
    return is_set ? set->kid[1] : NULL;
}

/* The call that is all of the body; NULL. */
static const ast_node *only_call(rule_cx *cx)
{
    const ast_function *fn = cx->fn->tree;
    const ast_node *body = fn->root->kid[fn->root->kid_count - 1];
    if (body->kind != AST_COMPOUND || body->kid_count == 0)
        return NULL;
    const ast_node *s = body->kid[0], *n = NULL;
    if (body->kid_count > 1)
        n = value_by_way(cx, body);
    else if (s->kind == AST_RETURN || s->kind == AST_EXPR_STMT)
        n = s->kid[0];
    n = n == NULL ? NULL : sema_strip_parens(n);
    if (n == NULL || n->kind != AST_AWAIT)
        return NULL;
    n = sema_strip_parens(n->kid[0]);
    return n->kind == AST_CALL ? n : NULL;
}

/* Does an attribute (weak, a section, an asm name) say that the symbol itself matters? */
static bool has_attribute(const ast_node *function)
{
    for (uint32_t i = 0; i + 1 < function->kid_count; i++) {
        const ast_node *head = function->kid[i];
        for (uint32_t k = 0; head != NULL && k < head->kid_count; k++) {
            const ast_node *part = head->kid[k];
            if (part != NULL && (part->kind == AST_ATTRIBUTE || part->kind == AST_ASM_LABEL))
                return true;
        }
    }
    return false;
}

static bool passes_parameters(rule_cx *cx, const ast_node *call, const ctype *callee)
{
    const ast_function *fn = cx->fn->tree;
    if (sema_arg_count(call) != fn->params.count || callee->param_count != fn->params.count)
        return false;
    for (uint32_t i = 0; i < fn->params.count; i++) {
        const ast_node *arg = sema_strip_parens(sema_arg(call, i));
        const ctype *type = sema_decl_type(cx->sema, cx->fn, fn->params.at[i]);
        if (arg->kind != AST_IDENT || arg->ref != fn->params.at[i] ||
            !same_type(type, callee->params[i], 6))
            return false;
    }
    return true;
}

/* ---- the fix: a static function goes, and its callers call what it called ----------------------
 */

/* Where the comment begins that ends in the line above; `begin` if there is none, or if it is
 * written behind something else. */
static uint32_t comment_above(strview text, uint32_t begin)
{
    if (begin < 5 || memcmp(text.at + begin - 3, "*/\n", 3) != 0)
        return begin;
    for (uint32_t i = begin - 5; i > 0; i--) {
        if (text.at[i] == '/' && text.at[i + 1] == '*')
            return text.at[i - 1] == '\n' ? i : begin;
    }
    return begin;
}

/* Behind the end of the line at `end`; and behind a blank line below it, where one is above
 * `begin`. */
static uint32_t behind_lines(strview text, uint32_t begin, uint32_t end)
{
    bool is_blank_above = begin >= 2 && memcmp(text.at + begin - 2, "\n\n", 2) == 0;
    for (unsigned lines = is_blank_above ? 2 : 1; lines > 0 && end < text.len; lines--)
        end += text.at[end] == '\n';
    return end;
}

/* Does the function have a variable of its own of that name? */
static bool hides(const struct sema_function *fn, strview name)
{
    for (size_t i = 0; i < fn->tree->decls.count; i++) {
        if (sv_equal(fn->tree->decls.at[i]->name, name))
            return true;
    }
    return false;
}

static void add_fix(rule_cx *cx, struct candidate *c, strview callee)
{
    const sema_symbol *self = cx->fn->symbol;
    uint32_t begin, end;
    if (!self->is_static || !sema_source_range(cx->sema, cx->fn, cx->fn->tree->root, &begin, &end))
        return;
    struct function_uses u = function_uses_of(cx, self);
    if (u.in_form || u.is_plain || !function_is_named_only(cx, self->name, u.awaits.count))
        return;
    rule_fix(cx, c, arena_printf(cx->mem, "call '%.*s' and remove this function", SV_ARG(callee)));
    strview source = sema_unit_source(cx->sema);
    begin = comment_above(source, begin);
    rule_fix_bytes(cx, c, begin, behind_lines(source, begin, end), "");
    bool all = true;
    for (size_t i = 0; all && i < u.awaits.count; i++) {
        const ast_node *call = sema_strip_parens(u.awaits.at[i]->kid[0]);
        all = call->kind == AST_CALL && !hides(u.owners.at[i], callee) &&
              sema_source_range(cx->sema, u.owners.at[i], call->kid[0], &begin, &end);
        if (all)
            rule_fix_bytes(cx, c, begin, end, arena_printf(cx->mem, "%.*s", SV_ARG(callee)));
    }
    if (!all)
        c->finding.fixes.count--;
}

static void on_function(rule_cx *cx)
{
    sema_symbol *self = cx->fn->symbol;
    if (self == NULL || !self->is_async_keyword || sv_is(self->name, "main") ||
        sema_symbol_type(cx->sema, self)->elem == NULL || has_attribute(cx->fn->tree->root))
        return;
    const ast_node *call = only_call(cx);
    if (call == NULL)
        return;
    sema_symbol *callee = sema_callee(cx->sema, cx->fn, call);
    if (callee == NULL || callee == self)
        return;
    const ctype *own = sema_symbol_type(cx->sema, self);
    const ctype *other = sema_symbol_type(cx->sema, callee);
    if (own->cls != CTYPE_FUNCTION || other->cls != CTYPE_FUNCTION || own->elem == NULL ||
        other->elem == NULL || !same_type(own->elem, other->elem, 6) ||
        !passes_parameters(cx, call, other))
        return;
    struct candidate *c =
        rule_report(cx, call->parent,
                    "'%.*s' only awaits '%.*s' with its own parameters and gives back the result; "
                    "call '%.*s' instead, which saves a frame and a step each time",
                    SV_ARG(self->name), SV_ARG(callee->name), SV_ARG(callee->name));
    rule_leaf(c, arena_printf(cx->mem, "%.*s", SV_ARG(callee->name)));
    rule_needs_no_address(cx, c);
    add_fix(cx, c, callee->name);
}

const struct rule_calls rule_needless_await = {.on_function = on_function};
