/* SPDX-License-Identifier: MIT */
/*
 * What number is MSG_DONTWAIT? Guards name constants; where the source has been preprocessed, only
 * their numbers are left of macros. The table has the values of Linux with its generic ABI.
 */
#ifndef AWAITC_PROGRAM_KNOWN_CONSTANTS_H
#define AWAITC_PROGRAM_KNOWN_CONSTANTS_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/program/known_facts.h"

/* Sets *out to the value of a constant; false if it is not known. facts may be NULL. */
bool known_constant_find(const known_facts *facts, strview name, int64_t *out);

#endif
