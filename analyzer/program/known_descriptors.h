/* SPDX-License-Identifier: MIT */
/*
 * Where do descriptors come from, and in which mode are they? Calls that make them, change their
 * mode, copy and close them: rules/data/descriptors.tsv.
 *
 *     fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);   makes a socket, non-blocking
 *     fcntl(fd, F_SETFL, O_NONBLOCK);                         switches it
 *
 * Only descriptors of some kinds have a mode that matters: reading a regular file may wait for the
 * disk whatever its mode is.
 */
#ifndef AWAITC_PROGRAM_KNOWN_DESCRIPTORS_H
#define AWAITC_PROGRAM_KNOWN_DESCRIPTORS_H

#include "analyzer/program/fact_table.h"
#include "analyzer/program/known_facts.h"
#include "analyzer/program/known_guard.h"
#include "analyzer/program/known_place.h"

enum descriptor_role {
    DESCRIPTOR_MAKE,  /* a new descriptor appears at `where` */
    DESCRIPTOR_SET,   /* the mode of the descriptor at `where` may change */
    DESCRIPTOR_COPY,  /* `where` is another name of `from`: kind and mode are shared */
    DESCRIPTOR_CLOSE, /* the descriptor at `where` is gone */
    DESCRIPTOR_GIVE   /* the descriptor at `where` belongs to the callee from now on */
};

enum descriptor_kind {
    DESCRIPTOR_ANY, /* not known */
    DESCRIPTOR_SOCKET,
    DESCRIPTOR_PIPE,
    DESCRIPTOR_FILE,  /* opened by a path: taken for a regular file, whose mode does not matter */
    DESCRIPTOR_EVENT, /* eventfd, timerfd, signalfd, inotify, fanotify, pidfd */
    DESCRIPTOR_POLL,  /* epoll, kqueue */
    DESCRIPTOR_TTY,
    DESCRIPTOR_QUEUE,  /* POSIX message queue */
    DESCRIPTOR_MEMORY, /* memfd, fmemopen: never waits */
    DESCRIPTOR_STREAM  /* FILE * over a file */
};

struct known_descriptor {
    struct fact_key key;
    enum descriptor_role role;
    enum descriptor_kind kind;
    struct known_place where;
    struct known_place from;  /* of COPY */
    struct guard nonblocking; /* when the call leaves it in non-blocking mode; empty: never */
    struct guard blocking;    /* of SET: when the call leaves it in blocking mode; empty: never */
    bool always_nonblocking;  /* the table says "always" instead of a guard */
    bool always_blocking;
    strview library;
};

/* The rows of a function (a call may touch two descriptors), how many; NULL and 0 if none. */
const struct known_descriptor *known_descriptors_of(const known_facts *facts, strview function,
                                                    size_t *count);

/* Has a descriptor of this kind a mode, so that reading it can wait or not? */
bool descriptor_kind_has_mode(enum descriptor_kind kind);

#endif
