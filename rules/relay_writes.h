/* SPDX-License-Identifier: MIT */
/*
 * Does a callback hand on what it reads to another connection, whose library queues what cannot be
 * sent yet? Then the queue is as long as the slower side is slow.
 *
 *     static void on_read(struct bufferevent *bev, void *ctx)
 *     {
 *         struct bufferevent *partner = ctx;
 *         bufferevent_write_buffer(partner, bufferevent_get_input(bev));
 *     }
 */
#ifndef AWAITC_RULES_RELAY_WRITES_H
#define AWAITC_RULES_RELAY_WRITES_H

#include "rules/rule.h"

/* Is cx->fn a callback of a library that reads by itself: uv_read_start, bufferevent_setcb? */
bool is_read_callback(rule_cx *cx);
/* Does the parameter of cx->fn point to a uv_stream_t? */
bool is_uv_stream(rule_cx *cx, const ast_decl *param);

/* The call in cx->fn that writes to another connection; NULL: there is none, or some function of
 * the source asks how much is queued, or stops reading. */
const ast_node *relay_write_of(rule_cx *cx);

#endif
