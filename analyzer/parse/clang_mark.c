/* SPDX-License-Identifier: MIT */
/*
 * Is this function, pointer or value async or plain? The word stands in the declaration of a
 * function, variable, parameter, field or typedef, where libclang keeps it as an attribute; a
 * value's mark is that of the declaration it comes from, through `*`, `&`, `[]`, `+`, `,`, `?:`,
 * `=` and a call's result type. A cast has the mark of the type that it names, and so ends the way
 * back.
 *
 * Where the way is lost (typeof, _Generic, a cast that a macro makes), the answer is "nothing": the
 * checks that ask must not cry wolf.
 */
#include <string.h>

#include "analyzer/parse/clang_contract.h"

/* ---- children ----------------------------------------------------------------------------- */

static enum CXChildVisitResult push_kid(CXCursor kid, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct contract *c = data;
    VEC_PUSH(c->u->mem, &c->stack, kid);
    return CXChildVisit_Continue;
}

struct clang_kids clang_kids_of(struct contract *c, CXCursor parent)
{
    struct clang_kids kids = {.begin = c->stack.count};
    c->u->api->visitChildren(parent, push_kid, c);
    kids.count = c->stack.count - kids.begin;
    return kids;
}

void clang_kids_done(struct contract *c, struct clang_kids kids)
{
    c->stack.count = kids.begin;
}

/* The only child, or the child at `index`; a null cursor (of no kind) if there is none. */
static CXCursor kid_at(struct contract *c, CXCursor parent, size_t index)
{
    struct clang_kids kids = clang_kids_of(c, parent);
    CXCursor kid = {.kind = CXCursor_InvalidFile};
    if (index < kids.count)
        kid = clang_kid(c, kids, index);
    clang_kids_done(c, kids);
    return kid;
}

static bool is_expression(enum CXCursorKind kind)
{
    return kind >= CXCursor_FirstExpr && kind <= CXCursor_LastExpr;
}

/* ---- types -------------------------------------------------------------------------------- */

static bool is_array(enum CXTypeKind kind)
{
    return kind == CXType_ConstantArray || kind == CXType_IncompleteArray ||
           kind == CXType_VariableArray;
}

static bool is_function(enum CXTypeKind kind)
{
    return kind == CXType_FunctionProto || kind == CXType_FunctionNoProto;
}

bool clang_leads_to_function(const clang_unit *u, CXType type)
{
    const struct clang_api *api = u->api;
    CXType t = api->getCanonicalType(type);
    for (;;) {
        if (is_function(t.kind))
            return true;
        if (t.kind == CXType_Pointer)
            t = api->getPointeeType(t);
        else if (is_array(t.kind))
            t = api->getElementType(t);
        else
            return false;
    }
}

static bool is_async_itself(struct contract *c, CXCursor declared)
{
    clang_unit *u = c->u;
    return u->api->Cursor_hasAttrs(declared) && clang_attributes_of(u, declared).is_async;
}

static bool typedef_is_async(struct contract *c, CXCursor declared)
{
    uint64_t key = (uint64_t)(uintptr_t)declared.data[0];
    uint32_t known = clang_map_get(&c->typedef_marks, key);
    if (known == 0) {
        known = is_async_itself(c, declared) ? 2 : 1;
        clang_map_set(c->u->mem, &c->typedef_marks, key, known);
    }
    return known == 2;
}

static bool is_typeof(struct contract *c, CXType type)
{
    CXString spelling = c->u->api->getTypeSpelling(type);
    const char *text = c->u->api->getCString(spelling);
    bool is = text == NULL || strstr(text, "typeof") != NULL;
    c->u->api->disposeString(spelling);
    return is;
}

enum clang_mark clang_mark_of_type(struct contract *c, CXType type, bool is_async)
{
    const struct clang_api *api = c->u->api;
    if (!clang_leads_to_function(c->u, type))
        return MARK_NOTHING;
    bool is_known = true;
    for (CXType t = type; !is_async && !is_function(t.kind);) {
        if (t.kind == CXType_Typedef) {
            CXCursor declared = api->getTypeDeclaration(t);
            is_async = typedef_is_async(c, declared);
            t = api->getTypedefDeclUnderlyingType(declared);
        } else if (t.kind == CXType_Elaborated) {
            t = api->Type_getNamedType(t);
        } else if (t.kind == CXType_Attributed) {
            t = api->Type_getModifiedType(t);
        } else if (t.kind == CXType_Pointer) {
            t = api->getPointeeType(t);
        } else if (is_array(t.kind)) {
            t = api->getElementType(t);
        } else {
            is_known = is_known && t.kind == CXType_Unexposed && !is_typeof(c, t);
            CXType next = api->getCanonicalType(t);
            if (next.kind == t.kind || next.kind == CXType_Invalid)
                break;
            t = next;
        }
    }
    if (is_async)
        return MARK_ASYNC;
    return is_known ? MARK_PLAIN : MARK_NOTHING;
}

/* ---- declarations ------------------------------------------------------------------------- */

/* The mark of what a typeof or an automatic type is taken from. */
static enum clang_mark mark_of_origin(struct contract *c, CXCursor variable)
{
    const struct clang_api *api = c->u->api;
    struct clang_kids kids = clang_kids_of(c, variable);
    enum clang_mark mark = MARK_NOTHING;
    for (size_t i = 0; i < kids.count; i++) {
        CXCursor kid = clang_kid(c, kids, i);
        enum CXCursorKind kind = api->getCursorKind(kid);
        if (kind == CXCursor_TypeRef)
            mark = clang_mark_of_type(c, api->getCursorType(api->getCursorReferenced(kid)), false);
        else if (is_expression(kind))
            mark = clang_mark_of_value(c, kid);
        else
            continue;
        break;
    }
    clang_kids_done(c, kids);
    return mark;
}

static enum clang_mark find_mark_of_decl(struct contract *c, CXCursor declared,
                                         enum CXCursorKind kind)
{
    const struct clang_api *api = c->u->api;
    CXType type = api->getCursorType(declared);
    if (!clang_leads_to_function(c->u, type))
        return MARK_NOTHING;
    enum clang_mark mark = clang_mark_of_type(c, type, is_async_itself(c, declared));
    if (mark == MARK_NOTHING && kind == CXCursor_VarDecl)
        mark = mark_of_origin(c, declared);
    return mark;
}

enum clang_mark clang_mark_of_decl(struct contract *c, CXCursor declared)
{
    const struct clang_api *api = c->u->api;
    enum CXCursorKind kind = api->getCursorKind(declared);
    bool is_object =
        kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl || kind == CXCursor_FieldDecl;
    if (!is_object && kind != CXCursor_FunctionDecl)
        return MARK_NOTHING;
    uint64_t key = (uint64_t)(uintptr_t)declared.data[0];
    uint32_t known = clang_map_get(&c->decl_marks, key);
    if (known != 0)
        return (enum clang_mark)(known - 1);
    /* until it is known: a variable may stand in its own typeof */
    clang_map_set(c->u->mem, &c->decl_marks, key, 1 + MARK_NOTHING);
    enum clang_mark mark;
    if (kind == CXCursor_FunctionDecl)
        mark = clang_index_entry(c->u, declared, false)->is_async ? MARK_ASYNC : MARK_PLAIN;
    else
        mark = find_mark_of_decl(c, declared, kind);
    clang_map_set(c->u->mem, &c->decl_marks, key, 1 + (uint32_t)mark);
    return mark;
}

/* ---- parameters --------------------------------------------------------------------------- */

/* The mark of a function's parameter, by whichever declaration shows it. */
static enum clang_mark mark_of_functions_param(struct contract *c, CXCursor function,
                                               unsigned index)
{
    const struct clang_api *api = c->u->api;
    enum clang_mark mark = MARK_NOTHING;
    struct clang_redecl *r = clang_index_entry(c->u, function, false)->first;
    for (; r != NULL && mark != MARK_ASYNC; r = r->next) {
        if ((int)index >= api->Cursor_getNumArguments(r->cursor))
            continue;
        CXCursor param = api->Cursor_getArgument(r->cursor, index);
        enum clang_mark here = clang_mark_of_decl(c, param);
        mark = here == MARK_NOTHING ? mark : here;
    }
    return mark;
}

/* What a pointer, or a typedef on the way to it, says of its parameter. Where parameter lists nest,
 * libclang does not tell whose a parameter is. */
static enum clang_mark mark_of_pointers_param(struct contract *c, CXCursor declared, unsigned index,
                                              int count)
{
    const struct clang_api *api = c->u->api;
    for (int depth = 0; depth < 8; depth++) {
        struct clang_kids kids = clang_kids_of(c, declared);
        CXCursor param = declared;
        int seen = 0;
        for (size_t i = 0; i < kids.count; i++) {
            if (api->getCursorKind(clang_kid(c, kids, i)) != CXCursor_ParmDecl)
                continue;
            if (seen++ == (int)index)
                param = clang_kid(c, kids, i);
        }
        clang_kids_done(c, kids);
        if (seen != 0)
            return seen == count ? clang_mark_of_decl(c, param) : MARK_NOTHING;
        CXType type = api->getCursorKind(declared) == CXCursor_TypedefDecl
                          ? api->getTypedefDeclUnderlyingType(declared)
                          : api->getCursorType(declared);
        while (type.kind != CXType_Typedef) {
            if (type.kind == CXType_Elaborated)
                type = api->Type_getNamedType(type);
            else if (type.kind == CXType_Pointer)
                type = api->getPointeeType(type);
            else if (is_array(type.kind))
                type = api->getElementType(type);
            else
                return MARK_NOTHING;
        }
        declared = api->getTypeDeclaration(type);
    }
    return MARK_NOTHING;
}

/* The declaration that a callee, or the pointer behind it, is read from. */
static CXCursor declaration_of(struct contract *c, CXCursor value)
{
    const struct clang_api *api = c->u->api;
    for (;;) {
        CXCursor bare = clang_bare_value(c, value);
        enum CXCursorKind kind = api->getCursorKind(bare);
        if (kind == CXCursor_DeclRefExpr || kind == CXCursor_MemberRefExpr)
            return api->getCursorReferenced(bare);
        if (kind != CXCursor_UnaryOperator && kind != CXCursor_ArraySubscriptExpr)
            return (CXCursor){.kind = CXCursor_InvalidFile};
        value = kid_at(c, bare, 0);
    }
}

enum clang_mark clang_mark_of_param(struct contract *c, CXCursor callee, unsigned index)
{
    const struct clang_api *api = c->u->api;
    CXType type = api->getCanonicalType(api->getCursorType(callee));
    while (type.kind == CXType_Pointer)
        type = api->getPointeeType(type);
    CXCursor declared = declaration_of(c, callee);
    enum CXCursorKind kind = api->getCursorKind(declared);
    if (kind == CXCursor_FunctionDecl)
        return mark_of_functions_param(c, declared, index);
    if (kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl || kind == CXCursor_FieldDecl)
        return mark_of_pointers_param(c, declared, index, api->getNumArgTypes(type));
    return MARK_NOTHING;
}

/* ---- values ------------------------------------------------------------------------------- */

CXCursor clang_bare_value(struct contract *c, CXCursor value)
{
    const struct clang_api *api = c->u->api;
    for (;;) {
        enum CXCursorKind kind = api->getCursorKind(value);
        if (kind != CXCursor_UnexposedExpr && kind != CXCursor_ParenExpr)
            return value;
        struct clang_kids kids = clang_kids_of(c, value);
        CXCursor kid = value;
        if (kids.count == 1)
            kid = clang_kid(c, kids, 0);
        clang_kids_done(c, kids);
        if (kids.count != 1 || !is_expression(api->getCursorKind(kid)))
            return value;
        value = kid;
    }
}

static bool has_word(strview text, const char *word)
{
    size_t len = strlen(word);
    for (size_t i = 0; i + len <= text.len; i++) {
        if (memcmp(text.at + i, word, len) == 0 && (i == 0 || !sv_is_word_char(text.at[i - 1])) &&
            (i + len == text.len || !sv_is_word_char(text.at[i + len])))
            return true;
    }
    return false;
}

enum clang_mark clang_mark_of_cast(struct contract *c, CXCursor cast)
{
    const struct clang_api *api = c->u->api;
    CXType type = api->getCursorType(cast);
    if (!clang_leads_to_function(c->u, type))
        return MARK_NOTHING;
    enum clang_mark mark = clang_mark_of_type(c, type, false);
    if (mark != MARK_PLAIN)
        return mark;
    /* the word in the parentheses themselves leaves no trace in the type */
    struct clang_range whole;
    struct clang_range operand;
    struct clang_kids kids = clang_kids_of(c, cast);
    bool is_here = kids.count != 0 && clang_extent(c->u, cast, &whole) &&
                   clang_extent(c->u, clang_kid(c, kids, kids.count - 1), &operand) &&
                   whole.begin < operand.begin && c->u->buffer.at[whole.begin] == '(';
    clang_kids_done(c, kids);
    if (!is_here)
        return MARK_NOTHING;
    strview text = {c->u->buffer.at + whole.begin, operand.begin - whole.begin};
    bool is_async =
        has_word(text, "__awaitc_async__") || has_word(text, "async") || has_word(text, "aw_async");
    return is_async ? MARK_ASYNC : MARK_PLAIN;
}

static enum clang_mark either(enum clang_mark a, enum clang_mark b)
{
    if (a == MARK_NOTHING || a == b)
        return b;
    return b == MARK_NOTHING ? a : MARK_NOTHING;
}

/* Of the children from `first` to `last`. */
static enum clang_mark mark_of_kids(struct contract *c, CXCursor value, size_t first, size_t last)
{
    struct clang_kids kids = clang_kids_of(c, value);
    enum clang_mark mark = MARK_NOTHING;
    for (size_t i = first; i <= last && i < kids.count; i++)
        mark = either(mark, clang_mark_of_value(c, clang_kid(c, kids, i)));
    clang_kids_done(c, kids);
    return mark;
}

static enum clang_mark mark_of_last_kid(struct contract *c, CXCursor value)
{
    struct clang_kids kids = clang_kids_of(c, value);
    enum clang_mark mark = MARK_NOTHING;
    if (kids.count != 0) {
        CXCursor last = clang_kid(c, kids, kids.count - 1);
        bool is_block = c->u->api->getCursorKind(last) == CXCursor_CompoundStmt;
        mark = is_block ? mark_of_last_kid(c, last) : clang_mark_of_value(c, last);
    }
    clang_kids_done(c, kids);
    return mark;
}

static enum clang_mark mark_of_operator(struct contract *c, CXCursor value)
{
    enum CXBinaryOperatorKind op = c->u->api->getCursorBinaryOperatorKind(value);
    if (op == CXBinaryOperator_Assign)
        return mark_of_kids(c, value, 0, 0);
    if (op == CXBinaryOperator_Comma)
        return mark_of_kids(c, value, 1, 1);
    return mark_of_kids(c, value, 0, 1); /* pointer + number */
}

/* An expression without a kind of its own: GNU a ?: b shows as a, a, a, b. Most others are implicit
 * conversions, so the walk leaves its check to whoever asks for the mark. */
static enum clang_mark mark_of_unexposed(struct contract *c, CXCursor value)
{
    struct clang_kids kids = clang_kids_of(c, value);
    size_t count = kids.count;
    enum clang_mark mark = MARK_NOTHING;
    bool is_elvis =
        count == 4 && c->u->api->equalCursors(clang_kid(c, kids, 0), clang_kid(c, kids, 1));
    if (is_elvis)
        clang_check_alike(c, value, clang_kid(c, kids, 0), clang_kid(c, kids, 3));
    clang_kids_done(c, kids);
    if (count == 1)
        mark = mark_of_kids(c, value, 0, 0);
    else if (is_elvis)
        mark = mark_of_kids(c, value, 2, 3);
    else if (clang_mark_of_type(c, c->u->api->getCursorType(value), false) == MARK_ASYNC)
        mark = MARK_ASYNC;
    return mark;
}

enum clang_mark clang_mark_of_value(struct contract *c, CXCursor value)
{
    const struct clang_api *api = c->u->api;
    enum CXCursorKind kind = api->getCursorKind(value);
    if (!is_expression(kind) || !clang_leads_to_function(c->u, api->getCursorType(value)))
        return MARK_NOTHING;
    switch ((int)kind) {
    case CXCursor_DeclRefExpr:
    case CXCursor_MemberRefExpr:
        return clang_mark_of_decl(c, api->getCursorReferenced(value));
    case CXCursor_UnexposedExpr:
        return mark_of_unexposed(c, value);
    case CXCursor_ParenExpr:
    case CXCursor_UnaryOperator:
    case CXCursor_CompoundAssignOperator:
        return mark_of_kids(c, value, 0, 0);
    case CXCursor_ArraySubscriptExpr:
        return mark_of_kids(c, value, 0, 1);
    case CXCursor_BinaryOperator:
        return mark_of_operator(c, value);
    case CXCursor_ConditionalOperator:
        return mark_of_kids(c, value, 1, 2);
    case CXCursor_StmtExpr:
        return mark_of_last_kid(c, value);
    case CXCursor_CallExpr:
        return clang_mark_of_type(c, api->getCursorType(value), false);
    case CXCursor_CStyleCastExpr:
    case CXCursor_CompoundLiteralExpr:
        return clang_mark_of_cast(c, value);
    default:
        return MARK_NOTHING;
    }
}
