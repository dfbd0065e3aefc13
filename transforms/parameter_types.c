/* SPDX-License-Identifier: MIT */
/* Which types do parameter lists define, and where do they go? See parameter_types.h. */
#include "transforms/parameter_types.h"

#include "transforms/rewrite.h"

/* ---- what moves ---------------------------------------------------------------------------- */

/* The AST_SPECIFIERS of a parameter. */
static const ast_node *specifiers_of(const ast_decl *param)
{
    const ast_node *n = param->declarator;
    while (n != NULL && n->kind != AST_PARAM)
        n = n->parent;
    return n == NULL ? NULL : n->kid[0];
}

/* The definition among a parameter's specifiers, or NULL. */
static const ast_node *definition_in(const ast_function *fn, const ast_node *specifiers)
{
    for (uint32_t i = 0; specifiers != NULL && i < specifiers->kid_count; i++) {
        const ast_node *k = specifiers->kid[i];
        if (k != NULL && k->kind == AST_TAG_DEF && ast_tag_has_body(fn, k))
            return k;
    }
    return NULL;
}

bool parameter_type_is_defined(const lowering *l, const ast_decl *param)
{
    return definition_in(l->fn, specifiers_of(param)) != NULL;
}

static bool defines_types(const lowering *l)
{
    for (size_t i = 0; i < l->fn->params.count; i++) {
        if (parameter_type_is_defined(l, l->fn->params.at[i]))
            return true;
    }
    return false;
}

/* What moves out of one function. */
struct plan {
    lowering *l;
    const char **names; /* [decl]: the second name of a moved tag or enumerator; NULL: none */
    const char **words; /* [token]: what is written instead; NULL: the token */
    strbuf front;       /* the definitions */
};

/* Tags and enumerators without a name, or whose name stands somewhere else, too. */
static void name_contents(struct plan *plan, const ast_node *definition)
{
    const lowering *l = plan->l;
    strview all = l->unit->source->buffer;
    strview own = {all.at + l->region->buffer_begin,
                   l->region->buffer_end - l->region->buffer_begin};
    for (size_t i = 0; i < l->fn->decls.count; i++) {
        const ast_decl *d = l->fn->decls.at[i];
        if ((d->kind != DECL_TAG && d->kind != DECL_ENUMERATOR) ||
            d->declarator->first < definition->first || d->declarator->first >= definition->last)
            continue;
        if (d->name.len == 0)
            plan->names[d->id] = arena_printf(l->mem, "%s__in_%u", l->name, d->declarator->first);
        else if (count_words(all, d->name) > count_words(own, d->name))
            plan->names[d->id] = arena_printf(l->mem, "%s__in_%.*s", l->name, SV_ARG(d->name));
    }
}

/* Second names, wherever the function says the first ones. */
static void find_words(struct plan *plan, const ast_node *n)
{
    const char *name = n->ref == NULL ? NULL : plan->names[n->ref->id];
    if (name != NULL && n->kind == AST_IDENT) {
        plan->words[n->first] = name;
    } else if (name != NULL && (n->kind == AST_TAG_DEF || n->kind == AST_ENUMERATOR)) {
        uint32_t behind = ast_tag_behind_name(plan->l->fn, n);
        if (n->name_token != UINT32_MAX)
            plan->words[n->name_token] = name;
        else
            plan->words[behind] = arena_printf(plan->l->mem, "%s %.*s", name,
                                               SV_ARG(ast_token_text(plan->l->fn, behind)));
    }
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            find_words(plan, n->kid[i]);
    }
}

static strview word(const struct plan *plan, uint32_t token)
{
    return plan->words[token] != NULL ? sv_from(plan->words[token])
                                      : ast_token_text(plan->l->fn, token);
}

/* The definition goes to the front; the parameter says its keyword and its tag. */
static void move_definition(struct plan *plan, const ast_node *definition)
{
    const char *tag =
        definition->name_token == UINT32_MAX
            ? plan->names[definition->ref->id]
            : arena_printf(plan->l->mem, "%.*s", SV_ARG(word(plan, definition->name_token)));
    for (uint32_t t = definition->first; t < definition->last; t++)
        strbuf_fmt(&plan->front, "%.*s ", SV_ARG(word(plan, t)));
    strbuf_str(&plan->front, "; ");
    for (uint32_t t = definition->first + 1; t < definition->last; t++)
        plan->words[t] = "";
    plan->words[definition->first + 1] = tag;
}

static struct plan *plan_function(lowering *l)
{
    if (l == NULL || !l->is_async || l->fn->is_old_style || !defines_types(l))
        return NULL;
    struct plan *plan = ARENA_NEW(l->mem, struct plan);
    plan->l = l;
    plan->names = ARENA_ARRAY(l->mem, const char *, l->fn->decls.count + 1);
    plan->words = ARENA_ARRAY(l->mem, const char *, l->fn->token_count + 1);
    plan->front = strbuf_in(l->mem);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < l->fn->params.count; i++) {
            const ast_node *k = definition_in(l->fn, specifiers_of(l->fn->params.at[i]));
            if (k != NULL && pass == 0)
                name_contents(plan, k);
            else if (k != NULL)
                move_definition(plan, k);
        }
        if (pass == 0)
            find_words(plan, l->fn->root);
    }
    return plan;
}

/* ---- what is written ----------------------------------------------------------------------- */

static void put_region(rewriter *w, uint32_t index, void *context)
{
    const struct region *r = &w->old->regions[index];
    struct plan *plan = ((struct plan **)context)[index];
    uint32_t at = r->buffer_begin;
    if (plan != NULL) {
        rewrite_made(w, at, strbuf_text(&plan->front));
        rewrite_front(w, index, strbuf_text(&plan->front));
    }
    uint32_t begin = (uint32_t)w->out.len;
    for (uint32_t t = 0; plan != NULL && t < plan->l->fn->token_count; t++) {
        const struct token *token = &plan->l->fn->tokens[t];
        if (plan->words[t] == NULL)
            continue;
        rewrite_copy(w, at, token->begin);
        rewrite_made(w, token->begin, plan->words[t]);
        at = token->end;
    }
    rewrite_copy(w, at, r->buffer_end);
    rewrite_region(w, index, begin);
}

bool parameter_types_rewrite(struct unit *u)
{
    struct plan **plans = ARENA_ARRAY(u->mem, struct plan *, u->function_count + 1);
    bool any = false;
    for (uint32_t i = 0; i < u->function_count; i++) {
        plans[i] = plan_function(u->functions[i]);
        any |= plans[i] != NULL;
    }
    if (!any)
        return false;
    rewriter w;
    rewrite_begin(&w, u, u->source->region_count);
    rewrite_regions(&w, put_region, plans);
    rewrite_end(&w);
    return true;
}
