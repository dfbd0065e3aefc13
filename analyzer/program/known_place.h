/* SPDX-License-Identifier: MIT */
/*
 * Where in a call does a value stand that a fact speaks of? The facts files write
 *
 *     result   what the call returns          2        argument 2 itself
 *     *2       what argument 2 points to      2[]      each element of the array argument 2
 *     2->fd    a field of what it points to   .fd      a sibling of the field that the fact is of
 *     self     the object whose field the fact is of
 *
 * Arguments, and the parameters of a callback, are 0-based.
 */
#ifndef AWAITC_PROGRAM_KNOWN_PLACE_H
#define AWAITC_PROGRAM_KNOWN_PLACE_H

#include <stdbool.h>

#include "analyzer/base/strview.h"

enum known_place_kind {
    PLACE_NONE, /* "-": there is none */
    PLACE_RESULT,
    PLACE_ARG,
    PLACE_POINTEE,
    PLACE_ELEMENTS,
    PLACE_FIELD,
    PLACE_SIBLING,
    PLACE_SELF
};

struct known_place {
    enum known_place_kind kind;
    int arg;       /* 0-based, or GUARD_LAST of known_guard.h; of ARG, POINTEE, ELEMENTS, FIELD */
    strview field; /* of FIELD and SIBLING */
};

/* Parses the text of a place; false if it is none. `field` borrows from it. */
bool known_place_parse(strview text, struct known_place *out);

/* Parses a cell; false after an error. */
struct fact_cx;
bool known_place_cell(struct fact_cx *cx, size_t column, struct known_place *out);

#endif
