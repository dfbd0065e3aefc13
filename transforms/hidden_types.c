/* SPDX-License-Identifier: MIT */
/*
 * What if a function's own declarations hide the name of a type that its lowered text spells?
 *
 *     pair pair = await get();  use(pair, await more());      the temporary's type is `pair`, too
 *
 * Each such typedef or tag gets a second name in front of the function, and the types of the unit
 * are spelled by that name until the function has been written.
 */

#include "analyzer/base/check.h"
#include "transforms/lowering.h"

static size_t word_end(const char *text, size_t at)
{
    while (sv_is_word_char(text[at]))
        at++;
    return at;
}

static bool is_tag_word(strview word)
{
    return sv_is(word, "struct") || sv_is(word, "union") || sv_is(word, "enum");
}

static const struct hidden_type *find_hidden(const lowering *l, strview name, bool is_tag)
{
    for (size_t i = 0; i < l->hidden_types.count; i++) {
        const struct hidden_type *h = &l->hidden_types.at[i];
        if (h->is_tag == is_tag && sv_equal(h->name, name))
            return h;
    }
    return NULL;
}

/* The text with its hidden names replaced; NULL if there is none in it. */
static const char *respell(lowering *l, const char *text)
{
    strbuf out = strbuf_in(l->mem);
    bool changed = false;
    for (size_t at = 0; text[at] != '\0';) {
        if (!sv_is_word_char(text[at])) {
            strbuf_char(&out, text[at++]);
            continue;
        }
        size_t end = word_end(text, at), to = end;
        strview word = {text + at, end - at};
        const struct hidden_type *h = NULL;
        if (is_tag_word(word) && text[end] == ' ') {
            to = word_end(text, end + 1);
            h = find_hidden(l, (strview){text + end + 1, to - end - 1}, true);
        } else {
            h = find_hidden(l, word, false);
        }
        if (h != NULL)
            strbuf_str(&out, h->alias);
        else
            strbuf_add(&out, text + at, to - at);
        changed |= h != NULL;
        at = to;
    }
    return changed ? strbuf_text(&out) : NULL;
}

/* "struct pair " if the unit has a tagged type of this name, else NULL. */
static const char *tagged_type(const lowering *l, strview name)
{
    const type_table *types = l->unit->types;
    for (size_t i = 1; i < types->types.count; i++) {
        const struct type *t = &types->types.at[i];
        if ((t->cls != TYPE_RECORD && t->cls != TYPE_ENUM) || t->before == NULL || !t->is_nameable)
            continue;
        size_t end = word_end(t->before, 0);
        if (!is_tag_word((strview){t->before, end}) || t->before[end] != ' ')
            continue;
        size_t to = word_end(t->before, end + 1);
        if (sv_equal((strview){t->before + end + 1, to - end - 1}, name))
            return arena_strndup(l->mem, t->before, to);
    }
    return NULL;
}

static void add_hidden(lowering *l, strview name, bool is_tag, const char *type)
{
    struct hidden_type h = {.name = name, .is_tag = is_tag, .type = type};
    h.alias = arena_printf(l->mem, "%s__%s_%.*s", l->name, is_tag ? "tag" : "type", SV_ARG(name));
    VEC_PUSH(l->mem, &l->hidden_types, h);
}

/* Typedefs that are called as a parameter or variable of the text that we write ourselves. */
static void find_hidden_by_text(lowering *l)
{
    static const char *const names[] = {"c",    "h",    "st", "v", "g",   "a",    "fp", "r",
                                        "code", "poll", "s",  "t", "job", "args", "rc", "site"};
    for (size_t i = 0; i < COUNTOF(names); i++) {
        strview name = sv_from(names[i]);
        if (find_hidden(l, name, false) == NULL &&
            clang_unit_is_typedef(l->unit->clang, name, l->region->buffer_begin))
            add_hidden(l, name, false, names[i]);
    }
    for (unsigned i = 0; i <= 100; i++) { /* the arguments of signatures */
        const char *name = arena_printf(l->mem, "a%u", i);
        if (find_hidden(l, sv_from(name), false) == NULL &&
            clang_unit_is_typedef(l->unit->clang, sv_from(name), l->region->buffer_begin))
            add_hidden(l, sv_from(name), false, name);
    }
}

static void find_hidden_types(lowering *l)
{
    find_hidden_by_text(l);
    for (size_t i = 0; i < l->fn->decls.count; i++) {
        const ast_decl *d = l->fn->decls.at[i];
        bool is_tag = d->kind == DECL_TAG;
        if (d->kind == DECL_LABEL || d->kind == DECL_FIELD || d->name.len == 0 ||
            find_hidden(l, d->name, is_tag) != NULL)
            continue;
        const char *type = NULL;
        if (is_tag)
            type = tagged_type(l, d->name);
        else if (clang_unit_is_typedef(l->unit->clang, d->name, l->region->buffer_begin))
            type = arena_strndup(l->mem, d->name.at, d->name.len);
        if (type == NULL)
            continue;
        add_hidden(l, d->name, is_tag, type);
    }
}

void hidden_types_begin(lowering *l)
{
    type_table *types = l->unit->types;
    if (!l->is_async && l->spawns.count == 0)
        return;
    if (l->hidden_types.count == 0)
        find_hidden_types(l);
    for (size_t i = 1; i < types->types.count && l->hidden_types.count > 0; i++) {
        struct type *t = &types->types.at[i];
        const char *before = t->before == NULL ? NULL : respell(l, t->before);
        const char *after = t->after == NULL ? NULL : respell(l, t->after);
        if (before == NULL && after == NULL)
            continue;
        struct respelled r = {(type_id)i, t->before, t->after};
        VEC_PUSH(l->mem, &l->respelled, r);
        t->before = before != NULL ? before : t->before;
        t->after = after != NULL ? after : t->after;
    }
}

void hidden_types_end(lowering *l)
{
    for (size_t i = l->respelled.count; i-- > 0;) {
        struct type *t = &l->unit->types->types.at[l->respelled.at[i].id];
        t->before = l->respelled.at[i].before;
        t->after = l->respelled.at[i].after;
    }
}
