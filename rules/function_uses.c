/* SPDX-License-Identifier: MIT */
/*
 * The trees say which calls there are; whether the name stands somewhere else, the text says,
 * macros and what this build leaves out included.
 */
#include "rules/function_uses.h"

static void note_uses(rule_cx *cx, struct sema_function *fn, struct function_uses *u,
                      const ast_node *n)
{
    bool is_it = n->kind == AST_CALL && sema_callee(cx->sema, fn, n) == u->symbol;
    if (is_it) {
        const ast_node *p = n->parent;
        while (p != NULL && (p->kind == AST_PAREN || p->kind == AST_ASSIGN))
            p = p->parent;
        if (p != NULL && p->kind == AST_AWAIT) {
            VEC_PUSH(cx->mem, &u->awaits, p);
            VEC_PUSH(cx->mem, &u->owners, fn);
        } else if (p != NULL && p->kind == AST_FORM) {
            u->in_form = true;
        } else {
            u->is_plain = true;
        }
    }
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            note_uses(cx, fn, u, n->kid[i]);
    }
}

struct function_uses function_uses_of(rule_cx *cx, const sema_symbol *symbol)
{
    struct function_uses u = {.symbol = symbol};
    uint32_t count;
    struct sema_function *const *all = sema_unit_functions(cx->sema, &count);
    for (uint32_t i = 0; i < count; i++)
        note_uses(cx, all[i], &u, all[i]->tree->root);
    return u;
}

bool function_is_named_only(rule_cx *cx, strview name, size_t uses)
{
    strview source = sema_unit_source(cx->sema);
    size_t found = 0;
    for (size_t i = 0; i + name.len <= source.len; i++) {
        size_t end = i + name.len;
        bool is_word = (i == 0 || !sv_is_word_char(source.at[i - 1])) &&
                       (end == source.len || !sv_is_word_char(source.at[end]));
        found += is_word && memcmp(source.at + i, name.at, name.len) == 0;
    }
    return found == uses + 1;
}
