/* SPDX-License-Identifier: MIT */
/*
 * Can a `defer` take the place of the releases that a function writes out? Offered only where the
 * text before and after surely does the same on the ways that are not cancelled:
 *
 *     char *p = malloc(n);                    char *p = malloc(n);
 *     if (p == NULL)                          if (p == NULL)
 *         return -1;                              return -1;
 *     int rc = await send(fd, p, n);    ->    defer { free(p); }
 *     free(p);                                int rc = await send(fd, p, n);
 *     return rc;                              return rc;
 *
 * The local is set once, nowhere handed on, and each release is the last thing that its way does.
 */
#ifndef AWAITC_RULES_DEFER_FIX_H
#define AWAITC_RULES_DEFER_FIX_H

#include "rules/owned_values.h"

/* Adds the fix to the finding about a site of cx->fn, or leaves it as it is. */
void defer_fix_add(rule_cx *cx, struct candidate *c, const struct owned_site *s);

#endif
