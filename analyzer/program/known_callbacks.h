/* SPDX-License-Identifier: MIT */
/*
 * Which functions run on an event loop, on a pool, on a thread of their own? Those that are handed
 * to a registration function, or assigned to a field, of rules/data/callbacks.tsv.
 *
 *     sd_event_add_io(e, &s, fd, EPOLLIN, on_input, session)
 *                            |            |         |
 *                            watched: 2   argument: 4, loop      user data: 5, becomes
 *     static int on_input(sd_event_source *s, int fd, uint32_t revents, void *data)
 *                                             received: 1               parameter 3
 */
#ifndef AWAITC_PROGRAM_KNOWN_CALLBACKS_H
#define AWAITC_PROGRAM_KNOWN_CALLBACKS_H

#include "analyzer/program/fact_table.h"
#include "analyzer/program/known_facts.h"
#include "analyzer/program/known_guard.h"
#include "analyzer/program/known_place.h"

/* Where a callback runs. */
enum callback_kind {
    CALLBACK_LOOP,   /* on an event loop: it must not block */
    CALLBACK_WORK,   /* on a thread of a pool: it may */
    CALLBACK_THREAD, /* on a thread of its own: it may */
    CALLBACK_SIGNAL, /* in a signal handler */
    CALLBACK_ATEXIT, /* when the process or thread ends */
    CALLBACK_INLINE  /* during the call that it is an argument of (qsort): as its caller */
};

struct known_callback {
    struct fact_key key;   /* name: "uv_read_start", or "ev_io.cb" */
    strview record, field; /* of a field fact, "ev_io" and "cb"; else empty */
    int argument;          /* of a function fact: 0-based, or GUARD_LAST */
    enum callback_kind kind;
    struct known_place watched;  /* in the call: the descriptor that the loop watches */
    struct known_place received; /* in the callback: the descriptor that it is handed */
    struct known_place data_in;  /* in the call: the user's data ... */
    struct known_place data_out; /* ... and in the callback */
    struct guard when;           /* only if this holds of the call; empty: always */
    strview library;
};

/* The callbacks that a function takes: the first row, and how many rows follow each other. A
 * function can have several (work and done), and several rows for one argument, told apart by
 * `when`. NULL and 0 if it takes none. */
const struct known_callback *known_callbacks_of_function(const known_facts *facts, strview name,
                                                         size_t *count);

/* The fact of a field, NULL if none. record is a tag or a typedef's name; empty (a record without
 * a name): the first row of any record with such a field. */
const struct known_callback *known_callback_of_field(const known_facts *facts, strview record,
                                                     strview field);

/* All rows, sorted by name. */
const struct known_callback *known_callbacks_all(const known_facts *facts, size_t *count);

/*
 * Adds what a configuration says of a callback, beside what is known.
 *
 * name      "function", or "record.field"
 * argument  0-based; of a field it does not matter
 *
 * As after any load, earlier pointers to rows are no longer valid.
 */
void known_callbacks_add(known_facts *facts, strview name, int argument, enum callback_kind kind);

#endif
