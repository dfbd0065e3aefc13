/* SPDX-License-Identifier: MIT */
/*
 * Which values are taken before a suspension and used behind it? A check says what its sources are
 * (the address of a thread's variable, the result of localtime); this follows them through locals
 * and fields of the function, over its suspensions, to their first use behind one.
 *
 *     struct ctx *c = &tls_ctx;      (c, source) is fresh
 *     await ...                      it has crossed
 *     c->depth--;                    used: reported once a source
 */
#ifndef AWAITC_RULES_CARRIED_VALUES_H
#define AWAITC_RULES_CARRIED_VALUES_H

#include "rules/lvalue_path.h"

struct carried_source {
    const ast_node *node;
    const char *what;     /* for messages: "the address of 'current'" */
    bool loads_carry;     /* pointers loaded through it are of the same kind */
    bool counts_at_await; /* giving it to an awaited call is keeping it over the await */
};

struct carried_rules {
    /* Is the expression (parentheses and casts aside) a source? Fills *out but its node. */
    bool (*source)(void *context, const fn_view *v, const ast_node *n, struct carried_source *out);
    /* Does reading the variable here use the value? NULL: every read but a test for NULL. */
    bool (*is_use)(void *context, const fn_view *v, const ast_node *read);
    /* Does this item make the values of a source good again (they are compared with a new one), or
     * keep them good from here on? `var` is the path that holds it. NULL: nothing does. */
    bool (*renews)(void *context, const fn_view *v, const struct tree_item *item, const char *var,
                   const struct carried_source *s);
    /* `use` NULL: it is given to what `await` awaits. */
    void (*report)(void *context, const fn_view *v, const struct carried_source *s,
                   const ast_node *use, const ast_node *await);
    void *context;
};

/* Reports each source of the function at most once: at its first use in the source. */
void carried_values_check(const fn_view *v, const struct carried_rules *rules);

/* Is the expression read only to be tested for NULL or 0? */
bool is_null_test(const fn_view *v, const ast_node *n);
/* Is it the target of a plain assignment, or of &? */
bool is_not_read(const ast_node *n);
/* Does any value that the function of a call returns come from a source? Functions of the unit. */
bool returns_source(const fn_view *v, const ast_node *call,
                    bool (*source)(void *context, const fn_view *v, const ast_node *n,
                                   struct carried_source *out),
                    void *context, struct carried_source *out);

#endif
