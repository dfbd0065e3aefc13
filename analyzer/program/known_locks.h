/* SPDX-License-Identifier: MIT */
/*
 * Which calls take and release locks? The table rules/data/locks.tsv.
 */
#ifndef AWAITC_PROGRAM_KNOWN_LOCKS_H
#define AWAITC_PROGRAM_KNOWN_LOCKS_H

#include "analyzer/program/fact_table.h"
#include "analyzer/program/known_facts.h"
#include "analyzer/program/known_place.h"

enum lock_action {
    LOCK_TAKE,  /* waits until it has it */
    LOCK_TRY,   /* takes it if it is free */
    LOCK_TIMED, /* waits until it has it or a time has passed */
    LOCK_RELEASE,
    LOCK_WAIT /* a condition's wait: releases it, waits, takes it again */
};

enum lock_kind {
    LOCK_THREAD, /* belongs to the thread that took it */
    LOCK_SPIN,   /* the same, and burns CPU while it waits */
    LOCK_ASYNC   /* belongs to a task: may be held across an await */
};

enum lock_success { LOCK_ALWAYS, LOCK_IF_ZERO, LOCK_IF_NONZERO };

struct known_lock {
    struct fact_key key;
    enum lock_action action;
    enum lock_kind kind;
    struct known_place lock;   /* where the lock stands in the call */
    enum lock_success success; /* which result says that it was taken */
    bool shared;               /* taken with other readers */
    strview library;
};

/* The row of a function, NULL if it is none of locks. */
const struct known_lock *known_lock_find(const known_facts *facts, strview function);

#endif
