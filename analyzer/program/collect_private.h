/* SPDX-License-Identifier: MIT */
/*
 * What do the files of the walk share? collect.c looks at each node by itself, collect_ways.c at
 * the ways on which control reaches a call, collect_when.c at the statements around it,
 * collect_loops.c at the endless loops that it stands in.
 */
#ifndef AWAITC_PROGRAM_COLLECT_PRIVATE_H
#define AWAITC_PROGRAM_COLLECT_PRIVATE_H

#include "analyzer/program/lint_settings.h"
#include "analyzer/program/unit_facts.h"
#include "analyzer/program/value_of.h"
#include "analyzer/syntax/node_table.h"

struct collect {
    arena *mem;
    sema_unit *sema;
    const struct lint_settings *settings;
    struct unit_facts *facts;
    const struct sema_function *fn;
    const struct local_uses *uses;
    struct fact_function *function;
    bool in_function;
    VEC(const ast_node *) calls; /* of fn; the same numbers as function->calls */
    struct node_table blocks;    /* of fn, collect_when.c: struct block_ways */
    struct node_table loops;     /* of fn, collect_when.c: struct loop_steps */
    uint8_t asks_for_eagain;     /* of fn: 0 not known yet, 1 no, 2 yes */
};

struct value collect_value(struct collect *c, const ast_node *n);
void collect_store(struct collect *c, const char *key, const ast_node *value,
                   struct diag_place place);

/* Adds to each call of the function the conditions on parameters under which it is made, and
 * whether it is repeated until all of its size is done. */
void collect_when(struct collect *c);

/* Numbers the calls that stand in an endless loop of the function. */
void collect_loops(struct collect *c);

/* Adds to each call of the function the thread locks that are held there on every way, and whether
 * the program ends behind it. */
void collect_ways(struct collect *c);

/* The same for the calls that only the child of a fork makes. (collect_child.c) */
void collect_child(struct collect *c);

#endif
