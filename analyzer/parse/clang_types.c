/* SPDX-License-Identifier: MIT */
/*
 * How is a CXType described? Its class, size and qualifiers are those of the canonical type. Its
 * name is the first typedef of file scope on the way there; its parts are taken below all typedefs
 * but keep their own ones, so `size_t *` stays one. libclang's traps on the way:
 *
 *   - a parameter's array type is shown undecayed, also as the target of a pointer: a part whose
 *     canonical type is not the canonical type's part is taken from the latter
 *   - parentheses and typeof are sugar without a way through; but a function below parentheses
 *     still answers for its result and parameters
 *   - qualifiers sit on each level of sugar; those of an array belong to its elements, but the
 *     canonical array has them itself
 */
#include "analyzer/parse/clang_types.h"

#include <string.h>

#include "analyzer/parse/clang_type_table.h"

/* Kinds that clang-c names only in newer headers than it has them. */
enum { KIND_EXT_VECTOR = 176, KIND_ATOMIC = 177 };

enum typedef_flag { TYPEDEF_KNOWN = 1, TYPEDEF_ASYNC = 2, TYPEDEF_FILE_SCOPE = 4 };

/* What was passed on the way from a type to its structure. */
struct sugar {
    CXType core;                             /* the structure, whose parts keep their sugar */
    const char *name;                        /* of the first file-scope typedef; NULL */
    bool is_async;                           /* some typedef on the way is */
    bool is_const, is_volatile, is_restrict; /* outside of that name */
};

static bool is_array(enum CXTypeKind kind)
{
    return kind == CXType_ConstantArray || kind == CXType_IncompleteArray ||
           kind == CXType_VariableArray;
}

static bool is_function(enum CXTypeKind kind)
{
    return kind == CXType_FunctionProto || kind == CXType_FunctionNoProto;
}

static uint64_t identity_of(const void *object)
{
    return (uint64_t)(uintptr_t)object;
}

static uint32_t typedef_flags(clang_unit *u, CXCursor declared)
{
    uint32_t flags = clang_map_get(&u->types->typedefs, identity_of(declared.data[0]));
    if (flags != 0)
        return flags;
    CXCursor parent = u->api->getCursorSemanticParent(declared);
    flags = TYPEDEF_KNOWN;
    if (u->api->getCursorKind(parent) == CXCursor_TranslationUnit)
        flags |= TYPEDEF_FILE_SCOPE;
    if (u->api->Cursor_hasAttrs(declared) && clang_attributes_of(u, declared).is_async)
        flags |= TYPEDEF_ASYNC;
    clang_map_set(u->mem, &u->types->typedefs, identity_of(declared.data[0]), flags);
    return flags;
}

static void pass_qualifiers(const clang_unit *u, struct sugar *s, CXType t)
{
    s->is_const |= u->api->isConstQualifiedType(t) != 0;
    s->is_volatile |= u->api->isVolatileQualifiedType(t) != 0;
    s->is_restrict |= u->api->isRestrictQualifiedType(t) != 0;
}

static struct sugar strip(clang_unit *u, CXType t, CXType canonical)
{
    const struct clang_api *api = u->api;
    struct sugar s = {.core = t};
    bool is_outside = false; /* qualifiers anywhere on the way */
    for (;;) {
        CXType at = s.core;
        if (s.name == NULL)
            pass_qualifiers(u, &s, at);
        is_outside |= api->isConstQualifiedType(at) || api->isVolatileQualifiedType(at);
        if (at.kind == CXType_Elaborated) {
            s.core = api->Type_getNamedType(at);
        } else if (at.kind == CXType_Typedef) {
            CXCursor declared = api->getTypeDeclaration(at);
            uint32_t flags = typedef_flags(u, declared);
            s.is_async |= (flags & TYPEDEF_ASYNC) != 0;
            if (s.name == NULL && (flags & TYPEDEF_FILE_SCOPE) != 0)
                s.name = clang_text(u, api->getCursorSpelling(declared));
            s.core = api->getTypedefDeclUnderlyingType(declared);
        } else if (at.kind == CXType_Attributed) {
            s.core = api->Type_getModifiedType(at);
        } else if ((at.kind == CXType_Unexposed && !is_function(canonical.kind)) ||
                   at.kind == CXType_Auto) {
            CXType next = api->getCanonicalType(at);
            if (next.kind == at.kind)
                break;
            s.core = next;
        } else {
            break;
        }
    }
    if (s.core.kind == CXType_Invalid || (is_array(canonical.kind) && is_outside))
        s.core = canonical;
    return s;
}

/* A part of a type: the sugared one, unless it is not what the canonical type has there. */
static type_id part_of(clang_unit *u, CXType sugared, CXType canonical)
{
    if (sugared.kind == CXType_Invalid ||
        !u->api->equalTypes(u->api->getCanonicalType(sugared), canonical))
        return clang_types_of(u, canonical);
    return clang_types_of(u, sugared);
}

/* ---- simple types ------------------------------------------------------------------------- */

struct builtin {
    enum CXTypeKind kind;
    enum type_class cls;
    bool is_unsigned;
    const char *text; /* accepted by gcc and clang in every language mode */
};

static const struct builtin builtins[] = {
    {CXType_Void, TYPE_VOID, false, "void"},
    {CXType_Bool, TYPE_BOOL, true, "_Bool"},
    {CXType_Char_U, TYPE_INT, true, "char"},
    {CXType_Char_S, TYPE_INT, false, "char"},
    {CXType_UChar, TYPE_INT, true, "unsigned char"},
    {CXType_SChar, TYPE_INT, false, "signed char"},
    {CXType_Short, TYPE_INT, false, "short"},
    {CXType_UShort, TYPE_INT, true, "unsigned short"},
    {CXType_Int, TYPE_INT, false, "int"},
    {CXType_UInt, TYPE_INT, true, "unsigned int"},
    {CXType_Long, TYPE_INT, false, "long"},
    {CXType_ULong, TYPE_INT, true, "unsigned long"},
    {CXType_LongLong, TYPE_INT, false, "long long"},
    {CXType_ULongLong, TYPE_INT, true, "unsigned long long"},
    {CXType_Int128, TYPE_INT, false, "__int128_t"},
    {CXType_UInt128, TYPE_INT, true, "__uint128_t"},
    {CXType_Float, TYPE_FLOAT, false, "float"},
    {CXType_Double, TYPE_FLOAT, false, "double"},
    {CXType_LongDouble, TYPE_FLOAT, false, "long double"},
    {CXType_Float128, TYPE_FLOAT, false, "__float128"},
    {CXType_Float16, TYPE_FLOAT, false, "_Float16"},
    {CXType_Half, TYPE_FLOAT, false, "__fp16"},
    {CXType_BFloat16, TYPE_FLOAT, false, "__bf16"},
    {CXType_Ibm128, TYPE_FLOAT, false, "__ibm128"},
    {CXType_NullPtr, TYPE_NULLPTR, false, "__typeof__(nullptr)"},
};

static const struct builtin *find_builtin(enum CXTypeKind kind)
{
    for (size_t i = 0; i < sizeof builtins / sizeof builtins[0]; i++) {
        if (builtins[i].kind == kind)
            return &builtins[i];
    }
    return NULL;
}

/* A type of no known kind: _BitInt is all that C has there. */
static void describe_other(clang_unit *u, struct type *t, CXType canonical)
{
    const char *text =
        clang_text(u, u->api->getTypeSpelling(u->api->getUnqualifiedType(canonical)));
    strview sv = sv_from(text);
    if (!sv_starts(sv, "_BitInt(") && !sv_starts(sv, "unsigned _BitInt("))
        return;
    t->cls = TYPE_INT;
    t->is_unsigned = text[0] == 'u';
    clang_spell_base(u->types, t, text);
}

/* ---- tagged types ------------------------------------------------------------------------- */

struct const_search {
    const clang_unit *u;
    bool is_found;
};

static enum CXVisitorResult find_const_field(CXCursor field, CXClientData data)
{
    struct const_search *search = data;
    const struct clang_api *api = search->u->api;
    CXType t = api->getCanonicalType(api->getCursorType(field));
    search->is_found = api->isConstQualifiedType(t) != 0;
    while (is_array(t.kind)) { /* an array has its elements' qualifiers, or they have them */
        t = api->getElementType(t);
        search->is_found |= api->isConstQualifiedType(t) != 0;
    }
    if (!search->is_found && t.kind == CXType_Record)
        api->Type_visitFields(t, find_const_field, search);
    return search->is_found ? CXVisit_Break : CXVisit_Continue;
}

static bool has_const_member(const clang_unit *u, CXType canonical)
{
    struct const_search search = {.u = u};
    u->api->Type_visitFields(canonical, find_const_field, &search);
    return search.is_found;
}

/* The text that names a tagged type at file scope, or NULL. */
static const char *tag_text(clang_unit *u, CXCursor declared, CXType canonical)
{
    const struct clang_api *api = u->api;
    CXCursor parent = api->getCursorSemanticParent(declared);
    if (api->getCursorKind(parent) != CXCursor_TranslationUnit)
        return NULL;
    CXFile file = NULL;
    api->getFileLocation(api->getCursorLocation(declared), &file, NULL, NULL, NULL);
    const char *text = clang_text(u, api->getTypeSpelling(api->getUnqualifiedType(canonical)));
    if (file == NULL || strchr(text, '(') != NULL) /* made by the compiler; without a name */
        return NULL;
    return text;
}

static void describe_tagged(clang_unit *u, struct type *t, CXType canonical)
{
    CXCursor declared = u->api->getTypeDeclaration(canonical);
    const char *text = tag_text(u, declared, canonical);
    if (canonical.kind == CXType_Enum) {
        const struct builtin *b =
            find_builtin(u->api->getCanonicalType(u->api->getEnumDeclIntegerType(declared)).kind);
        if (text == NULL && b != NULL) /* compatible, and has a name everywhere */
            text = b->text;
        t->cls = TYPE_ENUM;
        t->is_unsigned = b != NULL && b->is_unsigned;
    } else {
        t->cls = TYPE_RECORD;
        t->is_union = u->api->getCursorKind(declared) == CXCursor_UnionDecl;
        t->has_const_member = has_const_member(u, canonical);
    }
    if (text != NULL)
        clang_spell_base(u->types, t, text);
}

/* ---- derived types ------------------------------------------------------------------------ */

/* The element type. A canonical array has its elements' qualifiers itself. */
static type_id element_of(clang_unit *u, CXType core, CXType canonical)
{
    const struct clang_api *api = u->api;
    CXType bare = api->getElementType(canonical);
    CXType sugared = api->getElementType(core);
    bool is_same = sugared.kind != CXType_Invalid &&
                   api->equalTypes(api->getUnqualifiedType(api->getCanonicalType(sugared)), bare);
    type_id id = clang_types_of(u, is_same ? sugared : bare);
    return clang_type_qualified(u->types, id, api->isConstQualifiedType(canonical) != 0,
                                api->isVolatileQualifiedType(canonical) != 0,
                                api->isRestrictQualifiedType(canonical) != 0);
}

static void describe_array(clang_unit *u, struct type *t, CXType core, CXType canonical)
{
    const struct clang_api *api = u->api;
    t->cls = TYPE_ARRAY;
    t->elem = element_of(u, core, canonical);
    const struct type *elem = type_get(&u->types->table, t->elem);
    long long count = canonical.kind == CXType_ConstantArray ? api->getArraySize(canonical) : 0;
    t->count = count > 0 ? (uint64_t)count : 0;
    t->is_complete = canonical.kind == CXType_ConstantArray && elem->is_complete;
    t->is_variable = canonical.kind == CXType_VariableArray || elem->is_variable;
    t->is_const = elem->is_const;
    t->is_volatile = elem->is_volatile;
    t->is_restrict = elem->is_restrict;
    t->has_const_member = elem->has_const_member;
    t->is_async |= elem->is_async;
    if (canonical.kind != CXType_VariableArray)
        clang_spell_array(u->types, t);
}

static void describe_pointer(clang_unit *u, struct type *t, CXType core, CXType canonical)
{
    t->cls = TYPE_POINTER;
    t->is_unsigned = true;
    t->elem = part_of(u, u->api->getPointeeType(core), u->api->getPointeeType(canonical));
    const struct type *elem = type_get(&u->types->table, t->elem);
    t->is_variable = elem->is_variable;
    t->is_async |= elem->is_async;
    if (canonical.kind == CXType_Pointer)
        clang_spell_pointer(u->types, t);
}

static void describe_function(clang_unit *u, struct type *t, CXType core, CXType canonical)
{
    const struct clang_api *api = u->api;
    t->cls = TYPE_FUNCTION;
    t->elem = part_of(u, api->getResultType(core), api->getResultType(canonical));
    t->has_prototype = canonical.kind == CXType_FunctionProto;
    t->is_variadic = api->isFunctionTypeVariadic(canonical) != 0;
    int count = api->getNumArgTypes(canonical);
    t->param_count = count > 0 ? (uint32_t)count : 0;
    t->params = ARENA_ARRAY(u->mem, type_id, t->param_count + 1);
    for (uint32_t i = 0; i < t->param_count; i++) {
        CXType param = api->getArgType(core, i);
        if (param.kind == CXType_Invalid)
            param = api->getArgType(canonical, i);
        type_id id = clang_types_decayed(u, clang_types_of(u, param));
        t->params[i] = type_get(&u->types->table, id)->unqualified;
    }
    enum CXCallingConv convention = api->getFunctionTypeCallingConv(canonical);
    if (convention == CXCallingConv_Default || convention == CXCallingConv_C)
        clang_spell_function(u->types, t);
}

static void describe_vector(clang_unit *u, struct type *t, CXType canonical)
{
    t->cls = TYPE_VECTOR;
    t->elem = clang_types_of(u, u->api->getElementType(canonical));
    long long count = u->api->getNumElements(canonical);
    t->count = count > 0 ? (uint64_t)count : 0;
    uint64_t bytes = t->count * type_get(&u->types->table, t->elem)->size_bytes;
    if (canonical.kind == CXType_Vector)
        clang_spell_wrapped(u->types, t,
                            arena_printf(u->mem, "__attribute__((__vector_size__(%llu))) ",
                                         (unsigned long long)bytes),
                            "");
}

static void describe_by_kind(clang_unit *u, struct type *t, CXType core, CXType canonical)
{
    const struct builtin *b = find_builtin(canonical.kind);
    int kind = (int)canonical.kind;
    if (b != NULL) {
        t->cls = b->cls;
        t->is_unsigned = b->is_unsigned;
        clang_spell_base(u->types, t, b->text);
    } else if (is_array(canonical.kind)) {
        describe_array(u, t, core, canonical);
    } else if (is_function(canonical.kind)) {
        describe_function(u, t, core, canonical);
    } else if (kind == CXType_Pointer || kind == CXType_BlockPointer) {
        describe_pointer(u, t, core, canonical);
    } else if (kind == CXType_Record || kind == CXType_Enum) {
        describe_tagged(u, t, canonical);
    } else if (kind == CXType_Vector || kind == KIND_EXT_VECTOR) {
        describe_vector(u, t, canonical);
    } else if (kind == CXType_Complex) {
        t->cls = TYPE_COMPLEX;
        t->elem = clang_types_of(u, u->api->getElementType(canonical));
        clang_spell_wrapped(u->types, t, "__complex__ ", "");
    } else if (kind == KIND_ATOMIC) {
        t->cls = TYPE_ATOMIC;
        t->elem = part_of(u, u->api->Type_getValueType(core), u->api->Type_getValueType(canonical));
        clang_spell_wrapped(u->types, t, "_Atomic(", ")");
    } else {
        describe_other(u, t, canonical);
    }
}

/* A function, or pointers or arrays that lead to one? */
static bool leads_to_function(const type_table *table, type_id id)
{
    const struct type *t = type_get(table, id);
    while (t->cls == TYPE_POINTER || t->cls == TYPE_ARRAY)
        t = type_get(table, t->elem);
    return t->cls == TYPE_FUNCTION;
}

/* ---- the whole ---------------------------------------------------------------------------- */

static void measure(const clang_unit *u, struct type *t, CXType type)
{
    if (t->cls == TYPE_UNKNOWN) /* libclang crashes on a builtin function's type */
        return;
    long long size = u->api->Type_getSizeOf(type);
    long long align = u->api->Type_getAlignOf(type);
    bool has_size = size >= 0 && t->cls != TYPE_VOID && t->cls != TYPE_FUNCTION &&
                    (t->cls != TYPE_ARRAY || t->is_complete);
    t->is_complete = has_size;
    t->size_bytes = has_size ? (uint64_t)size : 0;
    t->align_bytes = align > 0 ? (uint64_t)align : 0;
}

static struct type describe(clang_unit *u, CXType type, CXType canonical)
{
    const struct clang_api *api = u->api;
    struct sugar s = strip(u, type, canonical);
    struct type t = {.is_async = s.is_async,
                     .is_const = api->isConstQualifiedType(canonical) != 0,
                     .is_volatile = api->isVolatileQualifiedType(canonical) != 0,
                     .is_restrict = api->isRestrictQualifiedType(canonical) != 0};
    describe_by_kind(u, &t, s.core, canonical);
    measure(u, &t, type);
    if (t.cls != TYPE_FUNCTION && !leads_to_function(&u->types->table, t.elem))
        t.is_async = false;
    if (s.name != NULL && !t.is_variable) {
        struct type outer = t;
        outer.is_const = s.is_const;
        outer.is_volatile = s.is_volatile;
        outer.is_restrict = s.is_restrict;
        clang_spell_base(u->types, &outer, s.name);
        t.is_nameable = true;
        t.before = outer.before;
        t.after = outer.after;
    }
    if (api->getAddressSpace(canonical) != 0) {
        t.is_nameable = false;
        t.before = t.after = NULL;
    }
    return t;
}

/* What tells this type from others of the same description. */
static uint64_t own_identity(const struct type *t, CXType canonical)
{
    switch (t->cls) {
    case TYPE_POINTER:
        return canonical.kind == CXType_Pointer ? 0 : 1;
    case TYPE_FUNCTION:
        return t->is_nameable ? 0 : 1;
    case TYPE_ARRAY:
        return canonical.kind == CXType_VariableArray ? identity_of(canonical.data[0]) : 0;
    case TYPE_UNKNOWN:
    case TYPE_VOID:
    case TYPE_BOOL:
    case TYPE_INT:
    case TYPE_ENUM:
    case TYPE_FLOAT:
    case TYPE_COMPLEX:
    case TYPE_NULLPTR:
    case TYPE_RECORD:
    case TYPE_VECTOR:
    case TYPE_ATOMIC:
        break;
    }
    return identity_of(canonical.data[0]);
}

static type_id unqualified_of(clang_unit *u, type_id id, CXType type)
{
    struct type t = *type_get(&u->types->table, id);
    if (!t.is_const && !t.is_volatile && !t.is_restrict)
        return id;
    if (t.cls == TYPE_ARRAY) {
        type_id elem = type_get(&u->types->table, t.elem)->unqualified;
        return elem == t.elem ? id : clang_type_array_like(u->types, id, elem);
    }
    type_id bare = clang_types_of(u, u->api->getUnqualifiedType(type));
    return t.is_async ? clang_types_as_async(u, bare) : bare;
}

type_id clang_types_of(clang_unit *u, CXType type)
{
    if (type.kind == CXType_Invalid)
        return TYPE_NONE;
    struct clang_types *types = u->types;
    type_id id = clang_map_get(&types->id_of_type, identity_of(type.data[0]));
    if (id != TYPE_NONE)
        return id;
    CXType canonical = u->api->getCanonicalType(type);
    struct type t = describe(u, type, canonical);
    if (t.cls == TYPE_UNKNOWN)
        return TYPE_NONE;
    bool is_new;
    id = clang_type_intern(types, &t, own_identity(&t, canonical), &is_new);
    clang_map_set(u->mem, &types->id_of_type, identity_of(type.data[0]), id);
    if (!is_new)
        return id;
    type_id unqualified = unqualified_of(u, id, type);
    type_id plain = clang_types_of(u, canonical);
    types->table.types.at[id].unqualified = unqualified;
    types->table.types.at[id].canonical = plain;
    return id;
}

type_id clang_types_decayed(clang_unit *u, type_id id)
{
    const struct type *t = type_get(&u->types->table, id);
    if (t->cls == TYPE_ARRAY)
        return clang_type_pointer_to(u->types, t->elem);
    if (t->cls == TYPE_FUNCTION)
        return clang_type_pointer_to(u->types, id);
    return id;
}

type_id clang_types_as_async(clang_unit *u, type_id id)
{
    struct clang_types *types = u->types;
    struct type t = types->table.types.at[id];
    if (t.is_async || !leads_to_function(&types->table, id))
        return id;
    bool is_new;
    t.is_async = true;
    type_id async = clang_type_intern(types, &t, types->identity[id], &is_new);
    if (is_new) {
        type_id unqualified = t.unqualified == id ? async : clang_types_as_async(u, t.unqualified);
        types->table.types.at[async].unqualified = unqualified;
        types->table.types.at[async].canonical = t.canonical;
    }
    return async;
}

type_id clang_types_with_async_params(clang_unit *u, type_id id, uint64_t params)
{
    struct clang_types *types = u->types;
    struct type t = types->table.types.at[id];
    if (params == 0 || t.cls != TYPE_FUNCTION)
        return id;
    type_id *marked = ARENA_ARRAY(u->mem, type_id, t.param_count + 1);
    for (uint32_t i = 0; i < t.param_count; i++) {
        bool is_async = i < 64 && (params >> i & 1) != 0;
        marked[i] = is_async ? clang_types_as_async(u, t.params[i]) : t.params[i];
    }
    t.params = marked;
    bool is_new;
    type_id result = clang_type_intern(types, &t, types->identity[id], &is_new);
    types->table.types.at[result].canonical = t.canonical;
    return result;
}

struct clang_types *clang_types_new(clang_unit *u)
{
    struct clang_types *types = ARENA_NEW(u->mem, struct clang_types);
    CXTargetInfo target = u->api->getTranslationUnitTargetInfo(u->tu);
    int bits = u->api->TargetInfo_getPointerWidth(target);
    u->api->TargetInfo_dispose(target);
    types->table.mem = u->mem;
    types->pointer_bytes = bits > 0 ? (uint64_t)bits / 8 : sizeof(void *);
    struct type unknown = {.cls = TYPE_UNKNOWN};
    bool is_new;
    clang_type_intern(types, &unknown, 0, &is_new);
    return types;
}

uint64_t clang_types_pointer_bytes(const struct clang_types *types)
{
    return types->pointer_bytes;
}

type_table *clang_types_table(struct clang_types *types)
{
    return &types->table;
}
