/* SPDX-License-Identifier: MIT */
/*
 * How much work is a call, about? Bodies that the unit has are added up, an operation a nanosecond,
 * fixed loops by their rounds; of the C library there is a table (work_costs.def); anything else is
 * not known. Good for an order of magnitude, which is what it is compared with.
 */
#ifndef AWAITC_RULES_WORK_ESTIMATE_H
#define AWAITC_RULES_WORK_ESTIMATE_H

#include "rules/rule.h"

/* What work on another task or thread costs, in nanoseconds: a spawn with its join (100 measured on
 * two cores), and a call on a pool, there and back (10,000 to 30,000). Lower ends, so that a
 * finding is sure. */
#define TASK_COST_NS 100
#define POOL_COST_NS 5000

enum work_class {
    WORK_TRIVIAL,  /* no more than its operations */
    WORK_BUFFERED, /* takes from a buffer */
    WORK_CALLS,    /* calls something unknown, or has loops */
    WORK_MEMORY,   /* frees or allocates */
    WORK_HEAVY     /* known to compute for long */
};

struct work {
    enum work_class cls; /* the heaviest part */
    uint64_t ns;
    bool is_known; /* nothing is missing in ns */
};

/* A call of cx->fn; an AST_AWAIT or a call of something async is unknown. */
struct work work_of_call(rule_cx *cx, const ast_node *call);
/* The whole body of a function of the unit. */
struct work work_of_function(rule_cx *cx, struct sema_function *fn);

/* The function of the unit that a symbol means; NULL. */
struct sema_function *unit_function(const rule_cx *cx, const sema_symbol *symbol);
/* "about 40 ns", "about 3 us". */
const char *work_time_text(arena *mem, uint64_t ns);

#endif
