/* SPDX-License-Identifier: MIT */
/*
 * The table of checks, the walk over a source's functions, and what checks report with. Control
 * flow is made when a check first asks for it and kept for the next one.
 */
#include "rules/rule_engine.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/base/check.h"
#include "analyzer/program/lint_settings.h"

#define RULE(name, id, severity, state, summary) extern const struct rule_calls rule_##name;
#define OTHER_RULE(name, id, severity, state, summary)
#include "rules/rules.def"
#undef RULE
#undef OTHER_RULE

enum { STATE_OFF, STATE_ON };

static const struct rule all[] = {
#define RULE(name, id, severity, state, summary)                                                   \
    {id, DIAG_##severity, STATE_##state == STATE_ON, summary, &rule_##name},
#define OTHER_RULE(name, id, severity, state, summary)                                             \
    {id, DIAG_##severity, STATE_##state == STATE_ON, summary, NULL},
#include "rules/rules.def"
#undef RULE
#undef OTHER_RULE
};

const struct rule *rules_all(uint32_t *count)
{
    *count = COUNTOF(all);
    return all;
}

const struct rule *rules_find(const char *id)
{
    for (size_t i = 0; i < COUNTOF(all); i++) {
        if (strcmp(all[i].id, id) == 0 || strcmp(all[i].id + strlen("awaitc-"), id) == 0)
            return &all[i];
    }
    return NULL;
}

/* ---- the walk ---------------------------------------------------------------------------------
 */

struct engine_cache {
    const tree_cfg **graphs; /* [function] */
};

void rules_run_unit(arena *mem, sema_unit *sema, const struct lint_settings *settings,
                    const bool *enabled, struct unit_facts *facts)
{
    uint32_t count;
    struct sema_function *const *functions = sema_unit_functions(sema, &count);
    struct engine_cache cache = {ARENA_ARRAY(mem, const tree_cfg *, count + 1)};
    rule_cx cx = {.mem = mem, .sema = sema, .settings = settings, .facts = facts, .cache = &cache};
    for (size_t r = 0; r < COUNTOF(all); r++) {
        if (all[r].calls == NULL || (enabled != NULL && !enabled[r]))
            continue;
        cx.rule = &all[r];
        for (uint32_t i = 0; all[r].calls->on_function != NULL && i < count; i++) {
            cx.fn = functions[i];
            if (functions[i]->in_source)
                all[r].calls->on_function(&cx);
        }
        cx.fn = NULL;
        if (all[r].calls->on_unit != NULL)
            all[r].calls->on_unit(&cx);
    }
}

void rules_run_program(struct program *p, const bool *enabled)
{
    for (size_t r = 0; r < COUNTOF(all); r++) {
        bool runs = all[r].calls != NULL && all[r].calls->on_program != NULL &&
                    (enabled == NULL || enabled[r]);
        if (runs)
            all[r].calls->on_program(p, &all[r]);
    }
}

/* ---- reporting ----------------------------------------------------------------------------------
 */

static const char *format_text(arena *mem, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = arena_alloc(mem, (size_t)len + 1);
    vsnprintf(text, (size_t)len + 1, format, args);
    return text;
}

static struct candidate *new_candidate(rule_cx *cx, struct diag_place place, const char *function,
                                       const char *message)
{
    struct candidate *c = ARENA_NEW(cx->mem, struct candidate);
    c->finding.rule = cx->rule->id;
    c->finding.severity = cx->rule->severity;
    c->finding.place = place;
    c->finding.function = function;
    c->finding.message = message;
    c->needs_of = function;
    VEC_PUSH(cx->mem, &cx->facts->candidates, c);
    return c;
}

static const char *function_name(const rule_cx *cx)
{
    return cx->fn == NULL || cx->fn->symbol == NULL
               ? NULL
               : arena_printf(cx->mem, "%.*s", SV_ARG(cx->fn->symbol->name));
}

struct candidate *rule_report(rule_cx *cx, const ast_node *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *message = format_text(cx->mem, format, args);
    va_end(args);
    struct candidate *c =
        new_candidate(cx, sema_place(cx->sema, cx->fn, at), function_name(cx), message);
    c->finding.end_column = sema_end_column(cx->sema, cx->fn, at);
    return c;
}

struct candidate *rule_report_at(rule_cx *cx, struct diag_place place, const char *function,
                                 const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *message = format_text(cx->mem, format, args);
    va_end(args);
    return new_candidate(cx, place, function, message);
}

static void add_step(rule_cx *cx, struct candidate *c, struct diag_place place,
                     const char *function, const char *text)
{
    VEC_PUSH(cx->mem, &c->finding.steps,
             (struct finding_step){.place = place, .function = function, .text = text});
}

void rule_note(rule_cx *cx, struct candidate *c, const ast_node *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = format_text(cx->mem, format, args);
    va_end(args);
    add_step(cx, c, sema_place(cx->sema, cx->fn, at), function_name(cx), text);
}

void rule_note_at(rule_cx *cx, struct candidate *c, struct diag_place place, const char *function,
                  const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = format_text(cx->mem, format, args);
    va_end(args);
    add_step(cx, c, place, function, text);
}

void rule_needs_loop(rule_cx *cx, struct candidate *c)
{
    (void)cx;
    c->needs |= NEEDS_LOOP;
}

void rule_needs_near_loop(rule_cx *cx, struct candidate *c)
{
    (void)cx;
    c->needs |= NEEDS_NEAR_LOOP;
}

void rule_needs_no_address(rule_cx *cx, struct candidate *c)
{
    (void)cx;
    c->needs |= NEEDS_NO_ADDRESS;
}

void rule_mark(rule_cx *cx, const char *mark)
{
    for (size_t i = 0; i < cx->facts->marks.count; i++) {
        if (strcmp(cx->facts->marks.at[i], mark) == 0)
            return;
    }
    VEC_PUSH(cx->mem, &cx->facts->marks, mark);
}

void rule_needs_mark(struct candidate *c, const char *mark)
{
    c->needs_mark = mark;
}

void rule_unless_mark(struct candidate *c, const char *mark)
{
    c->unless_mark = mark;
}

void rule_leaf(struct candidate *c, const char *leaf)
{
    c->finding.leaf = leaf;
}

/* ---- fixes
 * ---------------------------------------------------------------------------------------- */

struct finding_fix *rule_fix(rule_cx *cx, struct candidate *c, const char *title)
{
    VEC_PUSH(cx->mem, &c->finding.fixes, (struct finding_fix){.title = title});
    return &VEC_LAST(&c->finding.fixes);
}

void rule_fix_bytes(rule_cx *cx, struct candidate *c, uint32_t begin, uint32_t end,
                    const char *text)
{
    struct finding_fix *fix = &VEC_LAST(&c->finding.fixes);
    VEC_PUSH(cx->mem, &fix->edits,
             (struct finding_edit){
                 .file = sema_unit_path(cx->sema), .begin = begin, .end = end, .text = text});
}

bool rule_fix_replace(rule_cx *cx, struct candidate *c, const ast_node *node, const char *format,
                      ...)
{
    uint32_t begin, end;
    if (c->finding.fixes.count == 0)
        return false;
    if (!sema_source_range(cx->sema, cx->fn, node, &begin, &end)) {
        c->finding.fixes.count--;
        return false;
    }
    va_list args;
    va_start(args, format);
    rule_fix_bytes(cx, c, begin, end, format_text(cx->mem, format, args));
    va_end(args);
    return true;
}

/* ---- analyses
 * -------------------------------------------------------------------------------------- */

static bool is_noreturn(void *context, const ast_node *call)
{
    rule_cx *cx = context;
    return sema_call_is_noreturn(cx->sema, cx->fn, call);
}

static bool constant(void *context, const ast_node *n, int64_t *value)
{
    rule_cx *cx = context;
    return sema_constant(cx->sema, cx->fn, n, value);
}

const tree_cfg *rule_cfg_of(rule_cx *cx, struct sema_function *fn)
{
    struct engine_cache *cache = cx->cache;
    if (cache->graphs[fn->index] == NULL) {
        rule_cx inner = *cx;
        inner.fn = fn;
        struct tree_cfg_hooks hooks = {
            .is_noreturn = is_noreturn, .constant = constant, .context = &inner};
        cache->graphs[fn->index] = tree_cfg_build(cx->mem, fn->tree, &hooks);
    }
    return cache->graphs[fn->index];
}

const tree_cfg *rule_cfg(rule_cx *cx)
{
    return rule_cfg_of(cx, cx->fn);
}
