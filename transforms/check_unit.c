/* SPDX-License-Identifier: MIT */
/*
 * What is wrong between a unit's declarations? A function may be declared several times, and a
 * pointer to it may go anywhere: whether all of them agree about `async` only the whole unit shows,
 * plain functions and initialisers of file scope included.
 */
#include "analyzer/base/check.h"
#include "transforms/lowering.h"

/* ---- declarations of one function ------------------------------------------------------------ */

static struct diag_place place_of(const struct unit *u, const struct clang_function *f)
{
    uint32_t offset = f->definition_offset != UINT32_MAX ? f->definition_offset : f->first_offset;
    if (offset == UINT32_MAX)
        return (struct diag_place){u->source->path, 0, 0};
    return unit_place(u, offset);
}

/* Is the function defined in a region? Then check_contract looks at the definition. */
static bool has_region(const struct unit *u, const struct clang_function *f)
{
    for (uint32_t i = 0; i < u->source->region_count; i++) {
        const struct region *r = &u->source->regions[i];
        if (f->definition_offset != UINT32_MAX && f->definition_offset >= r->buffer_begin &&
            f->definition_offset < r->buffer_end)
            return true;
    }
    return false;
}

static void check_function(struct unit *u, const struct clang_function *f)
{
    struct diag_place at = place_of(u, f);
    if (f->is_plain_too)
        diag_report(
            u->sink, DIAG_ASYNC_MISMATCH, at,
            "`%.*s` is declared async in one place and plain in another; write async on all of "
            "its declarations, or on none",
            SV_ARG(f->name));
    if (has_region(u, f) || f->first_offset == UINT32_MAX)
        return;
    if (f->bad_attribute != NULL)
        diag_report(
            u->sink, DIAG_ASYNC_DECLARATION, at,
            "an async function cannot have the attribute `%s`; remove the attribute, or make "
            "the function plain",
            f->bad_attribute);
    if (f->is_inline && !f->is_static)
        diag_report(
            u->sink, DIAG_ASYNC_DECLARATION, at,
            "an async function cannot be inline without static, since several objects would "
            "define it; write `static inline`");
    const struct type *t = type_get(u->types, f->type);
    if (t->is_variadic && t->has_prototype) /* libclang takes `f()` for variadic, too */
        diag_report(
            u->sink, DIAG_ASYNC_DECLARATION, at,
            "an async function cannot be variadic: its arguments would be gone when it goes "
            "on; take an array and a count, or a struct");
}

/* ---- async and plain pointers ------------------------------------------------------------------
 */

static const char *value_text(struct unit *u, const struct clang_finding *f, const char *kind)
{
    return f->name.len == 0 ? arena_printf(u->mem, "this %s function", kind)
                            : arena_printf(u->mem, "the %s `%.*s`", kind, SV_ARG(f->name));
}

static const char *verb_of(enum clang_finding_place place)
{
    switch (place) {
    case FINDING_INITIALISER:
        return "initialises";
    case FINDING_ASSIGNMENT:
        return "is assigned to";
    case FINDING_ARGUMENT:
        return "is passed for";
    case FINDING_RETURN:
        return "is returned as";
    case FINDING_CAST:
        return "is cast to";
    }
    return "becomes";
}

static void report_call(struct unit *u, const struct clang_finding *f, struct diag_place at)
{
    const char *name = f->name.len == 0 ? "f" : arena_strndup(u->mem, f->name.at, f->name.len);
    const char *what = f->name.len == 0 ? "an async function"
                                        : arena_printf(u->mem, "the async function `%s`", name);
    if (f->function.len == 0)
        diag_report(
            u->sink, DIAG_ASYNC_FROM_SYNC, at,
            "%s is called at file scope, where nothing can wait for it; call it in an async "
            "function",
            what);
    else
        diag_report(u->sink, DIAG_ASYNC_FROM_SYNC, at,
                    "%s is called from plain code, which cannot wait for it; use "
                    "`aw_block_on(%s(...))`, `spawn(%s(...))`, or make `%.*s` async",
                    what, name, name, SV_ARG(f->function));
}

static void report_finding(struct unit *u, const struct clang_finding *f)
{
    struct diag_place at = {f->file, f->line, f->column};
    if (f->offset != UINT32_MAX)
        at = unit_place(u, f->offset);
    switch (f->kind) {
    case FINDING_PLAIN_TO_ASYNC:
        diag_report(u->sink, DIAG_ASYNC_MISMATCH, at,
                    "%s %s an async pointer; the two are called in different ways, so declare the "
                    "function async, or the pointer plain",
                    value_text(u, f, "plain"), verb_of(f->place));
        return;
    case FINDING_ASYNC_TO_PLAIN:
        diag_report(
            u->sink, DIAG_ASYNC_MISMATCH, at,
            "%s %s a plain pointer; the two are called in different ways, so %s",
            value_text(u, f, "async"), verb_of(f->place),
            f->place == FINDING_RETURN
                ? "name the result's type by a typedef: `typedef async int (*handler)(int);`"
                : "declare the pointer async too");
        return;
    case FINDING_ARMS:
        diag_report(u->sink, DIAG_ASYNC_MISMATCH, at,
                    "one arm is async and the other plain, but what comes out is called in one way "
                    "only; both must be of one kind");
        return;
    case FINDING_CALL:
        report_call(u, f, at);
        return;
    case FINDING_CLEANUP:
        diag_report(
            u->sink, DIAG_ASYNC_MISMATCH, at,
            "the async function `%.*s` cannot clean a variable up, since nothing waits for it; "
            "take a plain function, or await it in front of the end of the block",
            SV_ARG(f->name));
        return;
    case FINDING_ALIAS:
        diag_report(
            u->sink, DIAG_ASYNC_MISMATCH, at,
            "this plain function is an alias of the async function `%.*s`, and the two are called "
            "in different ways; write an async function that awaits it",
            SV_ARG(f->name));
        return;
    case FINDING_OBJECT:
        diag_report(
            u->sink, DIAG_ASYNC_DECLARATION, at,
            "`%.*s` is neither a function nor a pointer to one, so it cannot be async; remove "
            "the word",
            SV_ARG(f->name));
        return;
    case FINDING_RESULT:
        diag_report(u->sink, DIAG_ASYNC_DECLARATION, at,
                    "`%.*s` returns a pointer to a function, and `async` could belong to either; "
                    "write a typedef of the pointer, and use it as the result's type",
                    SV_ARG(f->name));
        return;
    }
}

/* ---- the whole
 * ----------------------------------------------------------------------------------- */

/* Does the user's own function have a name that the lowered text gives to something else? */
static void check_name(struct unit *u, strview owner, const char *suffix)
{
    const char *name = arena_printf(u->mem, "%.*s__%s", SV_ARG(owner), suffix);
    const struct clang_function *f = clang_unit_function(u->clang, sv_from(name));
    if (f != NULL)
        diag_report(u->sink, DIAG_RESERVED_NAME, place_of(u, f),
                    "the lowering of `%.*s` needs the name `%s` for itself; choose another name",
                    SV_ARG(owner), name);
}

void check_unit(struct unit *u)
{
    uint32_t count = 0;
    const struct clang_function *const *functions = clang_unit_async_functions(u->clang, &count);
    for (uint32_t i = 0; i < count; i++) {
        check_function(u, functions[i]);
        if (u->has_weak || unit_find(u, functions[i]->name) == NULL) /* it is called by that */
            check_name(u, functions[i]->name, "call");
    }
    for (uint32_t i = 0; i < u->function_count; i++) {
        if (u->functions[i] != NULL && u->functions[i]->is_async)
            check_reserved_names(u->functions[i]);
    }
    const struct clang_finding *findings = clang_unit_contract(u->clang, &count);
    for (uint32_t i = 0; i < count; i++)
        report_finding(u, &findings[i]);
}
