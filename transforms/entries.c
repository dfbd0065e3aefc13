/* SPDX-License-Identifier: MIT */
/*
 * Which functions need a public way in? Callers that come later in the file know the frame and call
 * the state machine itself. A static function that is named nowhere else (no earlier call, no
 * recursion, no pointer to it, no prototype) needs neither __entry nor a symbol of the user's name.
 *
 * Names are counted in the whole text, comments included: one too many keeps an entry, no more.
 */
#include "transforms/lowering.h"

/* Calls of the name that are evaluated, in one function. */
static uint32_t count_calls(const lowering *l, const ast_node *n, strview name)
{
    uint32_t count = 0;
    if (n->kind == AST_CALL && n->is_file_callee_async && !n->is_unevaluated) {
        const ast_node *callee = ast_strip(n->kid[0]);
        count += callee->kind == AST_IDENT && callee->ref == NULL &&
                 sv_equal(ast_node_text(l->fn, callee), name);
    }
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            count += count_calls(l, n->kid[i], name);
    }
    return count;
}

static bool has_attributes(const lowering *l)
{
    for (int part = 0; part < 2; part++) {
        const ast_node *n = l->fn->root->kid[part];
        for (uint32_t i = 0; i < n->kid_count; i++) {
            if (n->kid[i] != NULL && n->kid[i]->kind == AST_ATTRIBUTE)
                return true;
        }
    }
    return false;
}

void find_entries(struct unit *u)
{
    for (uint32_t i = 0; i < u->function_count; i++) {
        lowering *l = u->functions[i];
        if (l == NULL || !l->is_async)
            continue;
        l->needs_entry = true;
        if (!l->fn->is_static || l->is_main || has_attributes(l))
            continue;
        uint32_t others = count_words(u->source->buffer, l->fn->name) - 1; /* but its definition */
        for (uint32_t k = i + 1; k < u->function_count && others > 0; k++) {
            if (u->functions[k] != NULL)
                others -=
                    count_calls(u->functions[k], u->functions[k]->fn->root->kid[2], l->fn->name);
        }
        l->needs_entry = others > 0;
    }
}
