/* SPDX-License-Identifier: MIT */
/*
 * Which locks, or resources of configured pairs, are held at each point of a function? Calls that
 * take and release them come from the table of locks, from the configuration, and from functions of
 * the unit that do it for their caller (lock_db(d), or one that hands on a trylock's result).
 *
 *     take i: a call, the lock's path ("$0^.mu"), and which signs of its result mean success
 *     fact i of a world: take i has happened, and nothing has released it since
 */
#ifndef AWAITC_RULES_LOCK_SECTIONS_H
#define AWAITC_RULES_LOCK_SECTIONS_H

#include "analyzer/program/known_locks.h"
#include "rules/worlds.h"

enum held_class {
    HELD_THREAD_LOCK, /* spin locks, too */
    HELD_ASYNC_LOCK,
    HELD_PAIR, /* of the configuration */
    HELD_CLASS_COUNT
};

/* A call that takes something. */
struct lock_take {
    const ast_node *call;
    const ast_node *at; /* where it is done: the await of it, or the call */
    enum held_class cls;
    uint8_t success;    /* signs of the call's result */
    const char *path;   /* of the lock; NULL: not known */
    const char *key;    /* of the lock in any function: "record.field", "g:name"; NULL */
    const char *target; /* a pair: the path of what holds its result; NULL */
    const struct lint_pair *pair;
    const char *name; /* of the lock, as written, for messages */
};

struct lock_release {
    const ast_node *call;
    const ast_node *declarator; /* instead: its cleanup function releases */
    enum held_class cls;
    const char *path, *key;
    const struct lint_pair *pair;
    uint64_t takes; /* that it ends */
};

/* What a function leaves taken or released for its caller; paths are the function's own. */
struct lock_effect {
    bool is_release;
    enum held_class cls;
    uint8_t success; /* signs of its result, of a take */
    const char *path, *key;
    const char *name;
    const struct lint_pair *pair;
};

typedef struct lock_sections {
    fn_view *view;
    VEC(struct lock_take) takes; /* at most 48 */
    VEC(struct lock_release) releases;
    world_flow *flow; /* NULL: the function takes nothing */
    VEC(struct lock_effect) effects;
    bool passes_on; /* returns holding something of which no caller can know */
} lock_sections;

/* All functions of a unit. */
typedef struct lock_unit lock_unit;

lock_unit *lock_unit_new(rule_cx *cx, enum held_class cls);
/* The sections of a function; made once. */
const lock_sections *lock_sections_of(lock_unit *u, struct sema_function *fn);
/* Calls `visit` for each node of fn that suspends while something is held; `held` has the takes as
 * bits. What the node itself takes is not held yet. */
void lock_each_held(lock_unit *u, struct sema_function *fn,
                    void (*visit)(void *context, const lock_sections *s, const ast_node *at,
                                  uint64_t held),
                    void *context);
/* The same for all functions of the source, with cx->fn set: for checks that report there. */
void lock_report_held(rule_cx *cx, enum held_class cls,
                      void (*report)(void *context, const lock_sections *s, const ast_node *at,
                                     uint64_t held));

#endif
