/* SPDX-License-Identifier: MIT */
/*
 * What do the files of the libclang adaptor share? The unit with its tables. Only clang_*.c
 * includes this; it is also the only place where libclang's handles may be kept.
 *
 *     clang_unit     parses, answers                clang_index     file-scope names, errors
 *     clang_types    CXType -> type_id              clang_region    cursors of a body -> tables
 *     clang_function redeclarations -> one record   clang_annotate  tables -> tree
 *     clang_contract async and plain kept apart
 */
#ifndef AWAITC_PARSE_CLANG_PRIVATE_H
#define AWAITC_PARSE_CLANG_PRIVATE_H

#include "analyzer/base/vec.h"
#include "analyzer/parse/clang_load.h"
#include "analyzer/parse/clang_map.h"
#include "analyzer/parse/clang_unit.h"

#define NO_OFFSET UINT32_MAX

/* One declaration of a file-scope function. */
struct clang_redecl {
    CXCursor cursor;
    struct clang_redecl *next; /* the later one */
};

/* A file-scope function; `known` is made when it is first asked for. */
struct clang_entry {
    strview name;
    struct clang_redecl *first, *last;
    struct clang_entry *next_of_hash;
    bool is_async;
    const struct clang_function *known;
};

struct clang_typedef {
    strview name;
    uint32_t offset; /* in the buffer, after which it is known; 0: from the start */
    struct clang_typedef *next_of_hash;
};

/* A declaration that a region makes or refers to. */
struct clang_decl {
    CXCursor cursor;
    enum CXCursorKind kind;
    uint32_t offset;   /* of the name in the buffer; NO_OFFSET: elsewhere */
    bool is_in_region; /* visited as a declaration of a region */
    bool is_async;     /* its own attribute, or its type's */
    bool is_invalid;
    bool is_thread_local;
    bool is_extern; /* a block-scope function or extern variable */
    bool is_bitfield;
    uint8_t bitfield_bits;
    type_id type; /* parameters decayed */
    struct clang_entry *function;
};

/* What libclang knows about one extent. */
struct clang_expr {
    type_id converted; /* of the outermost cursor */
    type_id type;      /* of the outermost one that is no implicit conversion, else the innermost */
    bool is_exact;     /* `type` is of a cursor with a kind of its own */
    bool is_converted; /* an unexposed cursor stands around it */
};

/* The operators that libclang has at one await mark. */
struct clang_await {
    CXCursor cursor;
    uint32_t count; /* different ones */
};

/* One region: the function cursor whose name stands in it. */
struct clang_region {
    struct clang_range range;
    CXCursor function;
    bool is_found;
};

/* An own attribute, with what of it matters (clang_function.c). */
struct clang_attributes {
    bool is_async, is_noescape, has_unexposed;
    CXSourceLocation async_at;
    uint32_t need_bytes;
    const char *asm_name;
    const char *bad;
};

struct clang_types; /* clang_types.h */

struct clang_unit {
    clang_unit *self; /* questions to a const unit fill in what was not yet asked for */
    arena *mem;
    const struct clang_api *api;
    CXIndex index;
    CXTranslationUnit tu;
    CXFile main_file;
    strview buffer;
    struct clang_region *regions;
    uint32_t region_count;
    struct clang_types *types;
    VEC(struct clang_error) errors;
    struct clang_error dropped; /* the first that is not among them */

    struct clang_map entry_of_hash; /* -> entries, 1-based, first of that hash */
    VEC(struct clang_entry *) entries;
    struct clang_map typedef_of_hash; /* -> typedefs, 1-based */
    VEC(struct clang_typedef *) typedefs;
    VEC(struct clang_entry *) async_entries;
    VEC(CXCursor)
    own_decls; /* functions and variables of file scope, not those of system headers */

    struct clang_map decl_of_cursor; /* -> decls, 1-based */
    VEC(struct clang_decl) decls;
    struct clang_map declared_at; /* offset of a declared name -> decls */
    struct clang_map ref_at;      /* offset of a used name -> decls */
    struct clang_map expr_at;     /* extent -> exprs, 1-based */
    VEC(struct clang_expr) exprs;
    struct clang_map await_at;     /* offset of an await mark -> awaits, 1-based */
    struct clang_map extension_at; /* offset of an __extension__ that the user wrote -> 1 */
    VEC(struct clang_await) awaits;
};

/* clang_text.c */

/* The text, in the unit's arena; disposes of the string. Never NULL. */
const char *clang_text(clang_unit *u, CXString text);
/* Does the string equal `text`? Disposes of it. */
bool clang_text_is(const clang_unit *u, CXString string, const char *text);
/* Offset of a place in the buffer, or NO_OFFSET. */
uint32_t clang_offset(const clang_unit *u, CXSourceLocation at);
/* A cursor's extent in the buffer; false if it is not there or is empty. */
bool clang_extent(const clang_unit *u, CXCursor c, struct clang_range *extent);

/* clang_index.c */

/* Visits the whole unit once: file-scope names and the bodies of the regions. */
void clang_index_unit(clang_unit *u);
/* The entry of a function, made from `declared` if there is none yet. */
struct clang_entry *clang_index_entry(clang_unit *u, CXCursor declared, bool is_redecl);
struct clang_entry *clang_index_find(const clang_unit *u, strview name);
/* Index of the region that holds this offset, or region_count. */
uint32_t clang_index_region(const clang_unit *u, uint32_t offset);

/* clang_function.c */

/* Reads the attributes that stand at a declaration (inherited ones, too). */
struct clang_attributes clang_attributes_of(clang_unit *u, CXCursor declared);
/* The declaration in print, without its body. */
const char *clang_print_declaration(clang_unit *u, CXCursor declared);
/* All that is known of a function. */
const struct clang_function *clang_function_of(clang_unit *u, struct clang_entry *entry);

/* clang_region.c */

/* Visits a function of a region. */
void clang_region_visit(clang_unit *u, CXCursor function);
static inline uint64_t clang_extent_key(struct clang_range r)
{
    return (uint64_t)r.begin << 32 | r.end;
}
/* What is known at a place, or NULL. */
const struct clang_decl *clang_region_ref(const clang_unit *u, uint32_t offset);
const struct clang_decl *clang_region_declared(const clang_unit *u, uint32_t offset);
bool clang_region_is_async(const struct clang_decl *d);

/* clang_unit.c */

void clang_unit_error(clang_unit *u, uint32_t offset, const char *text);

#endif
