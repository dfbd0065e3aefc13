/* SPDX-License-Identifier: MIT */
/*
 * What does the tool know of a C type? What the target's layout and the emitted text need: its
 * class, size and alignment, its parts, and how to spell a declaration of it. Types live in one
 * table per translation unit and are named by index; no parser handle outlives the parse.
 *
 * Spelling: a declaration of `x` of type t is  t.before  "x"  t.after  ("int (*" x ")[3]").
 */
#ifndef AWAITC_IR_TYPES_H
#define AWAITC_IR_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/base/vec.h"

typedef uint32_t type_id; /* index into type_table; 0 is "not known" */
#define TYPE_NONE ((type_id)0)

enum type_class {
    TYPE_UNKNOWN,
    TYPE_VOID,
    TYPE_BOOL,
    TYPE_INT, /* character, integer, __int128, _BitInt */
    TYPE_ENUM,
    TYPE_FLOAT, /* every real floating type */
    TYPE_COMPLEX,
    TYPE_POINTER,
    TYPE_NULLPTR,
    TYPE_ARRAY,
    TYPE_FUNCTION,
    TYPE_RECORD, /* struct, union */
    TYPE_VECTOR,
    TYPE_ATOMIC
};

struct type {
    enum type_class cls; /* of the canonical type */
    bool is_unsigned;
    bool is_const, is_volatile, is_restrict; /* top level */
    bool is_complete; /* size_bytes is known; a flexible or unknown bound is not complete */
    bool is_variable; /* a VLA or a type made from one */
    bool is_nameable; /* `before`/`after` mean the same at file scope */
    bool is_async;    /* a function, or pointer(s)/array to one, async by typedef or declaration */
    bool is_variadic, has_prototype; /* functions */
    bool is_union;
    bool has_const_member;                   /* records and arrays of them: cannot be assigned */
    uint64_t size_bytes, align_bytes, count; /* count: elements of an array or vector */
    type_id elem;        /* pointee, element, result, value of an atomic, part of a complex */
    type_id unqualified; /* the same type without top-level qualifiers (may be itself) */
    type_id canonical;   /* the same type without typedefs (may be itself): equal for equal types */
    type_id *params;     /* functions: adjusted and unqualified */
    uint32_t param_count;
    const char *before, *after; /* spelling with qualifiers; NULL where it has none at all */
};

typedef struct type_table {
    arena *mem;
    VEC(struct type) types; /* at[0] is the unknown type */
} type_table;

static inline const struct type *type_get(const type_table *table, type_id id)
{
    return &table->types.at[id];
}

/* Arithmetic or pointer: fits a C local that is spilled and reloaded by assignment. */
bool type_is_scalar(const type_table *table, type_id id);

/* The text of a declaration of `name` (may be "") of the unqualified type. */
const char *type_declare(const type_table *table, arena *mem, type_id id, const char *name);

#endif
