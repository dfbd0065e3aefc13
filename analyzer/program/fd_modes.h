/* SPDX-License-Identifier: MIT */
/*
 * In which mode is the descriptor that a value names? From the calls that make descriptors and
 * those that switch them, through fields, globals, parameters and results. What a loop hands to its
 * callback is non-blocking unless it is shown otherwise.
 */
#ifndef AWAITC_PROGRAM_FD_MODES_H
#define AWAITC_PROGRAM_FD_MODES_H

#include "analyzer/program/guards.h"
#include "analyzer/program/known_descriptors.h"

enum fd_mode {
    FD_UNKNOWN,
    FD_NONBLOCKING,
    FD_WATCHED, /* a loop handed it over: taken for non-blocking, but nothing shows it */
    FD_BLOCKING,
    FD_FILE,     /* of a regular file: its mode does not matter, it may wait for the disk */
    FD_OF_CALLER /* a parameter: each caller passes its own */
};

/* By all that is known; of a parameter, by all of its callers together. Never FD_OF_CALLER. */
enum fd_mode fd_mode_of(program *p, const struct bound_value *v);

/* The same, but of a parameter only by what the function itself does with it: its callers are
 * asked one by one, on their own ways. */
enum fd_mode fd_mode_here(program *p, const struct bound_value *v);

/* A call that made the descriptor, as far as it can be told; NULL. */
const struct program_call *fd_maker(program *p, const struct bound_value *v);

/* Of which kind is it, by the call that made it? DESCRIPTOR_ANY if that is not known. */
enum descriptor_kind fd_kind_of(program *p, const struct bound_value *v);

/* Is it surely a datagram socket? */
bool fd_is_datagram(program *p, const struct bound_value *v);

/* Finds what switches which keys and parameters; before the first question. */
void fd_modes_prepare(program *p);

#endif
