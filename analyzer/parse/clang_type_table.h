/* SPDX-License-Identifier: MIT */
/*
 * How does a type get into the table, and how is it spelled? Parts first, whole after: a type is
 * described by its parts' numbers, spelled from their text, and looked up before it is added.
 */
#ifndef AWAITC_PARSE_CLANG_TYPE_TABLE_H
#define AWAITC_PARSE_CLANG_TYPE_TABLE_H

#include "analyzer/parse/clang_types.h"

struct clang_types {
    type_table table;
    uint64_t *identity; /* per type: tells apart what is described and spelled alike */
    uint32_t identity_capacity;
    uint64_t pointer_bytes;
    struct clang_map id_of_hash; /* of a description */
    struct clang_map id_of_type; /* of libclang's type */
    struct clang_map typedefs;   /* of a typedef's declaration: enum typedef_flag */
};

/* Adds a type, or finds it. `unqualified` and `canonical` of a new one are itself. */
type_id clang_type_intern(struct clang_types *types, const struct type *t, uint64_t identity,
                          bool *is_new);

/* The type that points to `elem`. */
type_id clang_type_pointer_to(struct clang_types *types, type_id elem);
/* The type with these qualifiers added (an array's go to its elements). */
type_id clang_type_qualified(struct clang_types *types, type_id id, bool is_const, bool is_volatile,
                             bool is_restrict);
/* An array as `like`, of other elements, without a name. */
type_id clang_type_array_like(struct clang_types *types, type_id like, type_id elem);

/* Sets is_nameable, before, after from the parts and the qualifiers. */
void clang_spell_base(struct clang_types *types, struct type *t, const char *text);
void clang_spell_pointer(struct clang_types *types, struct type *t);
void clang_spell_array(struct clang_types *types, struct type *t);
void clang_spell_function(struct clang_types *types, struct type *t);
void clang_spell_wrapped(struct clang_types *types, struct type *t, const char *open,
                         const char *close);

#endif
