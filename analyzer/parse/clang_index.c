/* SPDX-License-Identifier: MIT */
/*
 * Which names does the unit declare at file scope? One visit of the top level: of headers'
 * thousands of declarations only the names of functions and typedefs are kept, and whether a
 * function is async (its attributes come first among a declaration's children, so that look is
 * short). Bodies are entered in regions only.
 *
 * A header's declaration counts as standing where the buffer's text last was before it, which is
 * at or before its #include.
 */
#include "analyzer/parse/clang_private.h"
#include "analyzer/parse/clang_types.h"

struct index_visit {
    clang_unit *u;
    uint32_t last_offset; /* of a declaration in the buffer */
};

/* ---- functions ---------------------------------------------------------------------------- */

static struct clang_entry *find_entry(const clang_unit *u, strview name, uint64_t hash)
{
    uint32_t index = clang_map_get(&u->entry_of_hash, hash);
    struct clang_entry *e = index == 0 ? NULL : u->entries.at[index - 1];
    while (e != NULL && !sv_equal(e->name, name))
        e = e->next_of_hash;
    return e;
}

struct clang_entry *clang_index_find(const clang_unit *u, strview name)
{
    return find_entry(u, name, clang_map_hash_text(name));
}

static struct clang_entry *add_entry(clang_unit *u, strview name, uint64_t hash)
{
    uint32_t index = clang_map_get(&u->entry_of_hash, hash);
    struct clang_entry *e = ARENA_NEW(u->mem, struct clang_entry);
    e->name = (strview){arena_strndup(u->mem, name.at, name.len), name.len};
    e->next_of_hash = index == 0 ? NULL : u->entries.at[index - 1];
    VEC_PUSH(u->mem, &u->entries, e);
    clang_map_set(u->mem, &u->entry_of_hash, hash, (uint32_t)u->entries.count);
    return e;
}

/* Does a declaration make its function async, by its own mark or that of a typedef it names? */
static bool declares_async(clang_unit *u, CXCursor declared)
{
    if (u->api->Cursor_hasAttrs(declared) && clang_attributes_of(u, declared).is_async)
        return true;
    CXType type = u->api->getCursorType(declared);
    if (type.kind != CXType_Elaborated && type.kind != CXType_Typedef)
        return false;
    return type_get(clang_types_table(u->types), clang_types_of(u, type))->is_async;
}

static void add_redecl(clang_unit *u, struct clang_entry *e, CXCursor declared)
{
    struct clang_redecl *redecl = ARENA_NEW(u->mem, struct clang_redecl);
    redecl->cursor = declared;
    if (e->last == NULL)
        e->first = redecl;
    else
        e->last->next = redecl;
    e->last = redecl;
    e->known = NULL;
    if (!e->is_async && declares_async(u, declared)) {
        e->is_async = true;
        VEC_PUSH(u->mem, &u->async_entries, e);
    }
}

struct clang_entry *clang_index_entry(clang_unit *u, CXCursor declared, bool is_redecl)
{
    CXString spelling = u->api->getCursorSpelling(declared);
    const char *text = u->api->getCString(spelling);
    strview name = sv_from(text == NULL ? "" : text);
    uint64_t hash = clang_map_hash_text(name);
    struct clang_entry *e = find_entry(u, name, hash);
    bool is_new = e == NULL;
    if (is_new)
        e = add_entry(u, name, hash);
    u->api->disposeString(spelling);
    if (is_new || is_redecl)
        add_redecl(u, e, declared);
    return e;
}

/* ---- typedefs ----------------------------------------------------------------------------- */

static struct clang_typedef *find_typedef(const clang_unit *u, strview name)
{
    uint32_t index = clang_map_get(&u->typedef_of_hash, clang_map_hash_text(name));
    struct clang_typedef *t = index == 0 ? NULL : u->typedefs.at[index - 1];
    while (t != NULL && !sv_equal(t->name, name))
        t = t->next_of_hash;
    return t;
}

static void add_typedef(clang_unit *u, const char *text, uint32_t offset)
{
    strview name = sv_from(text);
    if (find_typedef(u, name) != NULL)
        return;
    uint64_t hash = clang_map_hash_text(name);
    uint32_t index = clang_map_get(&u->typedef_of_hash, hash);
    struct clang_typedef *t = ARENA_NEW(u->mem, struct clang_typedef);
    t->name = name;
    t->offset = offset;
    t->next_of_hash = index == 0 ? NULL : u->typedefs.at[index - 1];
    VEC_PUSH(u->mem, &u->typedefs, t);
    clang_map_set(u->mem, &u->typedef_of_hash, hash, (uint32_t)u->typedefs.count);
}

bool clang_unit_is_typedef(const clang_unit *u, strview name, uint32_t before_offset)
{
    const struct clang_typedef *t = find_typedef(u, name);
    return t != NULL && t->offset <= before_offset;
}

static void add_builtin_typedefs(clang_unit *u)
{
    static const char *const names[] = {"__builtin_va_list", "__builtin_ms_va_list", "__int128_t",
                                        "__uint128_t", "__NSConstantString"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        add_typedef(u, names[i], 0);
}

/* ---- the visit ---------------------------------------------------------------------------- */

uint32_t clang_index_region(const clang_unit *u, uint32_t offset)
{
    uint32_t low = 0;
    uint32_t high = u->region_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (u->regions[middle].range.end <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    bool is_in = low < u->region_count && u->regions[low].range.begin <= offset;
    return is_in ? low : u->region_count;
}

static void visit_function(struct index_visit *visit, CXCursor c, uint32_t offset)
{
    clang_unit *u = visit->u;
    clang_index_entry(u, c, true);
    if (offset == NO_OFFSET)
        return;
    uint32_t region = clang_index_region(u, offset);
    if (region == u->region_count || !u->api->isCursorDefinition(c))
        return;
    u->regions[region].function = c;
    u->regions[region].is_found = true;
    clang_region_visit(u, c);
}

/* Is it a function or variable of the user's? Of headers' functions only the definitions count. */
static bool is_own(const clang_unit *u, CXCursor c, enum CXCursorKind kind, uint32_t offset)
{
    if (kind != CXCursor_FunctionDecl && kind != CXCursor_VarDecl)
        return false;
    if (offset != NO_OFFSET)
        return true;
    if (kind == CXCursor_FunctionDecl && !u->api->isCursorDefinition(c))
        return false;
    return !u->api->Location_isInSystemHeader(u->api->getCursorLocation(c));
}

static enum CXChildVisitResult visit_top(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct index_visit *visit = data;
    clang_unit *u = visit->u;
    uint32_t offset = clang_offset(u, u->api->getCursorLocation(c));
    if (offset != NO_OFFSET)
        visit->last_offset = offset;
    enum CXCursorKind kind = u->api->getCursorKind(c);
    if (kind == CXCursor_FunctionDecl)
        visit_function(visit, c, offset);
    else if (kind == CXCursor_TypedefDecl)
        add_typedef(u, clang_text(u, u->api->getCursorSpelling(c)), visit->last_offset);
    if (is_own(u, c, kind, offset))
        VEC_PUSH(u->mem, &u->own_decls, c);
    return CXChildVisit_Continue;
}

void clang_index_unit(clang_unit *u)
{
    struct index_visit visit = {.u = u};
    add_builtin_typedefs(u);
    u->api->visitChildren(u->api->getTranslationUnitCursor(u->tu), visit_top, &visit);
}
