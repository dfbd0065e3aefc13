/* SPDX-License-Identifier: MIT */
/*
 * What is the async IR (AIR)? One function as a control-flow graph of the few events that matter
 * to suspension: which locals are read, written, lent, let go; where the function awaits. The
 * lowering, the diagrams and the linter share it; it is built from the syntax tree after
 * flatten_awaits, or read from text, so analyses are tested without a parser.
 *
 *     func copy {
 *       scope 0
 *       scope 1 in 0
 *       local 0 param from  "int" size 4 align 4 scalar scope 0
 *       local 1 var   buf   "char[4096]" size 4096 align 1 scope 1
 *       local 2 temp  t1    "long" size 8 align 8 scalar scope 1
 *       block 0:
 *         begin 1
 *         lend 1 @3:9
 *         goto 1
 *       block 1:
 *         use 0
 *         await 1 "aw_read" hold 1 cancel 4 @5:17
 *         def 2
 *         branch 2 3
 *       ...
 *     }
 *
 * Invariants (air_verify): block 0 is the entry and has no predecessors; every block ends in
 * exactly one terminator; the awaits have the numbers 1..n, in any order; each local and block and
 * scope named exists; a `cancel` target, if any, is a block; scopes form a tree; alignments are
 * powers of two. A block that nothing reaches is sound, and counts for nothing.
 *
 * Order: ops stand in the order of evaluation. BEGIN stands in front of the ops of the initialiser;
 * the ops of an await's operands in front of it, DEF of its result behind it. A temporary needs no
 * BEGIN; one that gets an END may share its room from there on.
 */
#ifndef AWAITC_IR_AIR_H
#define AWAITC_IR_AIR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "analyzer/base/strbuf.h"
#include "analyzer/base/strview.h"
#include "analyzer/base/vec.h"

#define AIR_NONE UINT32_MAX

enum air_op_kind {
#define AIR_OP(name, text, operands, what) AIR_##name,
#include "analyzer/ir/air_ops.def"
#undef AIR_OP
    AIR_OP_COUNT
};

enum air_local_kind { AIR_PARAM, AIR_VAR, AIR_TEMP };

struct air_local {
    enum air_local_kind kind;
    strview name; /* as the user wrote it; temps: "t1" */
    strview type; /* for people */
    uint64_t size_bytes, align_bytes;
    bool is_scalar; /* may stay a C local that is spilled and reloaded around awaits */
    uint32_t scope;
    uint32_t line, column; /* of its declaration; 0: none */
};

struct air_op {
    enum air_op_kind kind;
    uint32_t local;  /* USE .. END; AIR_NONE else */
    uint32_t await;  /* AWAIT: its number, from 1 */
    uint32_t cancel; /* AWAIT: block where a cancel goes on (clean-ups), or AIR_NONE */
    strview callee;  /* AWAIT: for people */
    uint32_t *holds; /* AWAIT: locals whose address is lent to the callee until it returns */
    uint32_t hold_count;
    uint32_t *targets; /* terminators: blocks */
    uint32_t target_count;
    uint32_t line, column;
};

struct air_block {
    VEC(struct air_op) ops; /* the last one is the terminator */
};

struct air_scope {
    uint32_t parent; /* AIR_NONE: outermost */
};

typedef struct air_func {
    arena *mem;
    strview name;
    VEC(struct air_local) locals;
    VEC(struct air_scope) scopes;
    VEC(struct air_block) blocks;
    uint32_t await_count;
} air_func;

/* Text <-> IR; what air_print writes, air_read reads back equal. */
void air_print(const air_func *fn, strbuf *out);
/* NULL with *error (text with a line number) if the text is not AIR. Checks the form only; whether
 * it makes sense says air_verify. */
air_func *air_read(arena *mem, strview text, const char **error);

/* NULL, or which invariant is broken, where. */
const char *air_verify(const air_func *fn, arena *mem);

/* Is it the end of a block? */
bool air_op_is_terminator(enum air_op_kind kind);

#endif
