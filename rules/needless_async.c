/* SPDX-License-Identifier: MIT */
/*
 * needless-async: an async function that awaits nothing costs a frame and a step for each call, and
 * makes its callers async, too. Silent where it has to be async: its address is taken, spawn or
 * another form starts it, it is main; and where another finding says that it should await.
 */
#include <string.h>

#include "analyzer/base/strbuf.h"
#include "analyzer/program/block_effects.h"
#include "rules/async_calls.h"
#include "rules/await_sites.h"
#include "rules/function_uses.h"

/* ---- one source -------------------------------------------------------------------------------
 */

/* Is something in the body async work that is driven or forgotten? Then another check speaks. */
static bool starts_async_work(rule_cx *cx, const ast_node *n)
{
    bool is_async_call = n->kind == AST_CALL && sema_call_is_async(cx->sema, cx->fn, n);
    bool is_form = n->kind == AST_FORM && n->op != FORM_SPAWN && n->op != FORM_SPAWN_ON;
    if (!n->is_unevaluated && (n->kind == AST_AWAIT || is_form))
        return true;
    bool is_started = n->parent != NULL && n->parent->kind == AST_FORM;
    if (is_async_call && !n->is_unevaluated && !is_started)
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && starts_async_work(cx, n->kid[i]))
            return true;
    }
    return false;
}

/* Behind the comment or literal at `at`; `at` itself if there is none. */
static size_t behind_opaque(strview text, size_t at)
{
    char c = text.at[at];
    if (c == '"' || c == '\'') {
        size_t i = at + 1;
        while (i < text.len && text.at[i] != c && text.at[i] != '\n')
            i += text.at[i] == '\\' ? 2 : 1;
        return i + 1;
    }
    if (c != '/' || at + 1 >= text.len || (text.at[at + 1] != '/' && text.at[at + 1] != '*'))
        return at;
    bool is_line = text.at[at + 1] == '/';
    for (size_t i = at + 2; i < text.len; i++) {
        if (is_line && text.at[i] == '\n')
            return i;
        if (!is_line && text.at[i] == '/' && text.at[i - 1] == '*' && i > at + 2)
            return i + 1;
    }
    return text.len;
}

/* Is an await written between two lines? One that the preprocessor drops in this build counts. */
static bool writes_await(strview text, uint32_t first_line, uint32_t last_line)
{
    uint32_t line = 1;
    for (size_t i = 0; i + 5 <= text.len && line <= last_line;) {
        size_t next = behind_opaque(text, i);
        if (next == i)
            next = i + 1;
        bool is_word = line >= first_line && memcmp(text.at + i, "await", 5) == 0 &&
                       (i == 0 || text.at[i - 1] == ' ' || text.at[i - 1] == '\t' ||
                        text.at[i - 1] == '(' || text.at[i - 1] == '_' || text.at[i - 1] == '\n') &&
                       (i + 5 == text.len || strchr(" \t\n(", text.at[i + 5]) != NULL);
        if (is_word)
            return true;
        for (size_t k = i; k < next && k < text.len; k++)
            line += text.at[k] == '\n';
        i = next;
    }
    return false;
}

/* ---- the fix: a static function, all of whose callers are here ---------------------------------
 */

/* Removes from `begin` a word and the blanks behind it. */
static bool remove_word(rule_cx *cx, struct candidate *c, uint32_t begin)
{
    strview source = sema_unit_source(cx->sema);
    uint32_t end = begin;
    while (end < source.len &&
           (source.at[end] == '_' || (source.at[end] >= 'a' && source.at[end] <= 'z')))
        end++;
    while (end < source.len && (source.at[end] == ' ' || source.at[end] == '\t'))
        end++;
    if (end == begin)
        return false;
    rule_fix_bytes(cx, c, begin, end, "");
    return true;
}

/* The `async` of the definition: among the specifiers, in front of the name. */
static bool find_async_word(rule_cx *cx, uint32_t *at)
{
    const ast_function *fn = cx->fn->tree;
    for (uint32_t t = fn->root->first; t < fn->root->last; t++) {
        if (!sv_is(ast_token_text(fn, t), "__awaitc_async__"))
            continue;
        ast_node word = {.kind = AST_SPECIFIERS, .first = t, .last = t + 1};
        uint32_t end;
        return sema_source_range(cx->sema, cx->fn, &word, at, &end);
    }
    return false;
}

static void add_fix(rule_cx *cx, struct candidate *c, const struct function_uses *u)
{
    uint32_t at, end;
    if (!cx->fn->symbol->is_static || u->is_plain ||
        !function_is_named_only(cx, cx->fn->symbol->name, u->awaits.count) ||
        !find_async_word(cx, &at))
        return;
    rule_fix(cx, c, "make it a plain function");
    bool all = remove_word(cx, c, at);
    for (size_t i = 0; i < u->awaits.count; i++)
        all = all && sema_source_range(cx->sema, u->owners.at[i], u->awaits.at[i], &at, &end) &&
              remove_word(cx, c, at);
    if (!all)
        c->finding.fixes.count--;
}

static void on_function(rule_cx *cx)
{
    sema_symbol *self = cx->fn->symbol;
    if (self == NULL || !async_is_keyword(cx->fn) || sv_is(self->name, "main") ||
        starts_async_work(cx, cx->fn->tree->root) ||
        writes_await(sema_unit_source(cx->sema), cx->fn->place.line, cx->fn->end_place.line))
        return;
    struct function_uses u = function_uses_of(cx, self);
    if (u.in_form)
        return;
    struct candidate *c =
        rule_report_at(cx, cx->fn->place, arena_printf(cx->mem, "%.*s", SV_ARG(self->name)),
                       "'%.*s' is async but awaits nothing, so each call pays for a frame, and its "
                       "callers must be "
                       "async, too; make it a plain function",
                       SV_ARG(self->name));
    rule_needs_no_address(cx, c);
    if (u.awaits.count != 0) {
        rule_cx caller = *cx;
        caller.fn = u.owners.at[0];
        rule_note(&caller, c, u.awaits.at[0], "awaited here for nothing");
    }
    add_fix(cx, c, &u);
}

/* ---- the whole program ------------------------------------------------------------------------
 */

/* Does a check say that the function should wait somewhere? */
static bool should_await(const finding_list *list, const struct finding *f)
{
    static const char *const rules[] = {"awaitc-blocking-call", "awaitc-missing-await",
                                        "awaitc-nested-loop",   "awaitc-cpu-heavy-loop",
                                        "awaitc-drain-loop",    "awaitc-busy-wait"};
    for (size_t i = 0; i < list->all.count; i++) {
        const struct finding *g = list->all.at[i];
        bool same = g->function != NULL && f->function != NULL &&
                    strcmp(g->function, f->function) == 0 && g->place.file != NULL &&
                    f->place.file != NULL && strcmp(g->place.file, f->place.file) == 0;
        for (size_t k = 0; same && k < sizeof rules / sizeof rules[0]; k++) {
            if (strcmp(g->rule, rules[k]) == 0)
                return true;
        }
    }
    return false;
}

/* Does it call what may block, be that check on or off? */
static bool calls_blocking(program *p, const struct finding *f)
{
    uint32_t count, effects;
    program_function **all = program_functions(p, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(all[i]->fact->name, f->function) != 0 ||
            strcmp(all[i]->fact->file, f->place.file) != 0)
            continue;
        for (uint32_t k = 0; k < all[i]->call_count; k++) {
            block_effects_of_call(program_arena(p), p, &all[i]->calls[k], &effects);
            if (effects != 0)
                return true;
        }
    }
    return false;
}

static void on_program(program *p, const struct rule *rule)
{
    finding_list *list = program_findings(p);
    size_t kept = 0;
    block_effects_compute(p);
    for (size_t i = 0; i < list->all.count; i++) {
        struct finding *f = list->all.at[i];
        bool drops = f->rule == rule->id || strcmp(f->rule, rule->id) == 0;
        if (!drops || f->function == NULL || !(should_await(list, f) || calls_blocking(p, f)))
            list->all.at[kept++] = f;
    }
    list->all.count = kept;
}

const struct rule_calls rule_needless_async = {.on_function = on_function,
                                               .on_program = on_program};
