/* SPDX-License-Identifier: MIT */
/*
 * Which known name was probably meant? For "did you mean" in messages about unknown rules, keys and
 * options.
 */
#ifndef AWAITC_BASE_NEAREST_NAME_H
#define AWAITC_BASE_NEAREST_NAME_H

#include <stddef.h>

/* Offers candidates one after the other and keeps the nearest one. */
struct nearest_name {
    const char *wanted;
    const char *best; /* NULL: none is near */
    size_t limit;     /* a candidate must be nearer than this */
};

/* Starts a search; a candidate is near if at most a third of `wanted`, and one more, differs. */
struct nearest_name nearest_name_start(const char *wanted);

/* Compares `candidate` with what is wanted; remembers `shown` if it is the nearest so far. */
void nearest_name_offer(struct nearest_name *n, const char *candidate, const char *shown);

#endif
