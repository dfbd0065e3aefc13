/* SPDX-License-Identifier: MIT */
/*
 * What do all declarations of a function together say? Attributes are the children that a
 * declaration's cursor shows first. Two traps: an inherited attribute is shown again, at the place
 * of the earlier declaration that wrote it, so it is own only at a place that no earlier one had;
 * and attributes without a cursor kind of their own are told apart by how libclang prints the
 * declaration, which also sees through macros.
 */
#include <stdlib.h>
#include <string.h>

#include "analyzer/parse/clang_private.h"
#include "analyzer/parse/clang_types.h"

/* ---- the attributes of one declaration ---------------------------------------------------- */

struct attribute_visit {
    clang_unit *u;
    struct clang_attributes found;
};

static void note_annotation(struct attribute_visit *visit, CXCursor c)
{
    clang_unit *u = visit->u;
    CXString spelling = u->api->getCursorSpelling(c);
    const char *raw = u->api->getCString(spelling);
    strview text = sv_from(raw == NULL ? "" : raw);
    if (sv_is(text, "awaitc::async")) {
        visit->found.is_async = true;
        visit->found.async_at = u->api->getCursorLocation(c);
    } else if (sv_is(text, "awaitc::noescape")) {
        visit->found.is_noescape = true;
    } else if (sv_starts(text, "awaitc::need=")) {
        visit->found.need_bytes = (uint32_t)strtoul(text.at + sizeof "awaitc::need=" - 1, NULL, 10);
    }
    u->api->disposeString(spelling);
}

static enum CXChildVisitResult visit_attribute(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct attribute_visit *visit = data;
    clang_unit *u = visit->u;
    enum CXCursorKind kind = u->api->getCursorKind(c);
    if (kind < CXCursor_FirstAttr || kind > CXCursor_LastAttr)
        return CXChildVisit_Break;
    if (kind == CXCursor_AnnotateAttr)
        note_annotation(visit, c);
    else if (kind == CXCursor_AsmLabelAttr)
        visit->found.asm_name = clang_text(u, u->api->getCursorSpelling(c));
    else if (kind == CXCursor_ConstAttr)
        visit->found.bad = "const";
    else if (kind == CXCursor_PureAttr)
        visit->found.bad = "pure";
    else if (kind == CXCursor_UnexposedAttr)
        visit->found.has_unexposed = true;
    return CXChildVisit_Continue;
}

struct clang_attributes clang_attributes_of(clang_unit *u, CXCursor declared)
{
    struct attribute_visit visit = {.u = u};
    u->api->visitChildren(declared, visit_attribute, &visit);
    return visit.found;
}

/* ---- attributes without a kind ------------------------------------------------------------ */

/* Does a printed declaration hold `name` as a word outside of strings? */
static bool has_word(const char *printed, const char *name)
{
    size_t len = strlen(name);
    bool is_in_string = false;
    for (const char *p = printed; *p != '\0'; p++) {
        if (*p == '"')
            is_in_string = !is_in_string;
        else if (*p == '\\' && p[1] != '\0')
            p++;
        bool is_start = p == printed || !sv_is_word_char(p[-1]);
        if (!is_in_string && is_start && strncmp(p, name, len) == 0 && !sv_is_word_char(p[len]))
            return true;
    }
    return false;
}

/* Does it hold __attribute__((name...)) or [[...name...]]? */
static bool has_attribute(const char *printed, const char *name)
{
    static const char *const opens[] = {"__attribute__((", "[["};
    size_t len = strlen(name);
    for (size_t i = 0; i < sizeof opens / sizeof opens[0]; i++) {
        for (const char *p = strstr(printed, opens[i]); p != NULL; p = strstr(p, opens[i])) {
            p += strlen(opens[i]);
            if (strncmp(p, "gnu::", 5) == 0)
                p += 5;
            else if (strncmp(p, "clang::", 7) == 0)
                p += 7;
            if (strncmp(p, name, len) == 0 && !sv_is_word_char(p[len]))
                return true;
        }
    }
    return false;
}

const char *clang_print_declaration(clang_unit *u, CXCursor declared)
{
    CXPrintingPolicy policy = u->api->getCursorPrintingPolicy(declared);
    u->api->PrintingPolicy_setProperty(policy, CXPrintingPolicy_TerseOutput, 1);
    const char *text = clang_text(u, u->api->getCursorPrettyPrinted(declared, policy));
    u->api->PrintingPolicy_dispose(policy);
    return text;
}

static void read_unexposed(clang_unit *u, CXCursor declared, struct clang_function *f)
{
    static const char *const bad[] = {"alias",         "ifunc", "constructor", "destructor",
                                      "returns_twice", "naked", "weakref",     "interrupt"};
    const char *printed = clang_print_declaration(u, declared);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (has_attribute(printed, bad[i]))
            f->bad_attribute = bad[i];
    }
    if (has_word(printed, "_Noreturn") || has_attribute(printed, "noreturn") ||
        has_attribute(printed, "_Noreturn"))
        f->is_noreturn = true;
    const char *section = strstr(printed, "section(\"");
    if (section != NULL) {
        section += sizeof "section(\"" - 1;
        f->section = arena_strndup(u->mem, section, strcspn(section, "\""));
    }
}

/* ---- parameters that do not escape -------------------------------------------------------- */

struct noescape_function {
    const char *name;
    uint64_t params;
    bool returns_first;
};

static const struct noescape_function noescape_functions[] = {
#define NOESCAPE(name, params)       {name, params, false},
#define NOESCAPE_FIRST(name, params) {name, params, true},
#include "analyzer/parse/noescape_functions.def"
#undef NOESCAPE
#undef NOESCAPE_FIRST
};

static int compare_noescape(const void *key, const void *element)
{
    const strview *name = key;
    const struct noescape_function *f = element;
    int order = strncmp(name->at, f->name, name->len);
    return order != 0 ? order : (f->name[name->len] == '\0' ? 0 : -1);
}

static const struct noescape_function *find_noescape(strview name)
{
    return bsearch(&name, noescape_functions,
                   sizeof noescape_functions / sizeof noescape_functions[0],
                   sizeof noescape_functions[0], compare_noescape);
}

/* The table's line for a function or a form of it: __builtin_NAME, __NAME_chk, both. */
static const struct noescape_function *known_noescape(strview name)
{
    size_t prefix = sizeof "__builtin_" - 1;
    const struct noescape_function *f = find_noescape(name);
    if (f == NULL && sv_starts(name, "__builtin_")) {
        name = (strview){name.at + prefix, name.len - prefix};
        f = find_noescape(name);
    }
    if (f == NULL && sv_starts(name, "__") && sv_ends(name, "_chk") && name.len > 6)
        f = find_noescape((strview){name.at + 2, name.len - 6});
    return f;
}

/* Notes what the declaration's parameters say; bits of *async are the async ones. */
static void read_params(clang_unit *u, CXCursor declared, struct clang_function *f, uint64_t *async)
{
    int count = u->api->Cursor_getNumArguments(declared);
    for (int i = 0; i < count && i < 64; i++) {
        CXCursor param = u->api->Cursor_getArgument(declared, (unsigned)i);
        if (!u->api->Cursor_hasAttrs(param))
            continue;
        struct clang_attributes a = clang_attributes_of(u, param);
        if (a.is_noescape ||
            (a.has_unexposed && has_attribute(clang_print_declaration(u, param), "noescape")))
            f->noescape_params |= UINT64_C(1) << i;
        if (a.is_async)
            *async |= UINT64_C(1) << i;
    }
}

/* ---- all declarations of one function ----------------------------------------------------- */

struct place {
    CXFile file;
    unsigned offset;
};

struct function_read {
    clang_unit *u;
    struct clang_function *f;
    uint64_t async_params;
    VEC(struct place) async_at; /* where earlier declarations show `async` */
};

static struct place place_of(const clang_unit *u, CXSourceLocation at)
{
    struct place p = {0};
    u->api->getFileLocation(at, &p.file, NULL, NULL, &p.offset);
    return p;
}

/* Is the declaration in a header of the runtime's own? */
static bool is_own_header(clang_unit *u, struct place at)
{
    if (at.file == NULL || at.file == u->main_file)
        return false;
    const char *path = clang_text(u, u->api->getFileName(at.file));
    return strstr(path, "/awaitc/") != NULL || sv_ends(sv_from(path), "/awaitc.h");
}

/* Does this declaration have `async` written at itself? */
static bool is_async_itself(struct function_read *read, const struct clang_attributes *a)
{
    if (!a->is_async)
        return false;
    struct place at = place_of(read->u, a->async_at);
    for (size_t i = 0; i < read->async_at.count; i++) {
        if (read->async_at.at[i].file == at.file && read->async_at.at[i].offset == at.offset)
            return false;
    }
    VEC_PUSH(read->u->mem, &read->async_at, at);
    return true;
}

/* Does the type's own spelling end in the noreturn attribute? */
static bool type_is_noreturn(clang_unit *u, CXType type)
{
    return sv_ends(sv_from(clang_text(u, u->api->getTypeSpelling(type))),
                   "__attribute__((noreturn))");
}

static void read_attributes(struct function_read *read, CXCursor declared, struct place at)
{
    clang_unit *u = read->u;
    struct clang_function *f = read->f;
    struct clang_attributes a = {0};
    if (u->api->Cursor_hasAttrs(declared))
        a = clang_attributes_of(u, declared);
    bool is_async = type_get(clang_types_table(u->types), f->type)->is_async;
    if (a.is_async || is_async)
        f->is_async = true;
    if (!is_async_itself(read, &a) && !is_async && !is_own_header(u, at) && at.file != NULL)
        f->is_plain_too = true;
    if (a.need_bytes != 0)
        f->leaf_need_bytes = a.need_bytes;
    if (a.asm_name != NULL)
        f->asm_name = a.asm_name;
    if (a.bad != NULL)
        f->bad_attribute = a.bad;
    if (a.has_unexposed)
        read_unexposed(u, declared, f);
}

static void read_redecl(struct function_read *read, CXCursor declared)
{
    clang_unit *u = read->u;
    struct clang_function *f = read->f;
    CXSourceLocation location = u->api->getCursorLocation(declared);
    struct place at = place_of(u, location);
    uint32_t offset = at.file == u->main_file && at.file != NULL ? at.offset : NO_OFFSET;
    if (offset != NO_OFFSET && f->first_offset == NO_OFFSET)
        f->first_offset = offset;
    f->is_static |= u->api->Cursor_getStorageClass(declared) == CX_SC_Static;
    f->is_inline |= u->api->Cursor_isFunctionInlined(declared) != 0;
    if (at.file != NULL && !u->api->Location_isInSystemHeader(location))
        f->in_system_header_only = false;
    CXType type = u->api->getCursorType(declared);
    f->is_noreturn |= type_is_noreturn(u, type);
    bool is_definition = u->api->isCursorDefinition(declared) != 0;
    if (is_definition) {
        f->is_defined = true;
        f->definition_offset = offset;
    }
    f->type = clang_types_of(u, type);
    read_attributes(read, declared, at);
    read_params(u, declared, f, &read->async_params);
}

const struct clang_function *clang_function_of(clang_unit *u, struct clang_entry *entry)
{
    if (entry->known != NULL)
        return entry->known;
    struct clang_function *f = ARENA_NEW(u->mem, struct clang_function);
    struct function_read read = {.u = u, .f = f};
    f->name = entry->name;
    f->definition_offset = NO_OFFSET;
    f->first_offset = NO_OFFSET;
    f->in_system_header_only = true;
    for (struct clang_redecl *r = entry->first; r != NULL; r = r->next)
        read_redecl(&read, r->cursor);
    const struct noescape_function *known = known_noescape(entry->name);
    bool is_librarys = f->in_system_header_only || (!f->is_defined && !f->is_static);
    if (known != NULL && is_librarys && !f->is_async) {
        f->noescape_params |= known->params;
        f->returns_first_param = known->returns_first;
    }
    f->type = clang_types_with_async_params(u, f->type, read.async_params);
    if (f->is_async)
        f->type = clang_types_as_async(u, f->type);
    entry->known = f;
    return f;
}

/* ---- the interface ------------------------------------------------------------------------ */

const struct clang_function *clang_unit_function(const clang_unit *u, strview name)
{
    struct clang_entry *entry = clang_index_find(u, name);
    return entry == NULL ? NULL : clang_function_of(u->self, entry);
}

const struct clang_function *const *clang_unit_async_functions(const clang_unit *u, uint32_t *count)
{
    *count = (uint32_t)u->async_entries.count;
    const struct clang_function **all =
        ARENA_ARRAY(u->mem, const struct clang_function *, *count + 1);
    for (uint32_t i = 0; i < *count; i++)
        all[i] = clang_function_of(u->self, u->async_entries.at[i]);
    return all;
}
