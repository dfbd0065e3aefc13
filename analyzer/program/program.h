/* SPDX-License-Identifier: MIT */
/*
 * What do the facts of all sources say together? They are joined into one graph: calls meet the
 * functions that they name, pointers the functions that are stored in them, callbacks the loops
 * that run them. Then effects flow up the calls ("may wait for the network"), contexts down ("runs
 * on a loop").
 *
 *     facts of a.c  \
 *     facts of b.c   >  functions, edges  ->  contexts  ->  effects  ->  checks  ->  findings
 *     known facts   /
 */
#ifndef AWAITC_PROGRAM_PROGRAM_H
#define AWAITC_PROGRAM_PROGRAM_H

#include <stdio.h>

#include "analyzer/program/known_blocking.h"
#include "analyzer/program/lint_settings.h"
#include "analyzer/program/unit_facts.h"

typedef struct program program;
typedef struct program_function program_function;

/* In which contexts is a function run? */
enum run_context {
    CONTEXT_TASK = 1,   /* it is async, or called from what is */
    CONTEXT_LOOP = 2,   /* a callback of a loop, or called from one */
    CONTEXT_POOL = 4,   /* a job of a pool, or called from one */
    CONTEXT_THREAD = 8, /* a thread's entry, or called from one */
    CONTEXT_SIGNAL = 16
};

/* What is a call to an event loop that the program wrote itself? */
enum main_loop_part {
    MAIN_LOOP_NONE,
    MAIN_LOOP_WAITS, /* the loop's own wait is in it, perhaps with what it serves */
    MAIN_LOOP_SERVES /* made in each round, as a callback would be */
};

/* A call with what it may reach. */
struct program_call {
    const struct fact_call *fact;
    program_function *caller;
    program_function **callees; /* those with bodies; [callee_count] */
    uint32_t callee_count;
    const struct known_blocking *known; /* of the name, if nobody defines it; NULL */
    enum main_loop_part in_main_loop;
};

struct program_function {
    const struct fact_function *fact;
    const struct unit_facts *unit;
    unsigned contexts;          /* enum run_context */
    bool is_root;               /* async, or itself a callback of a loop */
    const char *root_words;     /* "async function", "callback of uv_read_start"; NULL */
    strview root_library;       /* of the loop whose callback it is; empty: of none that is known */
    struct program_call *calls; /* [call_count], in the order of the source */
    uint32_t call_count;
    VEC(struct program_call *) callers;
    bool address_taken; /* anywhere in the program */
    uint32_t index;
    void *effects; /* block_effects.h */
};

/*
 * Joins. Everything is in `mem`; facts and settings are borrowed.
 */
program *program_join(arena *mem, struct unit_facts *const *units, uint32_t unit_count,
                      const struct lint_settings *settings);

program_function **program_functions(const program *p, uint32_t *count);
/* The function that a name means in a source (its own static one first); NULL. */
program_function *program_find(const program *p, const struct unit_facts *unit, const char *name);
struct unit_facts *const *program_units(const program *p, uint32_t *count);
const struct lint_settings *program_settings(const program *p);
arena *program_arena(const program *p);

/* The findings of all checks, those of candidates included that count. */
finding_list *program_findings(program *p);
/* Adds a finding. */
struct finding *program_report(program *p, const char *rule, enum diag_severity severity,
                               const struct program_call *at, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* The same at a place that is no call; function: around it, NULL at file scope. */
struct finding *program_report_at(program *p, const char *rule, enum diag_severity severity,
                                  const struct diag_place *place, const char *function,
                                  const char *text);

/* Lists the functions that are called on loops and in tasks, that nobody defines and of which
 * nothing is known, with the number of their call sites, most first. */
void program_audit(const program *p, FILE *to);

#endif
