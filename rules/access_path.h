/* SPDX-License-Identifier: MIT */
/*
 * Which memory does an expression name, and may two name the same? A path is a variable and the
 * steps from it, seen through locals that are given one value only:
 *
 *     s->conn.fd     s, deref, .conn, .fd           struct conn *c = &s->conn;
 *     c->fd          the same                       (given once)
 *     &a[i + 1]      points to  a, [i + 1]
 *
 * Two variables are taken to hold different addresses. A path is deep where all that can be reached
 * from it is meant: what a function can touch that is given a pointer.
 */
#ifndef AWAITC_RULES_ACCESS_PATH_H
#define AWAITC_RULES_ACCESS_PATH_H

#include "analyzer/program/value_of.h"
#include "rules/rule.h"

enum { ACCESS_STEPS_MAX = 10 };

enum access_step_kind { STEP_DEREF, STEP_FIELD, STEP_INDEX };

struct access_step {
    enum access_step_kind kind;
    strview text;        /* of FIELD: its name; of INDEX: as written */
    const ast_decl *var; /* INDEX: var + offset, var NULL: a constant */
    int64_t offset;
    bool is_known; /* INDEX: var and offset say all */
};

struct access_path {
    const void *root;  /* ast_decl or sema_symbol; NULL: not a variable's, then root_text tells */
    strview root_text; /* the expression at the root */
    const ast_decl *local; /* the root, if it is a local; NULL */
    const sema_symbol *global;
    struct access_step steps[ACCESS_STEPS_MAX];
    uint32_t count;
    bool is_deep; /* or cut off behind the last step */
};

/* A function whose expressions are asked about. */
struct access_cx {
    rule_cx *cx;
    struct sema_function *fn;
    const struct local_uses *uses;
};

struct access_cx access_begin(rule_cx *cx, struct sema_function *fn);

/* The memory that an lvalue names. */
struct access_path access_lvalue(const struct access_cx *a, const ast_node *n);
/* The memory that a pointer's value (or a decaying array) points to. */
struct access_path access_pointee(const struct access_cx *a, const ast_node *n);
/* May they share memory? */
bool access_overlap(const struct access_path *a, const struct access_path *b);
/* Do they surely name the same? */
bool access_is_same(const struct access_path *a, const struct access_path *b);
/* Is it the whole of a local variable? */
bool access_is_local(const struct access_path *p);

#endif
