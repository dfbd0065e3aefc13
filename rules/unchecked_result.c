/* SPDX-License-Identifier: MIT */
/*
 * unchecked-result: an await gives an integer that may say that it failed, and nobody looks. A cast
 * to void says that this is meant. What a form's branches give is the form's business.
 */
#include "rules/await_sites.h"

/* Is the value of an expression dropped where it stands? */
static bool is_dropped(const ast_node *n)
{
    const ast_node *p = n->parent;
    if (p == NULL)
        return false;
    switch (p->kind) {
    case AST_EXPR_STMT: {
        /* the last statement of a statement expression is its value */
        const ast_node *block = p->parent;
        bool is_last = block != NULL && block->kind == AST_COMPOUND && block->kid_count > 0 &&
                       block->kid[block->kid_count - 1] == p;
        bool is_value = is_last && block->parent != NULL && block->parent->kind == AST_STMT_EXPR;
        return !is_value || is_dropped(block->parent);
    }
    case AST_PAREN:
        return is_dropped(p);
    case AST_COMMA:
        return p->kid[0] == n || is_dropped(p);
    case AST_CONDITIONAL:
    case AST_AND_AND:
    case AST_OR_OR:
        return p->kid[0] != n && is_dropped(p);
    case AST_FOR:
        return p->kid[2] == n;
    default:
        return false;
    }
}

static void report(rule_cx *cx, const struct await_site *site)
{
    bool is_named = !site->is_form && site->calls[0].name.len != 0;
    const char *name = is_named ? arena_printf(cx->mem, "%.*s", SV_ARG(site->calls[0].name))
                                : sema_text(cx->sema, cx->fn, site->operand, 40);
    struct candidate *c =
        rule_report(cx, site->node,
                    "'%s' can fail, but nobody looks at its result; test it, or say that it does "
                    "not matter with a cast to void: '(void)await ...'",
                    name);
    rule_leaf(c, name);
}

static void on_function(rule_cx *cx)
{
    if (!cx->fn->tree->is_async)
        return; /* the await itself is wrong there */
    const struct await_sites *sites = await_sites_of(cx, cx->fn);
    for (uint32_t i = 0; i < sites->count; i++) {
        const struct await_site *s = &sites->at[i];
        if (!s->is_repeated && is_dropped(s->node) && await_site_can_fail(cx, cx->fn, s))
            report(cx, s);
    }
}

const struct rule_calls rule_unchecked_result = {.on_function = on_function};
