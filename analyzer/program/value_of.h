/* SPDX-License-Identifier: MIT */
/*
 * What can be told of an expression's value without running? Constants, parameters, results of
 * calls, fields and globals, seen through locals that are given one value only. A small value flow:
 * it follows no branches, and says "not known" where several values meet.
 *
 *     int fd = -1;  ...  fd = accept(s, 0, 0);   f(fd)      the result of accept, known as l:f.fd
 *     int flags = MSG_DONTWAIT;                  g(flags)   64
 */
#ifndef AWAITC_PROGRAM_VALUE_OF_H
#define AWAITC_PROGRAM_VALUE_OF_H

#include "analyzer/program/unit_facts.h"
#include "analyzer/sema/sema.h"

/* What a function's tree does with each of its locals. */
struct local_use {
    uint32_t assignments;  /* of a value that is no negative constant; its initialiser is one */
    const ast_node *value; /* of the last of them */
    uint32_t constants;    /* assignments of negative constants: "no descriptor yet" */
    bool address_taken;
    bool is_changed; /* by ++, --, +=, asm, or through its members */
};

struct local_uses {
    sema_unit *sema;
    const struct sema_function *fn;
    struct local_use *at; /* [declarations of the function] */
};

/* Looks at all of a function's locals, parameters included. */
struct local_uses *local_uses_of(arena *mem, sema_unit *sema, struct sema_function *fn);

/*
 * The value of an expression of the function.
 *
 * call_index  tells the number of a CALL node among the function's calls (VALUE_RESULT); UINT32_MAX
 *             where it has none.
 */
struct value value_of(arena *mem, const struct local_uses *uses, const ast_node *n,
                      uint32_t (*call_index)(const void *context, const ast_node *call),
                      const void *context);

/* The key under which the thing that an lvalue names is known: "record.field", "g:name",
 * "l:function.name"; NULL: it has none. */
const char *key_of(arena *mem, const struct local_uses *uses, const ast_node *lvalue);

#endif
