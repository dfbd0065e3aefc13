/* SPDX-License-Identifier: MIT */
/*
 * What does a function await? Each of its awaits, in the order of the source, with the calls that
 * it runs: the one that is its operand, or the branches of a form. Of each call: whom it calls,
 * what it waits for, whether it can fail, and what its arguments give it to work with.
 *
 *     n = await aw_read(c->fd, buf, sizeof buf)   a leaf, role READ
 *                       descriptor, object, scalar
 *     await aw_all(a = f(1), g(s))                two calls, the first with a target
 *
 * A parameter is a descriptor if it reaches a descriptor's leaf: followed through the bodies that
 * the unit has; of a mere prototype the name tells (an int called fd, sock, listener, ...). An
 * object is what a pointer to something that is not const points to: the callee may change it.
 */
#ifndef AWAITC_RULES_AWAIT_SITES_H
#define AWAITC_RULES_AWAIT_SITES_H

#include "analyzer/program/value_of.h"
#include "rules/rule.h"

/* What a call waits for. */
enum await_role {
    ROLE_WORK,   /* anything else, all functions of the user */
    ROLE_PAUSE,  /* time, or its turn on the worker: sleeps, yield, park */
    ROLE_LOCK,   /* its turn on an object: mutex, semaphore, condition */
    ROLE_MEET,   /* other tasks: join, scope, channel, event */
    ROLE_ACCEPT, /* a connection */
    ROLE_READ,   /* data from a descriptor, or that there is some */
    ROLE_WRITE,  /* that a descriptor takes data */
    ROLE_LOOKUP, /* the file system, which it leaves as it is */
    ROLE_CHANGE  /* the file system, which it changes: rename, unlink */
};

enum await_arg_kind {
    ARG_SCALAR,     /* a number, a null pointer, a function */
    ARG_DESCRIPTOR, /* a file descriptor */
    ARG_OBJECT,     /* a pointer through which the callee may write */
    ARG_BORROWED,   /* a pointer to const, or a string literal */
    ARG_RECORD      /* a struct or union by value */
};

struct await_arg {
    const ast_node *node;
    const ctype *type; /* of the parameter, or else of the argument; never NULL */
    enum await_arg_kind kind;
};

/* A call that an await runs. */
struct await_call {
    const ast_node *node;       /* AST_CALL */
    const ast_node *target;     /* the lvalue that a form's branch assigns it to; NULL */
    sema_symbol *callee;        /* NULL: not declared, or through a pointer */
    strview name;               /* empty: through a pointer */
    struct sema_function *body; /* the callee's, if the unit has it; NULL */
    enum ast_form pool;         /* FORM_BLOCKING, FORM_COMPUTE: a plain call on a pool; else
                                   FORM_ALL */
    enum await_role role;
    bool is_leaf;     /* of the runtime */
    bool never_waits; /* has a body that awaits nothing, nor do those that it awaits */
    bool can_fail;    /* its result may be a negative number */
    struct await_arg *args;
    uint32_t arg_count;
};

struct await_site {
    const ast_node *node;     /* AST_AWAIT */
    const ast_node *operand;  /* without parentheses: AST_CALL or AST_FORM */
    bool is_form;             /* then operand->op is an enum ast_form */
    struct await_call *calls; /* the operand itself, or all branches, nested forms' included */
    uint32_t call_count;
    bool is_gate;     /* a function that only waits for its turn, by its body or name */
    bool is_repeated; /* an argument that a macro wrote more than once: not the first copy */
};

struct await_sites {
    struct await_site *at;
    uint32_t count;
};

/* The awaits of a function of the unit; made once, kept in the function. */
const struct await_sites *await_sites_of(rule_cx *cx, struct sema_function *fn);
/* The site of an AST_AWAIT of the function; NULL: it is none that await_sites_of lists. */
const struct await_site *await_site_find(const struct await_sites *sites, const ast_node *await);

/* What the function does with its locals; made once. */
const struct local_uses *await_local_uses(rule_cx *cx, struct sema_function *fn);

/* A call of a function of the unit, as an await would run it: for calls in spawn, and plain ones.
 * mem: cx->mem. */
struct await_call await_call_of(rule_cx *cx, struct sema_function *fn, const ast_node *call);

/* Can the result of what a site awaits be a failure: of its call, or of its form? */
bool await_site_can_fail(rule_cx *cx, struct sema_function *fn, const struct await_site *site);
/* Does the site only wait for time or a lock, or for other tasks? Then it is an order by itself. */
bool await_site_is_pause(const struct await_site *site);
/* Does the site call its own function again, directly or through the one it calls? How many wait
 * at once then is the recursion's business. */
bool await_site_recurs(rule_cx *cx, struct sema_function *fn, const struct await_site *site);
/* Does nothing in the site ever wait? */
bool await_site_never_waits(const struct await_site *site);

/* The functions with bodies of the unit by symbol: NULL if the unit does not have it. */
struct sema_function *await_body_of(rule_cx *cx, const sema_symbol *symbol);
/* Does the function await anything? */
bool await_function_awaits(rule_cx *cx, struct sema_function *fn);
/* Is the expression a descriptor: by its use in the function, its origin, or its name? */
bool await_is_descriptor(rule_cx *cx, struct sema_function *fn, const ast_node *n);

/* Is it a signed integer type? */
bool await_type_is_signed(const ctype *type);

#endif
