/* SPDX-License-Identifier: MIT */
/*
 * May two awaited calls change places? Each has a footprint: the memory that it may read and write,
 * the descriptors that it works on, the globals that its body touches. Calls whose footprints meet,
 * one of them writing, have an order, and so have those that a protocol orders: a request and its
 * reply, the begin and the commit of one thing. Equal numbers and pointers to const are no order.
 */
#ifndef AWAITC_RULES_AWAIT_ORDER_H
#define AWAITC_RULES_AWAIT_ORDER_H

#include "rules/access_path.h"
#include "rules/await_sites.h"

struct footprint {
    VEC(struct access_path) reads;  /* what pointers to const reach; globals */
    VEC(struct access_path) writes; /* what other pointers reach; globals; targets of branches */
    VEC(struct access_path) descriptors; /* where they are kept */
    VEC(const ast_node *) descriptor_nodes;
};

/* What the calls of a site touch while they run. */
void footprint_of_site(const struct access_cx *a, const struct await_site *site,
                       struct footprint *out);

bool footprint_writes(const struct footprint *f, const struct access_path *p);
bool footprint_touches(const struct footprint *f, const struct access_path *p);

/* Must `second` come behind `first`, as far as memory, descriptors and protocols tell? */
bool await_has_order(const struct access_cx *a, const struct await_site *first,
                     const struct footprint *first_touches, const struct await_site *second,
                     const struct footprint *second_touches);

/* What a plain call means for the awaits around it. */
enum plain_effect {
    PLAIN_QUIET,  /* works on its arguments only */
    PLAIN_OUTPUT, /* prints or logs */
    PLAIN_ORDER   /* has, or may have, effects that others wait for */
};

/* is_dropped: nobody uses the call's result. */
enum plain_effect plain_call_effect(const struct access_cx *a, const ast_node *call,
                                    bool is_dropped);

/* Is it a call that never returns, or does one stand below n? */
bool has_noreturn_call(rule_cx *cx, const struct sema_function *fn, const ast_node *n);
/* Does an await (in what is evaluated) stand below n? */
bool has_await(const ast_node *n);

#endif
