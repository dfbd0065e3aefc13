/* SPDX-License-Identifier: MIT */
/*
 * The helpers that every pass of the lowering uses: items and temporaries, places of errors, types
 * that the tool makes itself, and what is known of a call.
 */
#include "transforms/lowering.h"

#include <stdarg.h>
#include <stdio.h>

#include "analyzer/base/check.h"
#include "transforms/rewrite.h"

void item_push(lowering *l, struct item_list *list, struct item *item)
{
    vec_reserve_one(l->mem, (void **)&list->at, list->count, &list->capacity, sizeof *list->at);
    list->at[list->count++] = item;
}

struct item *item_new(lowering *l, enum item_kind kind, ast_node *expr)
{
    struct item *item = ARENA_NEW(l->mem, struct item);
    item->kind = kind;
    item->expr = expr;
    return item;
}

struct item *item_add(lowering *l, enum item_kind kind, ast_node *expr)
{
    struct item *item = item_new(l, kind, expr);
    AWC_ASSERT(l->into != NULL);
    item_push(l, l->into, item);
    return item;
}

ast_decl *temp_new(lowering *l, type_id type)
{
    ast_decl *d = ARENA_NEW(l->mem, ast_decl);
    const char *name = arena_printf(l->mem, "aw__t%u", ++l->temp_count);
    d->kind = DECL_VAR;
    d->storage = STORAGE_AUTO;
    d->name = sv_from(name);
    d->token = UINT32_MAX;
    d->type = type;
    d->id = UINT32_MAX;
    d->local = (uint32_t)l->locals.count;
    VEC_PUSH(l->mem, &l->locals, d);
    AWC_ASSERT(l->overlay != NULL);
    if (l->into_second)
        VEC_PUSH(l->mem, &l->overlay->second_temps, d);
    else
        VEC_PUSH(l->mem, &l->overlay->temps, d);
    return d;
}

bool decl_is_temp(const ast_decl *d)
{
    return d->token == UINT32_MAX;
}

ast_node *ast_strip(ast_node *n)
{
    while (n->kind == AST_PAREN || (n->kind == AST_UNARY && n->op == OP_EXTENSION))
        n = n->kid[0];
    return n;
}

uint32_t count_words(strview text, strview name)
{
    uint32_t count = 0;
    for (const char *at = text.at, *end = text.at + text.len; at < end;) {
        const char *hit = memmem(at, (size_t)(end - at), name.at, name.len);
        if (hit == NULL)
            break;
        bool begins = hit == text.at || !sv_is_word_char(hit[-1]);
        bool ends = hit + name.len == end || !sv_is_word_char(hit[name.len]);
        count += begins && ends;
        at = hit + name.len;
    }
    return count;
}

/* Behind the comment or literal that begins at the byte, or the byte itself; `end` at most. */
static uint32_t behind_quiet(strview text, uint32_t at, uint32_t end)
{
    char c = text.at[at], next = at + 1 < end ? text.at[at + 1] : ' ';
    if (c == '/' && next == '*') {
        const char *close = memmem(text.at + at + 2, end - at - 2, "*/", 2);
        return close == NULL ? end : (uint32_t)(close - text.at) + 2;
    }
    if (c == '/' && next == '/') {
        const char *close = memchr(text.at + at, '\n', end - at);
        return close == NULL ? end : (uint32_t)(close - text.at);
    }
    if (c != '"' && c != '\'')
        return at;
    uint32_t to = at + 1;
    while (to < end && text.at[to] != c && text.at[to] != '\n')
        to += text.at[to] == '\\' ? 2 : 1;
    return to < end ? to + 1 : end;
}

strview next_piece(strview text, uint32_t *at, uint32_t end)
{
    uint32_t from = *at, behind;
    while (from < end && (behind = behind_quiet(text, from, end)) != from)
        from = behind;
    uint32_t to = from;
    while (to < end && sv_is_word_char(text.at[to]))
        to++;
    to += to == from && to < end;
    *at = to;
    return (strview){text.at + from, to - from};
}

struct diag_place unit_place(const struct unit *u, uint32_t offset)
{
    if (u->map != NULL)
        return expand_place(u->map->given, rewrite_origin(u->map, offset));
    return expand_place(u->source, offset);
}

struct diag_place unit_line(const struct unit *u, uint32_t offset)
{
    if (u->map != NULL)
        return expand_line(u->map->given, rewrite_origin(u->map, offset));
    return expand_line(u->source, offset);
}

uint32_t lower_line(const lowering *l, uint32_t token)
{
    if (token > l->fn->token_count)
        token = l->fn->token_count;
    return unit_line(l->unit, l->fn->tokens[token].begin).line;
}

struct diag_place lower_place(const lowering *l, uint32_t token)
{
    if (token > l->fn->token_count)
        token = l->fn->token_count;
    return unit_place(l->unit, l->fn->tokens[token].begin);
}

void lower_error(lowering *l, enum diag_id id, const ast_node *at, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = arena_alloc(l->mem, (size_t)(len < 0 ? 0 : len) + 1);
    vsnprintf(text, (size_t)(len < 0 ? 0 : len) + 1, format, again);
    va_end(again);
    diag_report(l->unit->sink, id, lower_place(l, at->first), "%s", text);
    l->failed = true;
}

lowering *unit_find(struct unit *u, strview name)
{
    for (uint32_t i = 0; i < u->function_count; i++) {
        if (u->functions[i] != NULL && sv_equal(u->functions[i]->fn->name, name))
            return u->functions[i];
    }
    return NULL;
}

const struct type *type_of(const lowering *l, type_id id)
{
    return type_get(l->unit->types, id);
}

/* The function type behind a callee's type: pointers are followed. */
static type_id function_type(const lowering *l, type_id id)
{
    for (int depth = 0; depth < 3 && id != TYPE_NONE; depth++) {
        const struct type *t = type_of(l, id);
        if (t->cls == TYPE_FUNCTION)
            return id;
        if (t->cls != TYPE_POINTER)
            break;
        id = t->elem;
    }
    return TYPE_NONE;
}

bool call_describe(lowering *l, ast_node *node, struct call *out)
{
    *out = (struct call){.node = node};
    if (node->kind != AST_CALL || !node->is_file_callee_async)
        return false;
    bool is_pointer = false;
    out->function = clang_unit_callee(l->unit->clang, l->fn, node->kid[0], &is_pointer);
    if (out->function != NULL) {
        out->type = out->function->type;
        out->measured = unit_find(l->unit, out->function->name);
        if (out->measured != NULL && !out->measured->fn->is_static && l->unit->has_weak)
            out->measured = NULL; /* it may be another definition that is linked */
    } else {
        ast_node *callee = node->kid[0];
        out->type = function_type(l, callee->converted);
        if (out->type == TYPE_NONE)
            out->type = function_type(l, callee->type);
    }
    if (out->type == TYPE_NONE) {
        lower_error(l, DIAG_UNSUPPORTED, node,
                    "the type of the function that is called here is not known");
        return false;
    }
    out->result = type_of(l, type_of(l, out->type)->elem)->unqualified;
    return true;
}

type_id value_type(lowering *l, const ast_node *e)
{
    type_id id = e->converted != TYPE_NONE ? e->converted : e->type;
    if (id == TYPE_NONE)
        return TYPE_NONE;
    /* An argument for a transparent union: the call itself converts it. */
    if (type_of(l, id)->cls == TYPE_RECORD && e->type != TYPE_NONE &&
        type_of(l, e->type)->cls != TYPE_RECORD && type_of(l, e->type)->cls != TYPE_UNKNOWN)
        id = e->type;
    const struct type *t = type_of(l, id);
    if (t->cls == TYPE_ARRAY)
        return type_make_pointer(l, t->elem);
    if (t->cls == TYPE_FUNCTION)
        return type_make_pointer(l, id);
    if (t->cls == TYPE_ATOMIC)
        return type_of(l, t->elem)->unqualified;
    return t->unqualified;
}

bool is_form(const ast_node *n, enum ast_form form)
{
    return n->kind == AST_FORM && n->op == (uint8_t)form;
}

type_id type_make_record(type_table *types, const char *before, uint64_t size, uint64_t align)
{
    struct type t = {.cls = TYPE_RECORD,
                     .is_complete = true,
                     .is_nameable = true,
                     .size_bytes = size,
                     .align_bytes = align,
                     .before = before,
                     .after = ""};
    type_id id = (type_id)types->types.count;
    t.unqualified = id;
    VEC_PUSH(types->mem, &types->types, t);
    return id;
}

type_id type_make_pointer(lowering *l, type_id elem)
{
    type_table *types = l->unit->types;
    for (size_t i = 1; i < types->types.count; i++) {
        const struct type *t = &types->types.at[i];
        if (t->cls == TYPE_POINTER && t->elem == elem && t->unqualified == i && !t->is_async)
            return (type_id)i;
    }
    const struct type e = *type_of(l, elem);
    struct type t = {.cls = TYPE_POINTER,
                     .is_unsigned = true,
                     .is_complete = true,
                     .is_variable = e.is_variable,
                     .is_nameable = e.is_nameable,
                     .elem = elem,
                     .size_bytes = sizeof(void *),
                     .align_bytes = sizeof(void *)};
    for (size_t i = 1; i < types->types.count; i++) {
        if (types->types.at[i].cls == TYPE_POINTER) { /* the target's pointers */
            t.size_bytes = types->types.at[i].size_bytes;
            t.align_bytes = types->types.at[i].align_bytes;
            break;
        }
    }
    if (e.is_variable) {
        t.is_nameable = true; /* as clang_spell_pointer does it */
        t.before = "void *";
        t.after = "";
    } else if (e.is_nameable && e.before != NULL) {
        bool wraps = e.cls == TYPE_ARRAY || e.cls == TYPE_FUNCTION;
        t.before = arena_printf(types->mem, wraps ? "%s(*" : "%s*", e.before);
        t.after = wraps ? arena_printf(types->mem, ")%s", e.after) : "";
    }
    type_id id = (type_id)types->types.count;
    t.unqualified = id;
    VEC_PUSH(types->mem, &types->types, t);
    return id;
}

const char *declare_text(const lowering *l, type_id type)
{
    const struct type *t = type_of(l, type);
    return t->before == NULL ? "" : arena_printf(l->mem, "%s%s", t->before, t->after);
}

/* The bound that stands right behind the name, or where it would stand. */
static bool is_own_bound(const lowering *l, const ast_node *declarator, const ast_node *bound)
{
    uint32_t left = declarator->name_token, right = declarator->name_token + 1;
    if (declarator->name_token == UINT32_MAX) /* int [n], int *[n]; not int (*)[n] */
        return bound->first == declarator->first ||
               !sv_is(ast_token_text(l->fn, bound->first - 1), ")");
    while (left > declarator->first && sv_is(ast_token_text(l->fn, left - 1), "(") &&
           sv_is(ast_token_text(l->fn, right), ")")) {
        left--;
        right++;
    }
    return bound->first == right;
}

const ast_node *first_bound(const lowering *l, const ast_node *declarator)
{
    for (uint32_t i = 0; i < declarator->kid_count; i++) {
        const ast_node *k = declarator->kid[i];
        if (k != NULL && k->kind == AST_ARRAY_BOUND)
            return is_own_bound(l, declarator, k) ? k : NULL;
    }
    return NULL;
}

const char *own_alignment(const lowering *l, const ast_decl *d)
{
    if (decl_is_temp(d) || d->declarator == NULL || d->kind != DECL_VAR ||
        fault_planted(FAULT_ALIGNMENT_LOST))
        return "";
    strbuf out = strbuf_in(l->mem);
    const ast_node *s = d->declarator->parent;
    const ast_node *parts[2] = {s != NULL && s->kid_count > 0 ? s->kid[0] : NULL, d->declarator};
    for (int part = 0; part < 2; part++) {
        for (uint32_t i = 0; parts[part] != NULL && i < parts[part]->kid_count; i++) {
            const ast_node *k = parts[part]->kid[i];
            if (k == NULL || (k->kind != AST_ALIGNAS && k->kind != AST_ATTRIBUTE))
                continue;
            strview text = ast_node_text(l->fn, k);
            if (k->kind == AST_ALIGNAS || memmem(text.at, text.len, "aligned", 7) != NULL)
                strbuf_fmt(&out, "%.*s ", SV_ARG(text));
        }
    }
    return strbuf_text(&out);
}

uint32_t declarator_end(const lowering *l, const ast_node *declarator)
{
    const ast_node *init =
        declarator->kid_count == 0 ? NULL : declarator->kid[declarator->kid_count - 1];
    uint32_t last = declarator->last;
    for (uint32_t t = init == NULL ? 0 : init->first; t > declarator->first; t--) {
        if (sv_is(ast_token_text(l->fn, t - 1), "="))
            return t - 1;
    }
    return init == NULL ? last : init->first;
}
