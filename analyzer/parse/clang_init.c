/* SPDX-License-Identifier: MIT */
/*
 * Which object does each value between braces initialise? libclang shows a list as it is written,
 * so the objects are counted along with the values, by C's rules (6.7.11): members in order,
 * braces that are left out, designators that start again elsewhere.
 *
 *     struct { int n[2]; struct ops ops; } v = { 1, 2, f, g, .ops.write = h };
 *                                               n[0]    ops.read, ops.write
 *
 * A place that is lost (values behind `.a.b = x`, say) stays unchecked to the next designator.
 */
#include <string.h>

#include "analyzer/parse/clang_contract.h"

/* The values of one pair of braces. */
struct list {
    struct clang_kids items;
    size_t at;
    bool is_lost;
};

/* An object, or part of one; `is_async`: the word stands at its declarator. */
struct target {
    CXType type;
    bool is_async;
};

static void fill_one(struct contract *c, struct target to, struct list *list);

/* ---- what holds pointers to functions ------------------------------------------------------ */

static bool holds_functions(struct contract *c, CXType type);

struct field_search {
    struct contract *c;
    bool is_found;
};

static enum CXVisitorResult find_function_field(CXCursor field, CXClientData data)
{
    struct field_search *search = data;
    search->is_found = holds_functions(search->c, search->c->u->api->getCursorType(field));
    return search->is_found ? CXVisit_Break : CXVisit_Continue;
}

static bool is_array(enum CXTypeKind kind)
{
    return kind == CXType_ConstantArray || kind == CXType_IncompleteArray ||
           kind == CXType_VariableArray;
}

static bool holds_functions(struct contract *c, CXType type)
{
    const struct clang_api *api = c->u->api;
    CXType t = api->getCanonicalType(type);
    while (is_array(t.kind))
        t = api->getElementType(t);
    if (t.kind != CXType_Record)
        return clang_leads_to_function(c->u, t);
    uint64_t key = (uint64_t)(uintptr_t)api->getTypeDeclaration(t).data[0];
    uint32_t known = clang_map_get(&c->record_marks, key);
    if (known == 0) {
        struct field_search search = {.c = c};
        api->Type_visitFields(t, find_function_field, &search);
        known = search.is_found ? 2 : 1;
        clang_map_set(c->u->mem, &c->record_marks, key, known);
    }
    return known == 2;
}

/* ---- parts -------------------------------------------------------------------------------- */

/* The elements of an array; its typedefs are passed. */
static struct target element_of(struct contract *c, struct target array)
{
    const struct clang_api *api = c->u->api;
    struct target elem = array;
    for (;;) {
        CXType t = elem.type;
        if (is_array(t.kind)) {
            elem.type = api->getElementType(t);
            return elem;
        }
        if (clang_mark_of_type(c, t, false) == MARK_ASYNC)
            elem.is_async = true;
        if (t.kind == CXType_Elaborated)
            elem.type = api->Type_getNamedType(t);
        else if (t.kind == CXType_Typedef)
            elem.type = api->getTypedefDeclUnderlyingType(api->getTypeDeclaration(t));
        else
            elem.type = api->getCanonicalType(t);
        if (elem.type.kind == t.kind && !is_array(t.kind))
            return (struct target){.type = {.kind = CXType_Invalid}};
    }
}

static struct target field_target(struct contract *c, CXCursor field)
{
    clang_unit *u = c->u;
    return (struct target){.type = u->api->getCursorType(field),
                           .is_async = u->api->Cursor_hasAttrs(field) &&
                                       clang_attributes_of(u, field).is_async};
}

static enum CXVisitorResult push_field(CXCursor field, CXClientData data)
{
    struct contract *c = data;
    VEC_PUSH(c->u->mem, &c->stack, field);
    return CXVisit_Continue;
}

static bool is_unnamed_bits(struct contract *c, CXCursor field)
{
    const struct clang_api *api = c->u->api;
    return api->Cursor_isBitField(field) && clang_text_is(c->u, api->getCursorSpelling(field), "");
}

/* ---- designators -------------------------------------------------------------------------- */

/* libclang has no kind for `.x = v`; it is the only value of type void. */
static bool is_designated(struct contract *c, CXCursor item)
{
    const struct clang_api *api = c->u->api;
    return api->getCursorKind(item) == CXCursor_UnexposedExpr &&
           api->getCursorType(item).kind == CXType_Void;
}

/* Does `...` stand between two places? Then they are the ends of one range. */
static bool is_range(const clang_unit *u, uint32_t from, uint32_t to)
{
    return from < to && memmem(u->buffer.at + from, to - from, "...", 3) != NULL;
}

/* Checks `.a[1].b = value`; returns the member or element that comes first, as a child. */
static CXCursor check_designated(struct contract *c, struct target to, CXCursor item)
{
    const struct clang_api *api = c->u->api;
    struct clang_kids kids = clang_kids_of(c, item);
    CXCursor first = {.kind = CXCursor_InvalidFile};
    uint32_t end = NO_OFFSET;
    for (size_t i = 0; i + 1 < kids.count; i++) {
        CXCursor kid = clang_kid(c, kids, i);
        struct clang_range extent = {NO_OFFSET, NO_OFFSET};
        bool is_written = clang_extent(c->u, kid, &extent);
        if (api->getCursorKind(kid) == CXCursor_MemberRef) {
            CXCursor field = api->getCursorReferenced(kid);
            to = field_target(c, field);
            if (i == 0)
                first = field;
        } else if (!is_written || end == NO_OFFSET || !is_range(c->u, end, extent.begin)) {
            to = element_of(c, to);
        }
        end = is_written ? extent.end : NO_OFFSET;
    }
    if (kids.count > 1 && to.type.kind != CXType_Invalid)
        clang_check_init(c, to.type, to.is_async, clang_kid(c, kids, kids.count - 1));
    if (kids.count != 2)
        first = (CXCursor){.kind = CXCursor_InvalidFile};
    clang_kids_done(c, kids);
    return first;
}

/* ---- filling ------------------------------------------------------------------------------ */

static bool has_items(const struct list *list)
{
    return list->at < list->items.count;
}

static CXCursor next_item(const struct contract *c, const struct list *list)
{
    return clang_kid(c, list->items, list->at);
}

static void fill_array(struct contract *c, struct target to, struct list *list, bool is_braced)
{
    const struct clang_api *api = c->u->api;
    struct target elem = element_of(c, to);
    CXType canonical = api->getCanonicalType(to.type);
    long long count = canonical.kind == CXType_ConstantArray ? api->getArraySize(canonical) : -1;
    for (long long i = 0; has_items(list) && (is_braced || count < 0 || i < count); i++) {
        CXCursor item = next_item(c, list);
        if (is_designated(c, item)) {
            if (!is_braced)
                return;
            check_designated(c, to, item);
            list->at++;
            list->is_lost = false;
        } else if (list->is_lost || elem.type.kind == CXType_Invalid) {
            list->at++;
        } else {
            fill_one(c, elem, list);
        }
    }
}

static size_t index_of_field(const struct contract *c, struct clang_kids fields, CXCursor field)
{
    for (size_t i = 0; i < fields.count; i++) {
        if (c->u->api->equalCursors(clang_kid(c, fields, i), field))
            return i;
    }
    return fields.count;
}

static void fill_record(struct contract *c, struct target to, struct list *list, bool is_braced)
{
    const struct clang_api *api = c->u->api;
    CXType canonical = api->getCanonicalType(to.type);
    bool is_union = api->getCursorKind(api->getTypeDeclaration(canonical)) == CXCursor_UnionDecl;
    struct clang_kids fields = {.begin = c->stack.count};
    api->Type_visitFields(canonical, push_field, c);
    fields.count = c->stack.count - fields.begin;
    for (size_t i = 0; has_items(list);) {
        CXCursor item = next_item(c, list);
        if (is_designated(c, item)) {
            if (!is_braced)
                break;
            i = index_of_field(c, fields, check_designated(c, to, item)) + 1;
            list->is_lost = i > fields.count;
            list->at++;
            continue;
        }
        bool is_past = i >= fields.count || (is_union && i > 0);
        if (is_past && !is_braced)
            break;
        if (is_past || list->is_lost) {
            list->at++;
        } else {
            CXCursor field = clang_kid(c, fields, i++);
            if (!is_unnamed_bits(c, field))
                fill_one(c, field_target(c, field), list);
        }
    }
    clang_kids_done(c, fields);
}

/* Does the value initialise an aggregate as a whole? */
static bool is_whole(struct contract *c, CXCursor item, CXType canonical)
{
    const struct clang_api *api = c->u->api;
    if (canonical.kind == CXType_Record)
        return api->getCanonicalType(api->getCursorType(item)).kind == CXType_Record;
    enum CXCursorKind kind = api->getCursorKind(clang_bare_value(c, item));
    return kind == CXCursor_StringLiteral || kind == CXCursor_CompoundLiteralExpr;
}

static void fill_one(struct contract *c, struct target to, struct list *list)
{
    const struct clang_api *api = c->u->api;
    CXCursor item = next_item(c, list);
    CXType canonical = api->getCanonicalType(to.type);
    bool is_list = api->getCursorKind(item) == CXCursor_InitListExpr;
    bool is_aggregate = canonical.kind == CXType_Record || is_array(canonical.kind);
    if (canonical.kind == CXType_Vector || canonical.kind == CXType_Complex)
        list->is_lost |= !is_list;
    if (is_list || !is_aggregate || is_whole(c, item, canonical)) {
        clang_check_init(c, to.type, to.is_async, item);
        list->at++;
    } else if (canonical.kind == CXType_Record) {
        size_t before = list->at;
        fill_record(c, to, list, false);
        list->is_lost |= list->at == before; /* a record without members */
    } else {
        size_t before = list->at;
        fill_array(c, to, list, false);
        list->is_lost |= list->at == before;
    }
}

static void check_list(struct contract *c, struct target to, CXCursor braces)
{
    CXType canonical = c->u->api->getCanonicalType(to.type);
    struct list list = {.items = clang_kids_of(c, braces)};
    if (canonical.kind == CXType_Record)
        fill_record(c, to, &list, true);
    else if (is_array(canonical.kind))
        fill_array(c, to, &list, true);
    else if (list.items.count == 1)
        clang_check_init(c, to.type, to.is_async, next_item(c, &list));
    clang_kids_done(c, list.items);
}

void clang_check_init(struct contract *c, CXType type, bool is_async, CXCursor init)
{
    if (!holds_functions(c, type))
        return;
    if (c->u->api->getCursorKind(init) == CXCursor_InitListExpr)
        check_list(c, (struct target){type, is_async}, init);
    else if (clang_leads_to_function(c->u, type))
        clang_check_pair(c, clang_mark_of_type(c, type, is_async), init, FINDING_INITIALISER);
}
