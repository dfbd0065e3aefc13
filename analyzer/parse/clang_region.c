/* SPDX-License-Identifier: MIT */
/*
 * What does libclang see in the function of a region? Every cursor below it is boiled down to
 * entries of hash tables, keyed by where it stands:
 *
 *     extent of an expression        -> its type, and the one after the conversions around it
 *     place of a used name           -> the declaration
 *     place of a declared name       -> the declaration, with its type
 *     place of an await mark         -> how many operators begin there
 *
 * Several cursors share an extent: implicit conversions are `unexposed` cursors around the
 * expression's own, the outermost is visited first. Some operators are unexposed themselves
 * (GNU ?:, va_arg, __func__, ...); for them the innermost counts.
 */
#include "analyzer/parse/clang_contract.h"
#include "analyzer/parse/clang_types.h"

struct region_visit {
    clang_unit *u;
    struct clang_range typeless; /* see note_typeless; end 0: none */
};

static const char await_mark[] = "__awaitc_await__";

/* ---- declarations ------------------------------------------------------------------------- */

static void fill_variable(clang_unit *u, struct clang_decl *d, CXCursor c)
{
    const struct clang_api *api = u->api;
    d->is_async = api->Cursor_hasAttrs(c) && clang_attributes_of(u, c).is_async;
    d->type = clang_types_of(u, api->getCursorType(c));
    if (d->kind == CXCursor_ParmDecl)
        d->type = clang_types_decayed(u, d->type);
    if (d->kind == CXCursor_VarDecl) {
        d->is_thread_local = api->getCursorTLSKind(c) != CXTLS_None;
        d->is_extern = api->Cursor_getStorageClass(c) == CX_SC_Extern;
    }
    if (d->kind == CXCursor_FieldDecl && api->Cursor_isBitField(c)) {
        int bits = api->getFieldDeclBitWidth(c);
        d->is_bitfield = true;
        d->bitfield_bits = bits > 0 && bits < 256 ? (uint8_t)bits : 0;
    }
    d->is_async |= type_get(clang_types_table(u->types), d->type)->is_async;
    if (!d->is_async && d->kind == CXCursor_VarDecl &&
        clang_leads_to_function(u, api->getCursorType(c))) {
        struct contract typeofs = {.u = u};
        d->is_async = clang_mark_of_decl(&typeofs, c) == MARK_ASYNC;
    }
}

static void fill_decl(clang_unit *u, struct clang_decl *d, CXCursor c)
{
    d->cursor = c;
    d->kind = u->api->getCursorKind(c);
    d->offset = clang_offset(u, u->api->getCursorLocation(c));
    d->is_invalid = u->api->isInvalidDeclaration(c) != 0;
    if (d->kind == CXCursor_FunctionDecl) {
        d->function = clang_index_entry(u, c, false);
        d->is_extern = true;
        d->type = clang_types_of(u, u->api->getCursorType(c));
    } else if (d->kind == CXCursor_VarDecl || d->kind == CXCursor_ParmDecl ||
               d->kind == CXCursor_FieldDecl || d->kind == CXCursor_TypedefDecl) {
        fill_variable(u, d, c);
    } else {
        d->type = clang_types_of(u, u->api->getCursorType(c)); /* tags, enumerators */
    }
}

/* The record of a declaration, made when it is first met: its number, 1-based. */
static uint32_t decl_of(clang_unit *u, CXCursor c)
{
    uint64_t key = (uint64_t)(uintptr_t)c.data[0];
    uint32_t index = clang_map_get(&u->decl_of_cursor, key);
    if (index != 0)
        return index;
    struct clang_decl d = {.offset = NO_OFFSET};
    fill_decl(u, &d, c);
    VEC_PUSH(u->mem, &u->decls, d);
    index = (uint32_t)u->decls.count;
    clang_map_set(u->mem, &u->decl_of_cursor, key, index);
    return index;
}

static void note_declared(clang_unit *u, CXCursor c, enum CXCursorKind kind)
{
    if (kind == CXCursor_FunctionDecl)
        clang_index_entry(u, c, true);
    uint32_t index = decl_of(u, c);
    struct clang_decl *d = &u->decls.at[index - 1];
    d->is_in_region = true;
    if (d->offset != NO_OFFSET && clang_map_get(&u->declared_at, d->offset) == 0)
        clang_map_set(u->mem, &u->declared_at, d->offset, index);
}

/* ---- uses --------------------------------------------------------------------------------- */

static void note_invalid(clang_unit *u, uint32_t offset, strview name)
{
    const struct clang_error *why = &u->dropped;
    const char *text =
        arena_printf(u->mem, "'%.*s' is used here, but its declaration has an error", SV_ARG(name));
    if (why->text != NULL)
        text = arena_printf(u->mem, "%s (%s:%u: %s)", text, why->file, why->line, why->text);
    clang_unit_error(u, offset, text);
}

static void note_invalid_decl(clang_unit *u, uint32_t offset, CXCursor declared)
{
    note_invalid(u, offset, sv_from(clang_text(u, u->api->getCursorSpelling(declared))));
}

/* Does the buffer have this declaration's name there? What a macro's body uses is placed at the
 * macro's name. */
static bool is_named_at(const clang_unit *u, CXCursor declared, uint32_t offset)
{
    CXString spelling = u->api->getCursorSpelling(declared);
    const char *name = u->api->getCString(spelling);
    size_t len = name == NULL ? 0 : strlen(name);
    bool is_there =
        len != 0 && offset + len <= u->buffer.len && memcmp(u->buffer.at + offset, name, len) == 0;
    u->api->disposeString(spelling);
    return is_there;
}

static void note_use(clang_unit *u, CXCursor c)
{
    CXCursor declared = u->api->getCursorReferenced(c);
    if (u->api->Cursor_isNull(declared))
        return;
    CXSourceLocation at = u->api->getCursorLocation(c);
    uint32_t offset = clang_offset(u, at);
    if (offset == NO_OFFSET || clang_map_get(&u->ref_at, offset) != 0)
        return;
    if (!u->api->Location_isFromMainFile(at) && !is_named_at(u, declared, offset))
        return;
    uint32_t index = decl_of(u, declared);
    clang_map_set(u->mem, &u->ref_at, offset, index);
    if (u->decls.at[index - 1].is_invalid)
        note_invalid_decl(u, offset, declared);
}

/* Counts the operators that begin at an await mark; libclang may show one cursor several times
 * (GNU ?:, sizeof of an array type). */
static void note_await(clang_unit *u, CXCursor c, uint32_t offset)
{
    static const char extension[] = "__extension__";
    size_t len = sizeof await_mark - 1;
    if (offset + sizeof extension < u->buffer.len &&
        memcmp(u->buffer.at + offset, extension, sizeof extension - 1) == 0)
        clang_map_set(u->mem, &u->extension_at, offset, 1);
    if (offset + len > u->buffer.len || memcmp(u->buffer.at + offset, await_mark, len) != 0)
        return;
    uint32_t index = clang_map_get(&u->await_at, offset);
    if (index == 0) {
        struct clang_await first = {.cursor = c, .count = 1};
        VEC_PUSH(u->mem, &u->awaits, first);
        clang_map_set(u->mem, &u->await_at, offset, (uint32_t)u->awaits.count);
    } else if (!u->api->equalCursors(u->awaits.at[index - 1].cursor, c)) {
        u->awaits.at[index - 1].count++;
    }
}

/* Keeps the smallest extent of an expression that libclang has no type for: it made it up, as
 * what it refers to is in error. */
static void note_typeless(struct region_visit *visit, struct clang_range extent)
{
    struct clang_range *known = &visit->typeless;
    if (known->end == 0 || extent.end - extent.begin < known->end - known->begin)
        *known = extent;
}

static void check_typeless(clang_unit *u, struct clang_range typeless)
{
    if (typeless.end == 0)
        return;
    uint32_t region = clang_index_region(u, typeless.begin);
    for (size_t i = 0; i < u->errors.count; i++) {
        uint32_t offset = u->errors.at[i].offset;
        if (offset != NO_OFFSET && clang_index_region(u, offset) == region)
            return;
    }
    note_invalid(u, typeless.begin,
                 (strview){u->buffer.at + typeless.begin, typeless.end - typeless.begin});
}

/* Is it written as what it is? libclang wraps the argument for a transparent union into a literal
 * that nobody wrote. */
static bool is_written(const clang_unit *u, enum CXCursorKind kind, struct clang_range extent)
{
    bool is_list = kind == CXCursor_CompoundLiteralExpr || kind == CXCursor_InitListExpr;
    if (is_list && extent.end > extent.begin && extent.end <= u->buffer.len)
        return u->buffer.at[extent.end - 1] == '}' || u->buffer.at[extent.end - 1] == '>';
    return kind != CXCursor_UnexposedExpr;
}

static void note_expression(struct region_visit *visit, CXCursor c, enum CXCursorKind kind)
{
    clang_unit *u = visit->u;
    struct clang_range extent;
    if (!clang_extent(u, c, &extent))
        return;
    CXType type = u->api->getCursorType(c);
    if (type.kind == CXType_Dependent)
        note_typeless(visit, extent);
    if (kind == CXCursor_UnaryOperator &&
        u->api->getCursorUnaryOperatorKind(c) == CXUnaryOperator_Extension)
        note_await(u, c, extent.begin);
    uint64_t key = clang_extent_key(extent);
    uint32_t index = clang_map_get(&u->expr_at, key);
    if (index == 0) {
        struct clang_expr first = {.converted = clang_types_of(u, type)};
        first.type = first.converted;
        first.is_exact = is_written(u, kind, extent);
        VEC_PUSH(u->mem, &u->exprs, first);
        clang_map_set(u->mem, &u->expr_at, key, (uint32_t)u->exprs.count);
        return;
    }
    struct clang_expr *known = &u->exprs.at[index - 1];
    if (known->is_exact)
        return;
    known->is_converted = true;
    known->is_exact = is_written(u, kind, extent);
    known->type = clang_types_of(u, type);
}

/* ---- the visit ---------------------------------------------------------------------------- */

static bool is_declaration(enum CXCursorKind kind)
{
    return kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl || kind == CXCursor_FieldDecl ||
           kind == CXCursor_TypedefDecl || kind == CXCursor_FunctionDecl ||
           kind == CXCursor_EnumConstantDecl || kind == CXCursor_StructDecl ||
           kind == CXCursor_UnionDecl || kind == CXCursor_EnumDecl;
}

static enum CXChildVisitResult visit_cursor(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct region_visit *visit = data;
    clang_unit *u = visit->u;
    enum CXCursorKind kind = u->api->getCursorKind(c);
    if (kind >= CXCursor_FirstExpr && kind <= CXCursor_LastExpr) {
        note_expression(visit, c, kind);
        if (kind == CXCursor_DeclRefExpr || kind == CXCursor_MemberRefExpr)
            note_use(u, c);
    } else if (kind == CXCursor_TypeRef || kind == CXCursor_MemberRef) {
        note_use(u, c);
    } else if (is_declaration(kind)) {
        note_declared(u, c, kind);
    } else if (kind >= CXCursor_FirstAttr && kind <= CXCursor_LastAttr) {
        return CXChildVisit_Continue;
    }
    return CXChildVisit_Recurse;
}

void clang_region_visit(clang_unit *u, CXCursor function)
{
    if (u->api->isInvalidDeclaration(function))
        note_invalid_decl(u, clang_offset(u, u->api->getCursorLocation(function)), function);
    struct region_visit visit = {.u = u};
    u->api->visitChildren(function, visit_cursor, &visit);
    check_typeless(u, visit.typeless);
}

/* ---- questions ---------------------------------------------------------------------------- */

const struct clang_decl *clang_region_ref(const clang_unit *u, uint32_t offset)
{
    uint32_t index = clang_map_get(&u->ref_at, offset);
    return index == 0 ? NULL : &u->decls.at[index - 1];
}

const struct clang_decl *clang_region_declared(const clang_unit *u, uint32_t offset)
{
    uint32_t index = clang_map_get(&u->declared_at, offset);
    return index == 0 ? NULL : &u->decls.at[index - 1];
}

bool clang_region_is_async(const struct clang_decl *d)
{
    return d->function != NULL ? d->function->is_async : d->is_async;
}

bool clang_unit_reference(const clang_unit *u, uint32_t offset, struct clang_reference *reference)
{
    const struct clang_decl *d = clang_region_ref(u, offset);
    if (d == NULL)
        return false;
    *reference = (struct clang_reference){
        .declared_offset = d->offset,
        .is_local = d->is_in_region,
        .is_async = clang_region_is_async(d),
        .is_function = d->kind == CXCursor_FunctionDecl,
        .is_enumerator = d->kind == CXCursor_EnumConstantDecl,
        .is_thread_local = d->is_thread_local,
        .type = d->type,
    };
    return true;
}
