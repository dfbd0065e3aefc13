/* SPDX-License-Identifier: MIT */
/*
 * Which awaits could wait at the same time? A window is a stretch of a function without a decision,
 * a lock, a pause or anything else that orders what stands before and behind it. Inside it each
 * await gets a level: 0 if it needs nothing from another one in the window, else one more than the
 * highest of those that it needs. Awaits of one level could be one aw_all.
 *
 *     id = await login(name);          level 0
 *     quota = await get_quota(id);     level 1, needs login
 *     motd = await get_motd();         level 0, needs nothing: could wait with login
 */
#ifndef AWAITC_RULES_AWAIT_WINDOW_H
#define AWAITC_RULES_AWAIT_WINDOW_H

#include "rules/await_order.h"

enum { WINDOW_MAX = 32 };

/* An await of the window. */
struct window_await {
    const struct await_site *site;
    struct footprint touches;
    uint32_t needs; /* bits: awaits of the window that it comes behind */
    uint32_t level;
};

struct await_window {
    struct window_await at[WINDOW_MAX];
    uint32_t count;
};

/*
 * Walks a function and calls `on_await` for each await of a window that shares its level with an
 * earlier one, `first`.
 */
void await_windows_walk(rule_cx *cx, struct sema_function *fn,
                        void (*on_await)(void *context, const struct await_window *w,
                                         const struct window_await *first,
                                         const struct window_await *second),
                        void *context);

#endif
