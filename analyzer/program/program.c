/* SPDX-License-Identifier: MIT */
/*
 * The join itself. A static function is its source's own; one that a header defines is the same in
 * all sources that include it, so the first facts of it count. A name that nobody defines may be in
 * the tables of facts.
 */
#include "analyzer/program/program.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/base/check.h"
#include "analyzer/program/guards.h"
#include "analyzer/program/known_macros.h"
#include "analyzer/program/program_private.h"

/* ---- functions ------------------------------------------------------------------------------- */

struct function_extra *program_extra(const program *p, const program_function *f)
{
    return p->extras.at[f->index];
}

void function_list_add(arena *mem, struct function_list *list, program_function *f, bool *changed)
{
    for (size_t i = 0; i < list->all.count; i++) {
        if (list->all.at[i] == f)
            return;
    }
    VEC_PUSH(mem, &list->all, f);
    *changed = true;
}

static struct named_functions *functions_named(const program *p, const char *name)
{
    const struct word_entry *e = word_set_find(&p->names, sv_from(name));
    return e == NULL ? NULL : &p->by_name.at[e->value - 1];
}

static struct named_functions *add_name(program *p, const char *name)
{
    struct word_entry *e = word_set_add(&p->names, sv_from(name));
    if (e->value == 0) {
        VEC_PUSH(p->mem, &p->by_name, (struct named_functions){.own = {0}});
        e->value = (uint32_t)p->by_name.count;
    }
    return &p->by_name.at[e->value - 1];
}

/* The same function of a header, seen in the facts of another source before. */
static bool is_known(const struct named_functions *named, const struct fact_function *fact)
{
    for (size_t i = 0; i < named->shared.count; i++) {
        const struct fact_function *other = named->shared.at[i]->fact;
        bool is_same = fact->in_header && other->in_header &&
                       other->place.line == fact->place.line &&
                       strcmp(other->file, fact->file) == 0;
        if (is_same || (!other->is_defined && !fact->is_defined))
            return true;
    }
    return false;
}

/* The call under the name of the macro that it is the expansion of. */
static void name_by_macro(program *p, struct program_call *call)
{
    const struct fact_call *fact = call->fact;
    size_t count = 0;
    const struct known_macro *rows =
        fact->callee_kind == CALLEE_NAME
            ? known_macros_of(p->settings->known, sv_from(fact->callee), &count)
            : NULL;
    for (size_t i = 0; i < count; i++) {
        if (rows[i].when.count != 0 && guard_holds(p, call, &rows[i].when) != GUARD_HOLDS)
            continue;
        struct fact_call *named = ARENA_NEW(p->mem, struct fact_call);
        *named = *fact;
        named->callee = arena_printf(p->mem, "%.*s", SV_ARG(rows[i].macro));
        named->args.at = NULL;
        named->args.count = named->args.capacity = 0;
        for (size_t k = 0; k < rows[i].argument_count; k++) {
            struct value v = {.kind = VALUE_UNKNOWN};
            if ((size_t)rows[i].arguments[k] < fact->args.count)
                v = fact->args.at[rows[i].arguments[k]];
            VEC_PUSH(p->mem, &named->args, v);
        }
        call->fact = named;
        return;
    }
}

static void add_function(program *p, const struct unit_facts *unit,
                         const struct fact_function *fact)
{
    struct named_functions *named = add_name(p, fact->name);
    bool is_own = fact->is_defined && !fact->in_header;
    if (!is_own && is_known(named, fact))
        return;
    program_function *f = ARENA_NEW(p->mem, program_function);
    struct function_extra *extra = ARENA_NEW(p->mem, struct function_extra);
    f->fact = fact;
    f->unit = unit;
    f->index = (uint32_t)p->functions.count;
    f->call_count = (uint32_t)fact->calls.count;
    f->calls = ARENA_ARRAY(p->mem, struct program_call, fact->calls.count + 1);
    extra->params = ARENA_ARRAY(p->mem, struct param_info, fact->param_count + 1);
    for (uint32_t i = 0; i < f->call_count; i++) {
        f->calls[i].fact = &fact->calls.at[i];
        f->calls[i].caller = f;
        name_by_macro(p, &f->calls[i]);
    }
    VEC_PUSH(p->mem, &p->functions, f);
    VEC_PUSH(p->mem, &p->extras, extra);
    if (is_own)
        VEC_PUSH(p->mem, &named->own, f);
    if (!is_own || !fact->is_static)
        VEC_PUSH(p->mem, &named->shared, f);
}

/* Do two files stand in the same folder? */
static bool same_folder(const char *a, const char *b)
{
    const char *a_slash = strrchr(a, '/'), *b_slash = strrchr(b, '/');
    size_t a_len = a_slash == NULL ? 0 : (size_t)(a_slash - a);
    size_t b_len = b_slash == NULL ? 0 : (size_t)(b_slash - b);
    return a_len == b_len && memcmp(a, b, a_len) == 0;
}

/* The one that a source itself defines; NULL. */
static program_function *find_own(const struct named_functions *named,
                                  const struct unit_facts *unit)
{
    size_t low = 0, high = named->own.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (named->own.at[middle]->unit->number < unit->number)
            low = middle + 1;
        else
            high = middle;
    }
    bool is_found = low < named->own.count && named->own.at[low]->unit == unit;
    return is_found ? named->own.at[low] : NULL;
}

/* Several programs of one project may define the same name: then the one nearby counts, and if that
 * does not tell, none does. */
static program_function *find_shared(const struct named_functions *named,
                                     const struct unit_facts *unit)
{
    program_function *stated = NULL, *other = NULL, *near = NULL;
    size_t others = 0, nears = 0;
    for (size_t i = 0; i < named->shared.count; i++) {
        program_function *f = named->shared.at[i];
        if (!f->fact->is_defined) {
            stated = f;
            continue;
        }
        if (f->unit == unit)
            return f;
        other = f;
        others++;
        bool is_near = unit != NULL && same_folder(f->unit->path, unit->path);
        near = is_near ? f : near;
        nears += is_near;
    }
    if (others == 1)
        return other;
    if (others > 1)
        return nears == 1 ? near : NULL;
    return stated;
}

program_function *program_find(const program *p, const struct unit_facts *unit, const char *name)
{
    const struct named_functions *named = functions_named(p, name);
    if (named == NULL)
        return NULL;
    program_function *own = unit == NULL ? NULL : find_own(named, unit);
    return own != NULL ? own : find_shared(named, unit);
}

program_function **program_functions(const program *p, uint32_t *count)
{
    *count = (uint32_t)p->functions.count;
    return p->functions.at;
}

struct unit_facts *const *program_units(const program *p, uint32_t *count)
{
    *count = p->unit_count;
    return p->units;
}

const struct lint_settings *program_settings(const program *p)
{
    return p->settings;
}

arena *program_arena(const program *p)
{
    return p->mem;
}

/* ---- keys ------------------------------------------------------------------------------------ */

struct key_info *program_key(program *p, const char *key, bool create)
{
    if (!create) {
        const struct word_entry *known = word_set_find(&p->keys, sv_from(key));
        return known == NULL ? NULL : p->key_infos.at[known->value - 1];
    }
    struct word_entry *e = word_set_add(&p->keys, sv_from(key));
    if (e->value == 0) {
        struct key_info *info = ARENA_NEW(p->mem, struct key_info);
        info->key = key;
        VEC_PUSH(p->mem, &p->key_infos, info);
        e->value = (uint32_t)p->key_infos.count;
    }
    return p->key_infos.at[e->value - 1];
}

/* Functions of a unit by their number in its facts; NULL where another source's facts count. */
static program_function **unit_functions(program *p, const struct unit_facts *unit)
{
    program_function **at = ARENA_ARRAY(p->mem, program_function *, unit->functions.count + 1);
    for (size_t i = 0; i < unit->functions.count; i++)
        at[i] = program_find(p, unit, unit->functions.at[i].name);
    return at;
}

static void add_stores(program *p, const struct unit_facts *unit)
{
    program_function **functions = unit_functions(p, unit);
    for (size_t i = 0; i < unit->stores.count; i++) {
        const struct fact_store *s = &unit->stores.at[i];
        program_function *f = s->function == UINT32_MAX ? NULL : functions[s->function];
        struct key_info *info = program_key(p, s->key, true);
        VEC_PUSH(p->mem, &info->stores, (struct stored){f, &s->value});
    }
    for (size_t i = 0; i < unit->addresses.count; i++)
        word_set_add(&p->addresses, sv_from(unit->addresses.at[i]));
    for (size_t i = 0; i < unit->marks.count; i++)
        word_set_add(&p->marks, sv_from(unit->marks.at[i]));
}

/* ---- the join -------------------------------------------------------------------------------- */

static void note_calls(program *p)
{
    for (size_t i = 0; i < p->functions.count; i++) {
        program_function *f = p->functions.at[i];
        f->address_taken = word_set_find(&p->addresses, sv_from(f->fact->name)) != NULL;
        for (uint32_t k = 0; k < f->call_count; k++) {
            if (f->calls[k].fact->callee_kind == CALLEE_NAME)
                word_set_add(&p->called, sv_from(f->calls[k].fact->callee));
        }
    }
}

/* Is it a callback or async itself, or a helper of such functions alone? */
static bool is_near_loop(const program_function *f)
{
    if (f->is_root)
        return true;
    for (size_t i = 0; i < f->callers.count; i++) {
        if (!f->callers.at[i]->caller->is_root)
            return false;
    }
    return f->fact->is_static && f->callers.count != 0;
}

static bool candidate_counts(program *p, const struct unit_facts *unit, const struct candidate *c)
{
    if (c->needs_mark != NULL && word_set_find(&p->marks, sv_from(c->needs_mark)) == NULL)
        return false;
    if (c->unless_mark != NULL && word_set_find(&p->marks, sv_from(c->unless_mark)) != NULL)
        return false;
    const program_function *f = c->needs == NEEDS_NOTHING || c->needs_of == NULL
                                    ? NULL
                                    : program_find(p, unit, c->needs_of);
    if ((c->needs & NEEDS_LOOP) && (f == NULL || !(f->contexts & (CONTEXT_LOOP | CONTEXT_TASK))))
        return false;
    if ((c->needs & NEEDS_NEAR_LOOP) && (f == NULL || !is_near_loop(f)))
        return false;
    return !((c->needs & NEEDS_NO_ADDRESS) && f != NULL && f->address_taken);
}

program *program_join(arena *mem, struct unit_facts *const *units, uint32_t unit_count,
                      const struct lint_settings *settings)
{
    program *p = ARENA_NEW(mem, program);
    p->mem = mem;
    p->settings = settings;
    p->units = units;
    p->unit_count = unit_count;
    p->names = word_set_in(mem);
    p->keys = word_set_in(mem);
    p->addresses = word_set_in(mem);
    p->called = word_set_in(mem);
    p->marks = word_set_in(mem);
    p->findings.mem = mem;
    for (uint32_t i = 0; i < unit_count; i++) {
        units[i]->number = i;
        for (size_t k = 0; k < units[i]->functions.count; k++)
            add_function(p, units[i], &units[i]->functions.at[k]);
    }
    for (uint32_t i = 0; i < unit_count; i++)
        add_stores(p, units[i]);
    note_calls(p);
    program_resolve_pointers(p);
    program_find_contexts(p);
    for (uint32_t i = 0; i < unit_count; i++) {
        for (size_t k = 0; k < units[i]->candidates.count; k++) {
            struct candidate *c = units[i]->candidates.at[k];
            if (candidate_counts(p, units[i], c))
                VEC_PUSH(mem, &p->findings.all, &c->finding);
        }
    }
    return p;
}

/* ---- findings -------------------------------------------------------------------------------- */

finding_list *program_findings(program *p)
{
    return &p->findings;
}

struct finding *program_report_at(program *p, const char *rule, enum diag_severity severity,
                                  const struct diag_place *place, const char *function,
                                  const char *text)
{
    struct finding *f = ARENA_NEW(p->mem, struct finding);
    f->rule = rule;
    f->severity = severity;
    f->place = *place;
    f->function = function;
    f->message = text;
    VEC_PUSH(p->mem, &p->findings.all, f);
    return f;
}

struct finding *program_report(program *p, const char *rule, enum diag_severity severity,
                               const struct program_call *at, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = arena_alloc(p->mem, (size_t)len + 1);
    vsnprintf(text, (size_t)len + 1, format, args);
    va_end(args);
    struct finding *f =
        program_report_at(p, rule, severity, &at->fact->place, at->caller->fact->name, text);
    f->end_column = at->fact->end_column;
    return f;
}
