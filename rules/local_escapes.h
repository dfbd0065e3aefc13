/* SPDX-License-Identifier: MIT */
/*
 * Where does a function let the address of one of its locals out, to something that may still use
 * it when the local is gone? A site is a spawn, a store, a registration; it is over when the task
 * is joined, the store undone, the request removed. It escapes if the function's end comes first;
 * of a task also if another await does, since a cancel there leaves the task running.
 */
#ifndef AWAITC_RULES_LOCAL_ESCAPES_H
#define AWAITC_RULES_LOCAL_ESCAPES_H

#include "rules/value_fate.h"

enum escape_kind {
    ESCAPE_TASK,    /* given to a spawned task */
    ESCAPE_SCOPE,   /* given to a child of a scope that lives longer */
    ESCAPE_STORE,   /* stored in an object that outlives the function */
    ESCAPE_CALLBACK /* given to a callback, or with a request, that runs later */
};

struct escape_site {
    enum escape_kind kind;
    const ast_node *at; /* what lets it out: FORM, ASSIGN or CALL */
    const ast_decl *local;
    const char *handle;      /* TASK, SCOPE: path of the task's handle or the scope; NULL: none */
    const char *place;       /* STORE: path of what it is stored in; NULL */
    uint8_t success;         /* signs of the result of `at` with which it is let out; 0: all */
    const ast_node *remover; /* STORE: a loop that looks for the local and takes it out; NULL */
    const ast_node *holder;  /* STORE: that as an expression, CALLBACK: the call's callee */
};

/*
 * Calls `report` for each site of cx->fn that escapes.
 *
 * await  the suspension that comes before the join; NULL: the function, or the local's block, ends.
 */
void local_escapes_check(rule_cx *cx, void (*report)(rule_cx *cx, const struct escape_site *s,
                                                     const ast_node *await));

#endif
