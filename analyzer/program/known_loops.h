/* SPDX-License-Identifier: MIT */
/*
 * Which functions run an event loop, or drive async work synchronously? The table
 * rules/data/loops.tsv.
 */
#ifndef AWAITC_PROGRAM_KNOWN_LOOPS_H
#define AWAITC_PROGRAM_KNOWN_LOOPS_H

#include "analyzer/program/fact_table.h"
#include "analyzer/program/known_facts.h"
#include "analyzer/program/known_guard.h"
#include "analyzer/program/known_place.h"

enum loop_kind {
    LOOP_RUN,   /* dispatches callbacks until the loop ends */
    LOOP_ONCE,  /* dispatches what is ready, once */
    LOOP_DRIVE, /* waits until one piece of async work is done */
    LOOP_WAIT   /* waits for events of many descriptors, and runs nothing */
};

struct known_loop {
    struct fact_key key;
    enum loop_kind kind;
    struct known_place loop; /* the loop, NONE: the default one */
    struct guard quick;      /* when it does not wait; callbacks still run */
    strview end;             /* the call that ends it, for messages; "-" */
    strview library;
};

/* The row of a function, NULL if it runs no loop. */
const struct known_loop *known_loop_find(const known_facts *facts, strview function);

/* The row of a function that waits for events of many descriptors; NULL if it is none. */
const struct known_loop *known_wait_find(const known_facts *facts, strview function);

#endif
