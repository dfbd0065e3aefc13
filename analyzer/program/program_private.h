/* SPDX-License-Identifier: MIT */
/*
 * What do the files of the join share? Nobody else includes this.
 *
 *     program.c      functions by name, calls to callees, findings
 *     pointers.c     which functions a field, a global or a parameter may point to; callbacks
 *     contexts.c     who runs on a loop, a pool, a thread
 *     main_loops.c   event loops that the program wrote itself
 *     descriptors.c  in which mode is the descriptor that a value names
 *     guards.c       does a guard hold of a call
 *     block_effects.c      what a call may wait for in the end
 */
#ifndef AWAITC_PROGRAM_PROGRAM_PRIVATE_H
#define AWAITC_PROGRAM_PROGRAM_PRIVATE_H

#include "analyzer/base/bitset.h"
#include "analyzer/base/word_set.h"
#include "analyzer/program/known_callbacks.h"
#include "analyzer/program/known_descriptors.h"
#include "analyzer/program/program.h"

struct function_list {
    VEC(program_function *) all;
};

/* The functions of a name. Many sources have a static function `init`, so those are found by their
 * source; the others, which all sources may call, are few. */
struct named_functions {
    VEC(program_function *) own;    /* defined in a source, not in a header; by unit number */
    VEC(program_function *) shared; /* not static, of a header, or only stated */
};

/* A call that fills in descriptors, and the row that says so. */
struct made {
    const struct program_call *call; /* NULL: none */
    const struct known_descriptor *row;
};

/* What is stored under a key. */
struct stored {
    program_function *function; /* in which the value is to be read; NULL: a static initialiser */
    const struct value *value;
};

struct key_info {
    const char *key;
    VEC(struct stored) stores;
    VEC(struct made) made;
    struct function_list targets; /* functions that may be in it */
    bool set_nonblocking;
    uint8_t mode; /* enum fd_mode, once `mode_known` */
    bool mode_known, is_busy;
};

/* What is known of a parameter from those who call. */
struct param_info {
    struct function_list targets;
    const struct known_callback *callback; /* what is passed here becomes such a callback */
    struct made made;                      /* the function fills in descriptors here */
    bool set_nonblocking;                  /* the function switches its descriptor */
    uint8_t mode;
    bool mode_known, is_busy;
    bool is_watched; /* the loop hands over the descriptor that it watches */
    VEC(struct stored) watched;
};

struct function_extra {
    struct param_info *params;             /* [fact->param_count] */
    const struct known_callback *callback; /* it is one; NULL */
    const struct program_call *registered; /* where; NULL */
    uint8_t return_mode;
    bool return_known, return_busy;
    bool is_loop_callback;
};

struct program {
    arena *mem;
    const struct lint_settings *settings;
    struct unit_facts *const *units;
    uint32_t unit_count;
    VEC(program_function *) functions;
    VEC(struct function_extra *) extras; /* by function index */
    word_set names;                      /* value: 1 + index into by_name */
    VEC(struct named_functions) by_name;
    word_set keys; /* value: 1 + index into key_infos */
    VEC(struct key_info *) key_infos;
    word_set addresses; /* names of functions whose address is taken */
    word_set called;    /* names of functions that somebody calls */
    word_set marks;     /* of all sources */
    finding_list findings;
    bool effects_done;
};

struct function_extra *program_extra(const program *p, const program_function *f);
/* NULL unless `create`. */
struct key_info *program_key(program *p, const char *key, bool create);
void function_list_add(arena *mem, struct function_list *list, program_function *f, bool *changed);

void program_resolve_pointers(program *p);
void program_find_contexts(program *p);
void program_find_main_loops(program *p);

#endif
