/* SPDX-License-Identifier: MIT */
/*
 * What is a check? A line in rules.def, a page in docs/, and callbacks in a file of the same name:
 *
 *     on_function   once for each function with a body in the source, async or plain
 *     on_unit       once a source, behind its functions
 *     on_program    once a run, over the facts of all sources together (program.h)
 *
 * The first two see one source with its trees, types and control flow, and report candidates: a
 * finding, and what must hold of the whole program for it to count ("runs on a loop"). They keep no
 * state but what they allocate in the unit's arena. A check knows no libclang, reads no file, and
 * does not care which checks are on: the engine does.
 *
 * A check that passes 150 lines misses an analysis: those that several share stand beside this file
 * (await_sites.h, ...) or in analyzer/flow and analyzer/program.
 */
#ifndef AWAITC_RULES_RULE_H
#define AWAITC_RULES_RULE_H

#include "analyzer/flow/tree_cfg.h"
#include "analyzer/program/program.h"
#include "analyzer/report/finding.h"
#include "analyzer/sema/sema.h"

/* One source, as a check sees it. */
struct rule_cx;

/* A call, in the function of `cx`: what a callee's parameters are for once. */
struct bound_call {
    struct rule_cx *cx;
    const ast_node *call;
};

typedef struct rule_cx {
    arena *mem;
    sema_unit *sema;
    const struct lint_settings *settings;
    struct unit_facts *facts;      /* receives the candidates */
    const struct rule *rule;       /* whose callback runs */
    struct sema_function *fn;      /* on_function: the function */
    const struct bound_call *from; /* NULL: fn may be called from anywhere */
    void *cache;                   /* the engine's */
} rule_cx;

/* The callbacks of a check; NULL where it has none. rules/NAME.c defines `rule_NAME`. */
struct rule_calls {
    void (*on_function)(rule_cx *cx);
    void (*on_unit)(rule_cx *cx);
    void (*on_program)(struct program *p, const struct rule *rule);
};

/* A line of rules.def. */
struct rule {
    const char *id; /* "awaitc-blocking-call" */
    enum diag_severity severity;
    bool is_on; /* without configuration */
    const char *summary;
    const struct rule_calls *calls; /* NULL: a query (rules/queries), or the engine's own */
};

/* All checks, in the order of rules.def; [*count]. */
const struct rule *rules_all(uint32_t *count);
/* The check of an id ("awaitc-x" or "x"), or NULL. */
const struct rule *rules_find(const char *id);

/* ---- reporting ------------------------------------------------------------------------------ */

/*
 * Reports at a node of cx->fn. The message is one sentence without full stop: what is wrong, why it
 * matters, what to do.
 *
 * Returns the candidate, to which steps, fixes and needs can be added; it lives in cx->mem.
 */
struct candidate *rule_report(rule_cx *cx, const ast_node *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same at any place; function NULL: outside functions. */
struct candidate *rule_report_at(rule_cx *cx, struct diag_place place, const char *function,
                                 const char *format, ...) __attribute__((format(printf, 4, 5)));
/* A note at another node of cx->fn. */
void rule_note(rule_cx *cx, struct candidate *c, const ast_node *at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void rule_note_at(rule_cx *cx, struct candidate *c, struct diag_place place, const char *function,
                  const char *format, ...) __attribute__((format(printf, 5, 6)));
/* The finding counts only if the function in which it stands runs on an event loop or in a task. */
void rule_needs_loop(rule_cx *cx, struct candidate *c);
/* The finding counts only if the function in which it stands is a callback or async itself, or a
 * static helper that only such functions call. */
void rule_needs_near_loop(rule_cx *cx, struct candidate *c);
/* The finding counts only if nobody in the program takes the function's address. */
void rule_needs_no_address(rule_cx *cx, struct candidate *c);
/* What tells this finding from others of its rule in its function: part of the fingerprint, so a
 * name, not a line. */
void rule_leaf(struct candidate *c, const char *leaf);

/* ---- fixes ---------------------------------------------------------------------------------- */

/* ---- what sources tell each other: marks of unit_facts.h ---- */

/* This source has the mark. */
void rule_mark(rule_cx *cx, const char *mark);
/* The candidate counts only if some source has the mark, or if none has it. */
void rule_needs_mark(struct candidate *c, const char *mark);
void rule_unless_mark(struct candidate *c, const char *mark);

/* Starts a fix; edits that follow belong to it. */
struct finding_fix *rule_fix(rule_cx *cx, struct candidate *c, const char *title);
/* Replaces a node's text; false, and the fix loses all its edits, if the node's text was made by a
 * macro or stands in another file. */
bool rule_fix_replace(rule_cx *cx, struct candidate *c, const ast_node *node, const char *format,
                      ...) __attribute__((format(printf, 4, 5)));
/* Replaces bytes of the source. */
void rule_fix_bytes(rule_cx *cx, struct candidate *c, uint32_t begin, uint32_t end,
                    const char *text);

/* ---- analyses, made once a function -----------------------------------------------------------
 */

/* The control flow of cx->fn, without cancel edges. */
const tree_cfg *rule_cfg(rule_cx *cx);
/* The control flow of any function of the unit. */
const tree_cfg *rule_cfg_of(rule_cx *cx, struct sema_function *fn);

/* The value of an option of rules/rule_options.def: LINT_LARGE_FRAME_LIMIT. */
static inline uint64_t rule_option(const rule_cx *cx, enum lint_option option)
{
    return cx->settings->config->options[option];
}

#endif
