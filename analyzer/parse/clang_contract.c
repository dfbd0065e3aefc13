/* SPDX-License-Identifier: MIT */
/*
 * Are async and plain functions kept apart? To a plain compiler `int f(int)` and
 * `async int f(int)` are one type, so whoever mixes them gets no warning, and a call that runs into
 * nowhere. Every place where a pointer to a function goes from one object to another is looked at:
 * initialisers (of file scope, too), assignments, arguments, return, ?: and casts; and, where no
 * await can stand, calls.
 *
 * All but system headers is walked, after the whole unit was indexed, so that a declaration further
 * down counts as well. A cast to `void *` and back leads to no function on the way: that is
 * the programmer's word.
 */
#include "analyzer/parse/clang_contract.h"

#include <string.h>

enum { NAME_LENGTH_MAX = 60 };
enum { KIND_ATOMIC = 177 }; /* clang-c names it only in newer headers than it has it */

/* ---- findings ----------------------------------------------------------------------------- */

/* What stands in the buffer there, if it is short enough for a message; else the name that the
 * value is read from, if there is one. */
static strview text_of(struct contract *c, CXCursor value)
{
    struct clang_range extent;
    if (clang_extent(c->u, value, &extent)) {
        strview text = {c->u->buffer.at + extent.begin, extent.end - extent.begin};
        if (text.len <= NAME_LENGTH_MAX && memchr(text.at, '\n', text.len) == NULL &&
            memmem(text.at, text.len, "__awaitc_", 9) == NULL)
            return text;
    }
    CXCursor bare = clang_bare_value(c, value);
    enum CXCursorKind kind = c->u->api->getCursorKind(bare);
    if (kind == CXCursor_DeclRefExpr || kind == CXCursor_MemberRefExpr)
        return sv_from(clang_text(c->u, c->u->api->getCursorSpelling(bare)));
    return (strview){"", 0};
}

static struct clang_finding *report(struct contract *c, enum clang_finding_kind kind, CXCursor at)
{
    const struct clang_api *api = c->u->api;
    CXFile file = NULL;
    unsigned offset = 0;
    struct clang_finding f = {.kind = kind, .offset = NO_OFFSET};
    api->getFileLocation(api->getRangeStart(api->getCursorExtent(at)), &file, &f.line, &f.column,
                         &offset);
    if (file == NULL)
        return NULL;
    uint64_t key = clang_map_mix((uint64_t)(uintptr_t)file, (uint64_t)offset << 8 | (uint64_t)kind);
    if (clang_map_get(&c->reported, key) != 0)
        return NULL;
    clang_map_set(c->u->mem, &c->reported, key, 1);
    if (file == c->u->main_file)
        f.offset = offset;
    f.file = clang_text(c->u, api->getFileName(file));
    f.name = text_of(c, at);
    VEC_PUSH(c->u->mem, &c->findings, f);
    return &VEC_LAST(&c->findings);
}

void clang_check_pair(struct contract *c, enum clang_mark target, CXCursor value,
                      enum clang_finding_place place)
{
    if (target == MARK_NOTHING)
        return;
    enum clang_mark mark = clang_mark_of_value(c, value);
    if (mark == MARK_NOTHING || mark == target)
        return;
    struct clang_finding *f =
        report(c, mark == MARK_PLAIN ? FINDING_PLAIN_TO_ASYNC : FINDING_ASYNC_TO_PLAIN, value);
    if (f != NULL)
        f->place = place;
}

void clang_check_alike(struct contract *c, CXCursor choice, CXCursor one, CXCursor other)
{
    enum clang_mark a = clang_mark_of_value(c, one);
    enum clang_mark b = clang_mark_of_value(c, other);
    if (a != MARK_NOTHING && b != MARK_NOTHING && a != b)
        report(c, FINDING_ARMS, choice);
}

/* ---- places ------------------------------------------------------------------------------- */

static bool leads_to_function(const struct contract *c, CXCursor value)
{
    return clang_leads_to_function(c->u, c->u->api->getCursorType(value));
}

static void check_assignment(struct contract *c, CXCursor n)
{
    const struct clang_api *api = c->u->api;
    if (api->getCursorBinaryOperatorKind(n) != CXBinaryOperator_Assign || !leads_to_function(c, n))
        return;
    struct clang_kids kids = clang_kids_of(c, n);
    if (kids.count == 2)
        clang_check_pair(c, clang_mark_of_value(c, clang_kid(c, kids, 0)), clang_kid(c, kids, 1),
                         FINDING_ASSIGNMENT);
    clang_kids_done(c, kids);
}

static void check_arms(struct contract *c, CXCursor n)
{
    if (!leads_to_function(c, n))
        return;
    struct clang_kids kids = clang_kids_of(c, n);
    if (kids.count == 3)
        clang_check_alike(c, n, clang_kid(c, kids, 1), clang_kid(c, kids, 2));
    clang_kids_done(c, kids);
}

static void check_cast(struct contract *c, struct clang_kids kids, CXCursor n)
{
    enum clang_mark target = leads_to_function(c, n) ? clang_mark_of_cast(c, n) : MARK_NOTHING;
    if (kids.count == 0 || target == MARK_NOTHING)
        return;
    CXCursor operand = clang_kid(c, kids, kids.count - 1);
    enum clang_mark mark = clang_mark_of_value(c, operand);
    if (mark == MARK_NOTHING || mark == target)
        return;
    struct clang_finding *f =
        report(c, mark == MARK_PLAIN ? FINDING_PLAIN_TO_ASYNC : FINDING_ASYNC_TO_PLAIN, n);
    if (f != NULL) {
        f->place = FINDING_CAST;
        f->name = text_of(c, operand);
    }
}

static void check_return(struct contract *c, CXCursor n)
{
    const struct clang_api *api = c->u->api;
    if (!c->is_in_function)
        return;
    CXType result = api->getResultType(api->getCursorType(c->function));
    if (!clang_leads_to_function(c->u, result))
        return;
    struct clang_kids kids = clang_kids_of(c, n);
    if (kids.count == 1)
        clang_check_pair(c, clang_mark_of_type(c, result, false), clang_kid(c, kids, 0),
                         FINDING_RETURN);
    clang_kids_done(c, kids);
}

static void check_arguments(struct contract *c, struct clang_kids kids)
{
    const struct clang_api *api = c->u->api;
    CXCursor callee = clang_kid(c, kids, 0);
    CXType type = api->getCanonicalType(api->getCursorType(callee));
    while (type.kind == CXType_Pointer)
        type = api->getPointeeType(type);
    int count = type.kind == CXType_FunctionProto ? api->getNumArgTypes(type) : 0;
    for (int i = 0; i < count && (size_t)i + 1 < kids.count; i++) {
        if (clang_leads_to_function(c->u, api->getArgType(type, (unsigned)i)))
            clang_check_pair(c, clang_mark_of_param(c, callee, (unsigned)i),
                             clang_kid(c, kids, (size_t)i + 1), FINDING_ARGUMENT);
    }
}

static void check_call(struct contract *c, CXCursor n, CXCursor callee)
{
    if (c->is_region || clang_mark_of_value(c, callee) != MARK_ASYNC)
        return;
    struct clang_finding *f = report(c, FINDING_CALL, n);
    if (f == NULL)
        return;
    f->name = text_of(c, callee);
    if (c->is_in_function)
        f->function = sv_from(clang_text(c->u, c->u->api->getCursorSpelling(c->function)));
}

/* ---- the walk ----------------------------------------------------------------------------- */

static enum CXChildVisitResult visit(CXCursor n, CXCursor parent, CXClientData data);

static void walk(struct contract *c, CXCursor n)
{
    if (visit(n, n, c) == CXChildVisit_Recurse)
        c->u->api->visitChildren(n, visit, c);
}

/* The name behind `opens`, "cleanup(" say, in a declaration's attributes, which libclang shows in
 * print only; empty if there is none. */
static strview named_by_attribute(struct contract *c, CXCursor declared, const char *opens)
{
    clang_unit *u = c->u;
    strview none = {"", 0};
    if (!u->api->Cursor_hasAttrs(declared) || !clang_attributes_of(u, declared).has_unexposed)
        return none;
    const char *name = strstr(clang_print_declaration(u, declared), opens);
    if (name == NULL)
        return none;
    name += strlen(opens);
    return (strview){name, strcspn(name, " )\"")};
}

static void check_cleanup(struct contract *c, CXCursor variable)
{
    strview name = named_by_attribute(c, variable, "cleanup(");
    const struct clang_entry *function = name.len == 0 ? NULL : clang_index_find(c->u, name);
    if (function == NULL || !function->is_async)
        return;
    struct clang_finding *f = report(c, FINDING_CLEANUP, variable);
    if (f != NULL)
        f->name = name;
}

/* `void g(void) __attribute__((alias("f")))` of an async f: a caller of g would not call it right.
 */
static void check_alias(struct contract *c, CXCursor function)
{
    strview name = named_by_attribute(c, function, "alias(\"");
    const struct clang_entry *target = name.len == 0 ? NULL : clang_index_find(c->u, name);
    if (target == NULL || !target->is_async || clang_attributes_of(c->u, function).is_async)
        return;
    struct clang_finding *f = report(c, FINDING_ALIAS, function);
    if (f != NULL)
        f->name = name;
}

/* Is the result spelled as a pointer to a function, without a typedef? */
static bool result_is_pointer(const struct contract *c, CXType type)
{
    const struct clang_api *api = c->u->api;
    CXType t = api->getResultType(type);
    if (t.kind != CXType_Pointer)
        return false;
    while (t.kind == CXType_Pointer)
        t = api->getPointeeType(t);
    if (t.kind == CXType_Unexposed) /* parentheses */
        t = api->getCanonicalType(t);
    return t.kind == CXType_FunctionProto || t.kind == CXType_FunctionNoProto;
}

/* The mark of a pointer variable may be the pointer's or its result's. In the declaration of a
 * function it is the function's, as `inline` would be. */
static void check_result(struct contract *c, CXCursor declared)
{
    clang_unit *u = c->u;
    CXType type = u->api->getCursorType(declared);
    bool is_function = u->api->getCursorKind(declared) == CXCursor_FunctionDecl;
    while (type.kind == CXType_Pointer)
        type = u->api->getPointeeType(type);
    if (is_function || !u->api->Cursor_hasAttrs(declared) || !result_is_pointer(c, type) ||
        !clang_attributes_of(u, declared).is_async)
        return;
    struct clang_finding *f = report(c, FINDING_RESULT, declared);
    if (f != NULL)
        f->name = sv_from(clang_text(u, u->api->getCursorSpelling(declared)));
}

/* Walks an array's bounds; they are children as a typeof's operand is, which is not evaluated. */
static void visit_bounds(struct contract *c, CXCursor variable)
{
    const struct clang_api *api = c->u->api;
    CXType type = api->getCursorType(variable);
    if (type.kind != CXType_VariableArray ||
        strstr(clang_text(c->u, api->getTypeSpelling(type)), "typeof") != NULL)
        return;
    struct clang_kids kids = clang_kids_of(c, variable);
    for (size_t i = 0; i < kids.count; i++)
        walk(c, clang_kid(c, kids, i));
    clang_kids_done(c, kids);
}

static bool is_atomic_or_unknown(const struct contract *c, CXType type)
{
    CXType t = c->u->api->getCanonicalType(type);
    while (t.kind == CXType_Pointer)
        t = c->u->api->getPointeeType(t);
    return t.kind == CXType_Invalid || t.kind == CXType_Unexposed || (int)t.kind == KIND_ATOMIC;
}

/* `async int n;`: there is nothing to call. */
static void check_object(struct contract *c, CXCursor variable)
{
    clang_unit *u = c->u;
    CXType type = u->api->getCursorType(variable);
    if (!u->api->Cursor_hasAttrs(variable) || clang_leads_to_function(u, type) ||
        is_atomic_or_unknown(c, type) || !clang_attributes_of(u, variable).is_async)
        return;
    struct clang_finding *f = report(c, FINDING_OBJECT, variable);
    if (f != NULL)
        f->name = sv_from(clang_text(u, u->api->getCursorSpelling(variable)));
}

/* A typeof among the specifiers is not walked: it is not evaluated. */
static void visit_variable(struct contract *c, CXCursor n)
{
    const struct clang_api *api = c->u->api;
    check_cleanup(c, n);
    check_result(c, n);
    check_object(c, n);
    visit_bounds(c, n);
    CXCursor init = api->Cursor_getVarDeclInitializer(n);
    if (api->Cursor_isNull(init))
        return;
    bool is_async = clang_mark_of_decl(c, n) == MARK_ASYNC;
    clang_check_init(c, api->getCursorType(n), is_async, init);
    walk(c, init);
}

/* Does the callee leave its arguments unevaluated? */
static bool is_unevaluating(struct contract *c, CXCursor callee)
{
    static const char *const names[] = {"__builtin_constant_p", "__builtin_object_size",
                                        "__builtin_dynamic_object_size", "__builtin_classify_type"};
    CXString spelling = c->u->api->getCursorSpelling(clang_bare_value(c, callee));
    const char *name = c->u->api->getCString(spelling);
    bool is = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && name != NULL; i++)
        is |= strcmp(name, names[i]) == 0;
    c->u->api->disposeString(spelling);
    return is;
}

static enum CXChildVisitResult visit_call(struct contract *c, CXCursor n)
{
    struct clang_kids kids = clang_kids_of(c, n);
    enum CXChildVisitResult next = CXChildVisit_Recurse;
    if (kids.count != 0) {
        CXCursor callee = clang_kid(c, kids, 0);
        check_call(c, n, callee);
        check_arguments(c, kids);
        if (is_unevaluating(c, callee))
            next = CXChildVisit_Continue;
    }
    clang_kids_done(c, kids);
    return next;
}

/* A cast or a compound literal: behind the type, whose typeof is not evaluated, comes the value. */
static void visit_typed(struct contract *c, CXCursor n, enum CXCursorKind kind)
{
    const struct clang_api *api = c->u->api;
    struct clang_kids kids = clang_kids_of(c, n);
    if (kind == CXCursor_CStyleCastExpr)
        check_cast(c, kids, n);
    else if (kids.count != 0)
        clang_check_init(c, api->getCursorType(n), false, clang_kid(c, kids, kids.count - 1));
    CXCursor value = n;
    if (kids.count != 0)
        value = clang_kid(c, kids, kids.count - 1);
    clang_kids_done(c, kids);
    if (kids.count != 0)
        walk(c, value);
}

/* A block literal's body belongs to no function that returns. */
static void visit_block(struct contract *c, CXCursor n)
{
    bool was_in_function = c->is_in_function;
    c->is_in_function = false;
    c->u->api->visitChildren(n, visit, c);
    c->is_in_function = was_in_function;
}

static enum CXChildVisitResult visit(CXCursor n, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct contract *c = data;
    enum CXCursorKind kind = c->u->api->getCursorKind(n);
    switch ((int)kind) {
    case CXCursor_VarDecl:
        visit_variable(c, n);
        return CXChildVisit_Continue;
    case CXCursor_CallExpr:
        return visit_call(c, n);
    case CXCursor_BinaryOperator:
        check_assignment(c, n);
        return CXChildVisit_Recurse;
    case CXCursor_ConditionalOperator:
        check_arms(c, n);
        return CXChildVisit_Recurse;
    case CXCursor_ReturnStmt:
        check_return(c, n);
        return CXChildVisit_Recurse;
    case CXCursor_CStyleCastExpr:
    case CXCursor_CompoundLiteralExpr:
        visit_typed(c, n, kind);
        return CXChildVisit_Continue;
    case CXCursor_BlockExpr:
        visit_block(c, n);
        return CXChildVisit_Continue;
    case CXCursor_UnaryExpr:            /* sizeof, _Alignof */
    case CXCursor_GenericSelectionExpr: /* libclang does not tell which arm is chosen */
        return CXChildVisit_Continue;
    default:
        break;
    }
    bool is_code = (kind >= CXCursor_FirstExpr && kind <= CXCursor_LastExpr) ||
                   (kind >= CXCursor_FirstStmt && kind <= CXCursor_LastStmt);
    return is_code ? CXChildVisit_Recurse : CXChildVisit_Continue;
}

/* ---- the declarations of the buffer -------------------------------------------------------- */

/* Are there errors of libclang's in this region? Then its tree has holes. */
static bool has_errors(const clang_unit *u, uint32_t region)
{
    for (size_t i = 0; i < u->errors.count; i++) {
        uint32_t offset = u->errors.at[i].offset;
        if (offset != NO_OFFSET && clang_index_region(u, offset) == region)
            return true;
    }
    return false;
}

static void check_function(struct contract *c, CXCursor function)
{
    clang_unit *u = c->u;
    check_result(c, function);
    if (!u->api->isCursorDefinition(function)) {
        check_alias(c, function);
        return;
    }
    uint32_t offset = clang_offset(u, u->api->getCursorLocation(function));
    uint32_t region = clang_index_region(u, offset);
    c->is_region = region < u->region_count;
    if (c->is_region && has_errors(u, region))
        return;
    c->function = function;
    c->is_in_function = true;
    u->api->visitChildren(function, visit, c);
    c->is_in_function = false;
    c->is_region = false;
}

const struct clang_finding *clang_unit_contract(clang_unit *u, uint32_t *count)
{
    struct contract c = {.u = u};
    for (size_t i = 0; i < u->own_decls.count; i++) {
        CXCursor declared = u->own_decls.at[i];
        if (u->api->getCursorKind(declared) == CXCursor_FunctionDecl)
            check_function(&c, declared);
        else
            walk(&c, declared);
    }
    *count = (uint32_t)c.findings.count;
    return c.findings.at;
}
