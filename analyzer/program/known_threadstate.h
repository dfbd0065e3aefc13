/* SPDX-License-Identifier: MIT */
/*
 * Which functions answer with static storage, or with something that belongs to the thread? The
 * table rules/data/threadstate.tsv.
 */
#ifndef AWAITC_PROGRAM_KNOWN_THREADSTATE_H
#define AWAITC_PROGRAM_KNOWN_THREADSTATE_H

#include "analyzer/program/fact_table.h"
#include "analyzer/program/known_facts.h"
#include "analyzer/program/known_place.h"

enum threadstate_kind {
    THREADSTATE_STATIC,   /* the result points to storage that the next call overwrites */
    THREADSTATE_POSITION, /* a hidden position is kept from call to call (strtok) */
    THREADSTATE_VALUE,    /* the result is the thread's: its id, its own copy of something */
    THREADSTATE_ADDRESS   /* the result points to storage of the thread (errno) */
};

struct known_threadstate {
    struct fact_key key;
    enum threadstate_kind kind;
    struct known_place where; /* where the pointer or value comes out */
    strview storage;          /* functions with the same word here overwrite each other */
    strview instead;          /* the safe call, in words; "-" */
    strview library;
};

/* The row of a function, NULL if it keeps no such state. */
const struct known_threadstate *known_threadstate_find(const known_facts *facts, strview function);

#endif
