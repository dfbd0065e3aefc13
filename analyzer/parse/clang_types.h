/* SPDX-License-Identifier: MIT */
/*
 * What is a type of libclang's in the tool's table? Equal types that are spelled alike and agree
 * in being async are one entry.
 */
#ifndef AWAITC_PARSE_CLANG_TYPES_H
#define AWAITC_PARSE_CLANG_TYPES_H

#include "analyzer/parse/clang_private.h"

/* An empty table for a unit whose translation unit is there. */
struct clang_types *clang_types_new(clang_unit *u);

type_table *clang_types_table(struct clang_types *types);
uint64_t clang_types_pointer_bytes(const struct clang_types *types);

/* The entry of a type; TYPE_NONE for no type. */
type_id clang_types_of(clang_unit *u, CXType type);

/* The entry of a parameter's or operand's type: an array becomes a pointer to its element, a
 * function a pointer to it, another type stays. */
type_id clang_types_decayed(clang_unit *u, type_id id);

/* The same type, async. */
type_id clang_types_as_async(clang_unit *u, type_id id);

/* The function type with the parameters of these bits async. */
type_id clang_types_with_async_params(clang_unit *u, type_id id, uint64_t params);

#endif
