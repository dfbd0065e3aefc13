/* SPDX-License-Identifier: MIT */
/*
 * Does a guard of the facts hold of a call, so that it does not wait? By the values of its
 * arguments, the modes of descriptors, set-up calls and queries, as far as they are known.
 */
#ifndef AWAITC_PROGRAM_GUARDS_H
#define AWAITC_PROGRAM_GUARDS_H

#include "analyzer/program/known_guard.h"
#include "analyzer/program/program.h"

enum guard_answer {
    GUARD_FAILS,   /* for sure */
    GUARD_HOLDS,   /* for sure */
    GUARD_DEPENDS, /* on what the caller of the function passes */
    GUARD_UNSURE,  /* a flag, a pointer or a descriptor's mode is not known: often it holds */
    GUARD_UNKNOWN  /* a number is not known: mostly it fails */
};

/* A value, and the function in which it is to be read. */
struct bound_value {
    program_function *function; /* NULL: a static initialiser */
    struct value value;
};

/* The guard of a call by its own arguments. */
enum guard_answer guard_holds(program *p, const struct program_call *call,
                              const struct guard *guard);

/*
 * The guard of `leaf` with other values for its arguments: those that hold for one way of calling
 * the functions above it.
 */
enum guard_answer guard_holds_with(program *p, const struct program_call *leaf,
                                   const struct guard *guard, const struct bound_value *args,
                                   uint32_t arg_count);

/* The same at the end of a way: nobody else says what a parameter is, DEPENDS is not answered. */
enum guard_answer guard_holds_at_last(program *p, const struct program_call *leaf,
                                      const struct guard *guard, const struct bound_value *args,
                                      uint32_t arg_count);

#endif
