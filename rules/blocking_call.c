/* SPDX-License-Identifier: MIT */
/*
 * awaitc-blocking-call: a call that may block its thread, reached from an async function or a loop
 * callback, directly or through any chain of calls. One finding a call in the root: the strongest
 * way down is shown, the other leaves are named.
 *
 * A way whose guard is not known (a descriptor of unknown mode) counts in async functions, where a
 * twin that suspends is at hand, and is silent in callbacks, whose descriptors are mostly
 * non-blocking.
 */
#include <string.h>

#include "analyzer/base/strbuf.h"
#include "analyzer/base/word_set.h"
#include "analyzer/program/known_twins.h"
#include "rules/effect_chain.h"
#include "rules/name_words.h"
#include "rules/rule.h"

/* Does one of the two functions next to the leaf write the program's own log, into a file that it
 * opens, closes or flushes? Whoever lets callbacks log has chosen to wait for that. A log that
 * sleeps, syncs or asks somebody is told all the same. */
static bool is_own_log(const program_function *root, const struct effect *e)
{
    const program_function *near[2] = {NULL, NULL};
    if (root->fact->is_async_keyword || !NAME_HAS(sv_from(effect_leaf_name(e)), "write", "writev",
                                                  "fflush", "fopen", "open", "fclose", "close"))
        return false;
    for (; e != NULL; e = e->next) {
        near[0] = near[1];
        near[1] = e->call->caller == root ? NULL : e->call->caller;
    }
    for (int i = 0; i < 2; i++) {
        if (near[i] != NULL &&
            NAME_HAS(sv_from(near[i]->fact->name), "log", "logging", "logger", "logfile"))
            return true;
    }
    return false;
}

/* The wait of an event loop that the program wrote itself is what the loop is for. */
static bool counts(const program_function *root, const struct effect *e)
{
    bool is_own_wait = e->call->in_main_loop == MAIN_LOOP_WAITS && e->known != NULL &&
                       (e->known->reasons & REASON_WAIT_EVENT) != 0;
    return e->kind == EFFECT_BLOCKS && !is_own_wait &&
           (!e->is_weak || root->fact->is_async_keyword);
}

/* ---- fixes ----------------------------------------------------------------------------------- */

/* The source's text of each argument is not in the facts; the call's own text is cut at its
 * top-level commas. False: it cannot be. */
static bool split_arguments(arena *mem, strview call, strview *args, uint32_t *count)
{
    const char *open = memchr(call.at, '(', call.len);
    (void)mem;
    if (open == NULL)
        return false;
    unsigned depth = 0;
    uint32_t n = 0;
    const char *begin = open + 1;
    for (const char *c = open; c < call.at + call.len; c++) {
        if (*c == '"' || *c == '\'' || *c == '/')
            return false;
        if (*c == '(' || *c == '[' || *c == '{')
            depth++;
        bool ends = (*c == ')' && depth == 1) || (*c == ',' && depth == 1);
        if (*c == ')' || *c == ']' || *c == '}')
            depth--;
        if (!ends)
            continue;
        while (begin < c && (*begin == ' ' || *begin == '\n'))
            begin++;
        if (n == 8)
            return false;
        args[n++] = (strview){begin, (size_t)(c - begin)};
        begin = c + 1;
    }
    *count = n;
    return depth == 0;
}

static const char *filled_template(arena *mem, strview form, const strview *args, uint32_t count)
{
    strbuf out = strbuf_in(mem);
    for (size_t i = 0; i < form.len; i++) {
        bool is_arg =
            form.at[i] == '$' && i + 1 < form.len && form.at[i + 1] >= '0' && form.at[i + 1] <= '9';
        if (!is_arg) {
            strbuf_char(&out, form.at[i]);
            continue;
        }
        uint32_t n = (uint32_t)(form.at[++i] - '0');
        if (n >= count)
            return NULL;
        strbuf_sv(&out, args[n]);
    }
    return strbuf_text(&out);
}

/* The twin of the runtime that can stand for the call; NULL. */
static const char *twin_call(program *p, const struct effect *e, strview call,
                             enum twin_result *result)
{
    size_t rows;
    const struct known_twin *twin =
        known_twins_of(program_settings(p)->known, sv_from(effect_leaf_name(e)), &rows);
    strview args[8];
    uint32_t count = 0;
    for (size_t i = 0; i < rows; i++) {
        bool fits =
            twin[i].when.count == 0 || guard_holds(p, e->leaf, &twin[i].when) == GUARD_HOLDS;
        bool same = twin[i].result == TWIN_SAME || e->leaf->fact->result_unused;
        *result = twin[i].result;
        if (fits && same && split_arguments(program_arena(p), call, args, &count))
            return filled_template(program_arena(p), twin[i].call, args, count);
    }
    return NULL;
}

/* Does the call give a result? Of functions without a body nearly all do. */
static bool gives_result(const struct program_call *call)
{
    for (uint32_t i = 0; i < call->callee_count; i++) {
        if (call->callees[i]->fact->returns.count != 0)
            return true;
    }
    return call->callee_count == 0;
}

/* Awaits the twin, or moves the call to the blocking pool. A result that nobody looked at gets a
 * cast to void: else the mended code would have the next finding. */
static void add_fix(program *p, struct finding *f, const struct effect *e)
{
    const struct fact_call *call = e->call->fact;
    const program_function *root = e->call->caller;
    arena *mem = program_arena(p);
    if (!root->fact->is_async_keyword || call->end == 0 || call->source_text == NULL ||
        root->fact->in_header)
        return;
    strview text = sv_from(call->source_text);
    enum twin_result result = TWIN_SAME;
    const char *twin = e->next == NULL ? twin_call(p, e, text, &result) : NULL;
    bool is_dropped =
        call->result_unused && (twin != NULL ? result != TWIN_VOID : gives_result(e->call));
    const char *drop = is_dropped ? "(void)" : "";
    struct finding_fix fix = {.title = twin != NULL ? "await the runtime's own"
                                                    : "run the call on the blocking pool"};
    const char *instead =
        twin != NULL ? arena_printf(mem, "%sawait %s", drop, twin)
                     : arena_printf(mem, "%sawait aw_blocking(%s)", drop, call->source_text);
    if (call->needs_parens)
        instead = arena_printf(mem, "(%s)", instead);
    struct finding_edit edit = {
        .file = call->place.file, .begin = call->begin, .end = call->end, .text = instead};
    VEC_PUSH(mem, &fix.edits, edit);
    VEC_PUSH(mem, &f->fixes, fix);
}

/* ---- the finding ----------------------------------------------------------------------------- */

static void note_others(program *p, struct finding *f, struct effect *const *all, uint32_t count)
{
    arena *mem = program_arena(p);
    strbuf names = strbuf_in(mem);
    uint32_t listed = 0;
    for (uint32_t i = 1; i < count && listed < 4; i++) {
        const char *name = effect_leaf_name(all[i]);
        bool is_new = strcmp(name, f->leaf) != 0;
        for (uint32_t k = 1; k < i && is_new; k++)
            is_new = strcmp(effect_leaf_name(all[k]), name) != 0;
        if (!is_new || !counts(all[i]->call->caller, all[i]))
            continue;
        strbuf_fmt(&names, "%s'%s'", listed == 0 ? "" : ", ", name);
        listed++;
    }
    if (listed != 0)
        VEC_PUSH(mem, &f->steps,
                 (struct finding_step){.place = f->place,
                                       .function = f->function,
                                       .text = arena_printf(mem, "the same call also reaches %s",
                                                            strbuf_text(&names))});
}

/* What to write instead. The facts speak to async C; a callback has no await, but a loop with a
 * thread pool mostly. */
static const char *hint_of(arena *mem, const program_function *root, const struct effect *e)
{
    strview instead = e->known != NULL ? e->known->counterpart : SV("-");
    if (instead.len == 0 || sv_is(instead, "-"))
        return "";
    if (!root->fact->is_async && (sv_starts(instead, "await ") || sv_starts(instead, "aw_")))
        return "; let a thread pool do it, and go on in a callback when it is done";
    return arena_printf(mem, "; instead: %.*s", SV_ARG(instead));
}

static struct finding *report(program *p, const struct rule *rule, const struct program_call *call,
                              struct effect *const *all, uint32_t count)
{
    const struct effect *e = all[0];
    const program_function *root = call->caller;
    arena *mem = program_arena(p);
    const char *leaf = effect_leaf_name(e), *words = effect_leaf_words(mem, e);
    const char *hint = hint_of(mem, root, e);
    struct finding *f;
    if (e->next == NULL)
        f = program_report(p, rule->id, rule->severity, call,
                           "'%s' %s, which blocks %s (in %s '%s')%s", leaf, words,
                           effect_victim(root), root->root_words, root->fact->name, hint);
    else
        f = program_report(p, rule->id, rule->severity, call,
                           "'%s' blocks %s: it reaches '%s', which %s (in %s '%s')%s",
                           e->next->call->caller->fact->name, effect_victim(root), leaf, words,
                           root->root_words, root->fact->name, hint);
    effect_chain_notes(p, f, e);
    note_others(p, f, all, count);
    add_fix(p, f, e);
    return f;
}

/* ---- one cause, one finding ------------------------------------------------------------------ */

/* A call of a root with its ways down, the strongest first. */
struct site {
    const struct program_call *call;
    struct effect **all;
    uint32_t count;
    const char *cause; /* where its leaf stands */
    uint32_t same;     /* sites with the same cause, this one included */
    bool speaks;       /* for all of them */
};

struct sites {
    VEC(struct site) at;
};

/* A wait that many calls reach (in the function that writes the log, say) is mended there:
 * it is told once. Two are told each at its place, where the fix may be. */
enum { MANY_SITES = 2, NEAR_DEPTH = 4, EVERYWHERE = 32 };

/* Does the event loop call a handler, which is told of itself? */
static bool calls_handler(const program_function *root, const struct program_call *call)
{
    return !root->is_root && call->fact->callee_kind != CALLEE_NAME && call->callee_count != 0 &&
           call->callees[0]->is_root;
}

static void collect_root(program *p, const program_function *root, struct sites *sites)
{
    for (uint32_t i = 0; i < root->call_count; i++) {
        uint32_t count, kept = 0;
        if ((!root->is_root && root->calls[i].in_main_loop == MAIN_LOOP_NONE) ||
            calls_handler(root, &root->calls[i]))
            continue;
        struct effect **all = block_effects_of_call(program_arena(p), p, &root->calls[i], &count);
        bool logs = false;
        for (uint32_t k = 0; k < count; k++) {
            bool is_log = is_own_log(root, all[k]);
            logs = logs || is_log;
            if (counts(root, all[k]) && !is_log)
                all[kept++] = all[k];
        }
        if (logs && kept != 0 && all[0]->tier != TIER_WAITS && all[0]->depth > NEAR_DEPTH)
            continue; /* far away, and no worse than the log */
        if (kept != 0)
            VEC_PUSH(program_arena(p), &sites->at,
                     (struct site){.call = &root->calls[i], .all = all, .count = kept});
    }
}

/* Where the leaf stands; where it is one of several that a table of functions leads to, where the
 * table is used. */
static const char *cause_of(arena *mem, const struct effect *e)
{
    const struct diag_place *leaf = &e->leaf->fact->place;
    for (; e->next != NULL; e = e->next) {
        if (e->next->next == NULL && e->call->callee_count > 1)
            leaf = &e->call->fact->place;
    }
    return arena_printf(mem, "%s:%u:%u", leaf->file, leaf->line, leaf->column);
}

/* Sites that end in the same leaf call have the same cause; the one with the shortest way, or else
 * the first in the order of files, speaks for all. */
static void group_sites(arena *mem, struct sites *sites)
{
    word_set causes = word_set_in(mem); /* value: 1 + index of the site that speaks */
    for (size_t i = 0; i < sites->at.count; i++) {
        struct site *s = &sites->at.at[i];
        s->cause = cause_of(mem, s->all[0]);
        s->same = 0;
        struct word_entry *e = word_set_add(&causes, sv_from(s->cause));
        struct site *best = e->value == 0 ? s : &sites->at.at[e->value - 1];
        if (s->all[0]->depth < best->all[0]->depth) {
            s->same = best->same;
            best = s;
        }
        e->value = (uint32_t)(best - sites->at.at) + 1;
        best->same++;
    }
    for (size_t i = 0; i < sites->at.count; i++) {
        struct site *s = &sites->at.at[i];
        const struct word_entry *e = word_set_find(&causes, sv_from(s->cause));
        s->same = sites->at.at[e->value - 1].same;
        s->speaks = e->value - 1 == i;
    }
}

static void report_site(program *p, const struct rule *rule, const struct site *s)
{
    arena *mem = program_arena(p);
    struct finding *f = report(p, rule, s->call, s->all, s->count);
    if (s->same <= MANY_SITES)
        return;
    VEC_PUSH(mem, &f->steps,
             (struct finding_step){.place = s->all[0]->leaf->fact->place,
                                   .function = s->all[0]->leaf->caller->fact->name,
                                   .text = arena_printf(mem,
                                                        "%u more calls in callbacks and tasks end "
                                                        "here; they are not reported one by one",
                                                        s->same - 1)});
}

/* The first way of a site that waits by design and has a cause that nobody told yet. */
static bool has_other_way(arena *mem, const struct site *s, const word_set *told,
                          struct site *other)
{
    for (uint32_t i = 1; i < s->count; i++) {
        bool is_new = s->all[i]->tier == TIER_WAITS &&
                      word_set_find(told, sv_from(cause_of(mem, s->all[i]))) == NULL;
        if (!is_new)
            continue;
        *other = (struct site){.call = s->call, .all = s->all + i, .count = s->count - i};
        return true;
    }
    return false;
}

/* What every callback reaches, and what may not wait at all, is in the program's foundations: most
 * ways that lead there do not go through it. */
static bool is_everywhere(const struct site *s)
{
    return s->same > EVERYWHERE && s->all[0]->tier != TIER_WAITS;
}

/* A site whose cause another tells may have a second one, which must not go with the first. */
static void report_sites(program *p, const struct rule *rule, struct sites *sites)
{
    arena *mem = program_arena(p);
    word_set told = word_set_in(mem);
    while (sites->at.count != 0) {
        struct sites rest = {.at = {0}};
        group_sites(mem, sites);
        for (size_t i = 0; i < sites->at.count; i++) {
            if (sites->at.at[i].same > MANY_SITES)
                word_set_add(&told, sv_from(sites->at.at[i].cause));
        }
        for (size_t i = 0; i < sites->at.count; i++) {
            const struct site *s = &sites->at.at[i];
            struct site other;
            bool is_told = s->same <= MANY_SITES || (s->speaks && !is_everywhere(s));
            if (is_told)
                report_site(p, rule, s);
            else if (has_other_way(mem, s, &told, &other))
                VEC_PUSH(mem, &rest.at, other);
        }
        *sites = rest;
    }
}

static void on_program(program *p, const struct rule *rule)
{
    uint32_t count;
    program_function **functions = program_functions(p, &count);
    struct sites sites = {.at = {0}};
    block_effects_compute(p);
    for (uint32_t i = 0; i < count; i++) {
        if (functions[i]->root_words != NULL)
            collect_root(p, functions[i], &sites);
    }
    report_sites(p, rule, &sites);
}

const struct rule_calls rule_blocking_call = {.on_program = on_program};
