/* SPDX-License-Identifier: MIT */
/*
 * When does a call that may block not block? A guard says so in a form that an analysis can test:
 * alternatives, any of which is enough, each of them a list of terms that must all hold.
 *
 *     arg:3&MSG_DONTWAIT;fd:0:NB                  two alternatives of one term
 *     arg:1!=F_SETLKW,arg:1!=F_OFD_SETLKW         one alternative of two terms
 *
 * Arguments are 0-based. rules/data/README.md has the grammar.
 */
#ifndef AWAITC_PROGRAM_KNOWN_GUARD_H
#define AWAITC_PROGRAM_KNOWN_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/base/arena.h"
#include "analyzer/base/strview.h"

struct known_facts;

enum {
    GUARD_LAST = -1, /* the last argument of the call, whichever it is */
    GUARD_ANY = -2   /* an object that is no argument of the call (a session, a screen) */
};

enum guard_kind {
    GUARD_ARG_EQ,         /* the argument equals the value */
    GUARD_ARG_NE,         /* ... is known to differ from it */
    GUARD_ARG_GREATER,    /* is greater than it */
    GUARD_ARG_FLAG_SET,   /* all the flags (values joined by |) are in it */
    GUARD_ARG_FLAG_CLEAR, /* ... none of them is */
    GUARD_ARG_NUMERIC,    /* is a string literal that holds a number or a numeric address */
    GUARD_ARG_CONTAINS,   /* is a string literal that contains the value */
    GUARD_ARG_NOT_NAME,   /* is not a string literal that holds a name to look up */
    GUARD_FD_NONBLOCK,    /* is a descriptor in non-blocking mode, and of a kind that has one */
    GUARD_FD_DATAGRAM,    /* is a descriptor of a datagram socket */
    GUARD_OBJECT_SETUP,   /* a set-up call was made on the object, or made the object */
    GUARD_QUERY           /* a query call just returned the value */
};

/* How a set-up call's argument or a query's result compares with the value. */
enum guard_op {
    GUARD_OP_NONE,
    GUARD_OP_EQ,
    GUARD_OP_NE,
    GUARD_OP_GREATER,
    GUARD_OP_FLAG,
    GUARD_OP_NONBLOCK, /* the argument is a descriptor in non-blocking mode */
    GUARD_OP_NUMERIC,  /* as GUARD_ARG_NUMERIC */
    GUARD_OP_CONTAINS  /* as GUARD_ARG_CONTAINS */
};

enum guard_value_kind {
    GUARD_VALUE_NUMBER, /* 0, -1, NULL, TRUE, MSG_DONTWAIT */
    GUARD_VALUE_NAME,   /* a name whose number is not known: an enumerator, a macro, or the
                           function that is called (`==BIO_s_mem`); compare the spelling */
    GUARD_VALUE_STRING, /* ":memory:" */
    GUARD_VALUE_ZEROS   /* {0,0}: points to a structure of zeros */
};

struct guard_value {
    enum guard_value_kind kind;
    strview text;   /* as spelled, a string without its quotes */
    int64_t number; /* of GUARD_VALUE_NUMBER */
};

enum { GUARD_VALUES_MAX = 4 };

struct guard_term {
    enum guard_kind kind;
    int arg;       /* 0-based, GUARD_LAST or GUARD_ANY; not of a query */
    bool pointee;  /* "*arg:2": what the argument points to, not the argument */
    strview field; /* "arg:2->ai_flags": a field of what it points to; empty: none */
    struct guard_value values[GUARD_VALUES_MAX];
    uint32_t value_count;
    strview function; /* of a set-up call or query */
    int function_arg; /* the set-up call's argument that is compared; GUARD_ANY: any of them */
    enum guard_op op; /* of a set-up call or query; NONE: that it was called is enough */
};

struct guard_alternative {
    const struct guard_term *terms;
    uint32_t count;
};

struct guard {
    const struct guard_alternative *alternatives;
    uint32_t count; /* 0: there is no machine form; the guard never holds */
};

/*
 * Parses the text of a guard; "-" and "" are the empty guard.
 *
 * facts  names of constants are looked up here, may be NULL; text is borrowed by *out.
 * error  set to a sentence in `mem` where false is returned.
 */
bool guard_parse(arena *mem, const struct known_facts *facts, strview text, struct guard *out,
                 const char **error);

#endif
