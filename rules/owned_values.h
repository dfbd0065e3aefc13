/* SPDX-License-Identifier: MIT */
/*
 * What does a function own at its awaits? Each call that acquires something into a local is a site;
 * from there to the release, or to where it is handed on, the function owns it.
 *
 *     int fd = await aw_open(path, O_RDONLY, 0);   site: fd, owned unless negative
 *     if (fd < 0) return fd;                       not owned on this way
 *     n = await aw_read(fd, ...);                  owned here
 *     aw_close(fd);                                released
 */
#ifndef AWAITC_RULES_OWNED_VALUES_H
#define AWAITC_RULES_OWNED_VALUES_H

#include "analyzer/program/known_owners.h"
#include "rules/value_fate.h"

enum { OWNED_HOLDERS = 6 };

struct owned_site {
    const ast_node *call, *at; /* that acquires; where that is done (its await) */
    const struct known_owner *row;
    uint8_t success;                   /* signs of the call's result */
    const ast_node *target;            /* what it is assigned to; NULL: a declarator, an argument */
    const char *holder[OWNED_HOLDERS]; /* paths of the locals that hold it */
    uint32_t holder_count;
    const ast_decl *carrier[OWNED_HOLDERS]; /* local structures that hold a copy */
    uint32_t carrier_count;
    const char *name;        /* of the local, for messages */
    const ast_node *release; /* the first call that releases it, outside of defer or in one; NULL */
    const ast_node *handover; /* else where it is returned, or stored for others; NULL */
};

/* Reports each site of cx->fn that is alive, and not protected, at an await: with the first one. */
void owned_values_check(rule_cx *cx, void (*report)(rule_cx *cx, const struct owned_site *s,
                                                    const ast_node *await));

#endif
