/* SPDX-License-Identifier: MIT */
/*
 * How is a declaration of any type written? In two halves, before and after the name, built inside
 * out as the C declarator grammar reads:
 *
 *     int            "int "          ""
 *     int[3]         "int "          "[3]"
 *     int (*)[3]     "int (*"        ")[3]"     a pointer takes parentheses if its target has a
 * suffix int *[3]       "int *"         "[3]"
 *
 * Types are found again by a hash of their description, so that equal ones are one entry.
 */
#include "analyzer/parse/clang_type_table.h"

#include <string.h>

#include "analyzer/base/strbuf.h"

/* ---- the table ---------------------------------------------------------------------------- */

static uint64_t hash_text(const char *text)
{
    return text == NULL ? 1 : clang_map_hash_text(sv_from(text));
}

static uint64_t hash_of(const struct type *t, uint64_t identity)
{
    uint64_t flags = 0;
    const bool bits[] = {t->is_const,    t->is_volatile, t->is_restrict,
                         t->is_complete, t->is_variable, t->is_nameable,
                         t->is_async,    t->is_variadic, t->has_prototype};
    for (size_t i = 0; i < sizeof bits; i++)
        flags = flags << 1 | bits[i];
    uint64_t hash = clang_map_mix(identity, (uint64_t)t->cls << 32 | flags);
    hash = clang_map_mix(hash, (uint64_t)t->elem << 32 | t->param_count);
    hash = clang_map_mix(hash, t->size_bytes ^ t->count << 20);
    hash = clang_map_mix(hash, t->align_bytes);
    for (uint32_t i = 0; i < t->param_count; i++)
        hash = clang_map_mix(hash, t->params[i]);
    return clang_map_mix(clang_map_mix(hash, hash_text(t->before)), hash_text(t->after));
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool same(const struct type *a, const struct type *b)
{
    return a->cls == b->cls && a->is_const == b->is_const && a->is_volatile == b->is_volatile &&
           a->is_restrict == b->is_restrict && a->is_complete == b->is_complete &&
           a->is_variable == b->is_variable && a->is_nameable == b->is_nameable &&
           a->is_async == b->is_async && a->is_variadic == b->is_variadic &&
           a->has_prototype == b->has_prototype && a->size_bytes == b->size_bytes &&
           a->align_bytes == b->align_bytes && a->count == b->count && a->elem == b->elem &&
           a->param_count == b->param_count &&
           (a->param_count == 0 ||
            memcmp(a->params, b->params, a->param_count * sizeof *a->params) == 0) &&
           same_text(a->before, b->before) && same_text(a->after, b->after);
}

static void keep_identity(struct clang_types *types, uint64_t identity)
{
    uint32_t count = (uint32_t)types->table.types.count;
    if (count > types->identity_capacity) {
        uint32_t capacity = count * 2 + 64;
        uint64_t *grown = ARENA_ARRAY(types->table.mem, uint64_t, capacity);
        if (types->identity != NULL)
            memcpy(grown, types->identity, (count - 1) * sizeof *grown);
        types->identity = grown;
        types->identity_capacity = capacity;
    }
    types->identity[count - 1] = identity;
}

type_id clang_type_intern(struct clang_types *types, const struct type *t, uint64_t identity,
                          bool *is_new)
{
    uint64_t hash = hash_of(t, identity);
    type_id id;
    /* two descriptions of one hash take neighbouring keys */
    while ((id = clang_map_get(&types->id_of_hash, hash)) != TYPE_NONE) {
        if (types->identity[id] == identity && same(&types->table.types.at[id], t)) {
            *is_new = false;
            return id;
        }
        hash++;
    }
    id = (type_id)types->table.types.count;
    VEC_PUSH(types->table.mem, &types->table.types, *t);
    keep_identity(types, identity);
    struct type *added = &types->table.types.at[id];
    added->unqualified = id;
    added->canonical = id;
    if (id != TYPE_NONE)
        clang_map_set(types->table.mem, &types->id_of_hash, hash, id);
    *is_new = true;
    return id;
}

static const char *qualifiers(const struct type *t)
{
    static const char *const text[] = {
        "",
        "const ",
        "volatile ",
        "const volatile ",
        "__restrict ",
        "const __restrict ",
        "volatile __restrict ",
        "const volatile __restrict ",
    };
    return text[(t->is_const ? 1 : 0) | (t->is_volatile ? 2 : 0) | (t->is_restrict ? 4 : 0)];
}

type_id clang_type_pointer_to(struct clang_types *types, type_id elem)
{
    const struct type *target = type_get(&types->table, elem);
    struct type t = {.cls = TYPE_POINTER,
                     .is_unsigned = true,
                     .is_complete = true,
                     .is_variable = target->is_variable,
                     .is_async = target->is_async,
                     .size_bytes = types->pointer_bytes,
                     .align_bytes = types->pointer_bytes,
                     .elem = elem};
    type_id canonical_elem = target->canonical;
    bool is_new;
    clang_spell_pointer(types, &t);
    type_id id = clang_type_intern(types, &t, 0, &is_new);
    if (is_new && canonical_elem != elem) {
        type_id canonical = clang_type_pointer_to(types, canonical_elem);
        types->table.types.at[id].canonical = canonical;
    }
    return id;
}

type_id clang_type_array_like(struct clang_types *types, type_id like, type_id elem)
{
    struct type t = *type_get(&types->table, like);
    const struct type *part = type_get(&types->table, elem);
    type_id canonical_elem = part->canonical;
    t.is_const = part->is_const;
    t.is_volatile = part->is_volatile;
    t.is_restrict = part->is_restrict;
    t.elem = elem;
    t.is_nameable = true;
    bool is_new;
    clang_spell_array(types, &t);
    type_id id = clang_type_intern(types, &t, types->identity[like], &is_new);
    if (is_new && canonical_elem != elem) {
        type_id canonical = clang_type_array_like(types, like, canonical_elem);
        types->table.types.at[id].canonical = canonical;
    }
    return id;
}

type_id clang_type_qualified(struct clang_types *types, type_id id, bool is_const, bool is_volatile,
                             bool is_restrict)
{
    struct type t = *type_get(&types->table, id);
    struct type added = {.is_const = is_const && !t.is_const,
                         .is_volatile = is_volatile && !t.is_volatile,
                         .is_restrict = is_restrict && !t.is_restrict};
    if (!added.is_const && !added.is_volatile && !added.is_restrict)
        return id;
    if (t.cls == TYPE_ARRAY) {
        type_id elem = clang_type_qualified(types, t.elem, is_const, is_volatile, is_restrict);
        return clang_type_array_like(types, id, elem);
    }
    t.is_const |= is_const;
    t.is_volatile |= is_volatile;
    t.is_restrict |= is_restrict;
    if (t.is_nameable && t.cls == TYPE_POINTER && strchr(t.before, '*') != NULL)
        t.before = arena_printf(types->table.mem, "%s%s", t.before, qualifiers(&added));
    else if (t.is_nameable)
        t.before = arena_printf(types->table.mem, "%s%s", qualifiers(&added), t.before);
    bool is_new;
    type_id result = clang_type_intern(types, &t, types->identity[id], &is_new);
    if (is_new) {
        type_id canonical = t.canonical == id ? result
                                              : clang_type_qualified(types, t.canonical, is_const,
                                                                     is_volatile, is_restrict);
        types->table.types.at[result].canonical = canonical;
        types->table.types.at[result].unqualified = t.unqualified;
    }
    return result;
}

/* ---- spelling ----------------------------------------------------------------------------- */

static void set_unnameable(struct type *t)
{
    t->is_nameable = false;
    t->before = NULL;
    t->after = NULL;
}

void clang_spell_base(struct clang_types *types, struct type *t, const char *text)
{
    t->is_nameable = true;
    t->before = arena_printf(types->table.mem, "%s%s ", qualifiers(t), text);
    t->after = "";
}

void clang_spell_pointer(struct clang_types *types, struct type *t)
{
    const struct type *elem = type_get(&types->table, t->elem);
    if (elem->is_variable) { /* its sizes cannot be told everywhere: variable_arrays.h casts it */
        t->is_nameable = true;
        t->after = "";
        t->before = arena_printf(types->table.mem, "void *%s", qualifiers(t));
        return;
    }
    if (!elem->is_nameable) {
        set_unnameable(t);
        return;
    }
    bool has_suffix = elem->after[0] == '[' || elem->after[0] == '(';
    t->is_nameable = true;
    t->before = arena_printf(types->table.mem, "%s%s*%s", elem->before, has_suffix ? "(" : "",
                             qualifiers(t));
    t->after = has_suffix ? arena_printf(types->table.mem, ")%s", elem->after) : elem->after;
}

void clang_spell_array(struct clang_types *types, struct type *t)
{
    const struct type *elem = type_get(&types->table, t->elem);
    if (!elem->is_nameable || (t->is_variable && !t->is_complete)) {
        set_unnameable(t);
        return;
    }
    t->is_nameable = true;
    t->before = elem->before;
    t->after =
        t->is_complete || t->count != 0
            ? arena_printf(types->table.mem, "[%llu]%s", (unsigned long long)t->count, elem->after)
            : arena_printf(types->table.mem, "[]%s", elem->after);
}

void clang_spell_function(struct clang_types *types, struct type *t)
{
    const struct type *result = type_get(&types->table, t->elem);
    strbuf after = strbuf_in(types->table.mem);
    bool is_nameable = result->is_nameable;
    strbuf_char(&after, '(');
    for (uint32_t i = 0; i < t->param_count && is_nameable; i++) {
        const struct type *param = type_get(&types->table, t->params[i]);
        if (!param->is_nameable || param->is_variable) {
            is_nameable = false;
            break;
        }
        size_t len = strlen(param->before);
        if (len > 0 && param->before[len - 1] == ' ')
            len--;
        strbuf_str(&after, i == 0 ? "" : ", ");
        strbuf_add(&after, param->before, len);
        strbuf_str(&after, param->after);
    }
    if (!is_nameable) {
        set_unnameable(t);
        return;
    }
    if (t->is_variadic && t->has_prototype)
        strbuf_str(&after, t->param_count == 0 ? "..." : ", ...");
    else if (t->param_count == 0 && t->has_prototype)
        strbuf_str(&after, "void");
    strbuf_char(&after, ')');
    strbuf_str(&after, result->after);
    t->is_nameable = true;
    t->before = result->before;
    t->after = strbuf_text(&after);
}

void clang_spell_wrapped(struct clang_types *types, struct type *t, const char *open,
                         const char *close)
{
    const struct type *elem = type_get(&types->table, t->elem);
    if (!elem->is_nameable) {
        set_unnameable(t);
        return;
    }
    size_t len = strlen(elem->before);
    if (len > 0 && elem->before[len - 1] == ' ')
        len--;
    clang_spell_base(types, t,
                     arena_printf(types->table.mem, "%s%.*s%s%s", open, (int)len, elem->before,
                                  elem->after, close));
}
