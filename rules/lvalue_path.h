/* SPDX-License-Identifier: MIT */
/*
 * Do two expressions name the same thing? Each lvalue or pointer is written as a path, in postfix
 * form so that & and * cancel; equal paths are the same thing as long as nothing on them changes.
 *
 *     &d->mu    $0^.mu&        parameter 0, what it points to, field mu, its address
 *     *m        $0^.mu^...     with `m = &d->mu` and nothing else given to m: $0^.mu
 *     fds[1]    %7[1]          local variable 7
 *
 * Paths of a callee's parameters can be put into terms of its caller (path_in_caller).
 */
#ifndef AWAITC_RULES_LVALUE_PATH_H
#define AWAITC_RULES_LVALUE_PATH_H

#include "analyzer/program/value_of.h"
#include "rules/rule.h"

/* A function of the unit, with what its locals are given. */
typedef struct fn_view {
    rule_cx *cx;
    struct sema_function *fn;
    struct local_uses *uses;
} fn_view;

/* cx is borrowed; the view lives in cx->mem. */
fn_view *fn_view_new(rule_cx *cx, struct sema_function *fn);

/* The path of an expression's value or place, through locals that have one value only; NULL: it
 * has none (a sum, a call's result). */
const char *path_of(const fn_view *v, const ast_node *n);
/* The same without looking through locals: `fd` is always that variable. */
const char *path_raw(const fn_view *v, const ast_node *n);
/* The path of a local variable itself, as path_raw gives it. */
const char *path_of_decl(const fn_view *v, const ast_decl *d);
/* The path of the place to which an expression (a pointer) leads. */
const char *path_pointee(const fn_view *v, const ast_node *pointer);

/* Adds ".x", "^" or "&" to a path; & and ^ cancel. */
const char *path_add(arena *mem, const char *path, const char *suffix);
/* A callee's path in terms of its caller: "$i" becomes the path of argument i of the call. NULL if
 * it is about a local of the callee, or the argument has no path. */
const char *path_in_caller(const fn_view *caller, const ast_node *call, const char *path);
/* Is it about a parameter or a global, so that a caller knows it? */
bool path_is_shared(const char *path);
/* Is `path` the thing `whole`, or a part of it, or what it points to? */
bool path_is_within(const char *path, const char *whole);

/* The expression that an alias stands for: through parentheses, casts and locals that are given one
 * value only, which is no call. */
const ast_node *path_origin(const fn_view *v, const ast_node *n);
/* The local variable of which an lvalue is (a part of) the storage; NULL: none. */
const ast_decl *path_local_storage(const fn_view *v, const ast_node *lvalue);
/* The number of a parameter of the view's function; UINT32_MAX: it is none. */
uint32_t path_param_index(const fn_view *v, const ast_decl *d);

#endif
