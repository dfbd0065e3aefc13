/* SPDX-License-Identifier: MIT */
/*
 * The order of work of the lowering, on one screen. Regions are parsed and checked all before any
 * is lowered, so that every error of a file is reported in one run; then each is lowered in source
 * order, since a function's frame must be known before its callers' frames that contain it.
 */
#include "transforms/lower.h"

#include <pthread.h>
#include <stdlib.h>

#include "analyzer/base/check.h"
#include "analyzer/syntax/ast_parse.h"
#include "transforms/emit/emit.h"
#include "transforms/forms/form_nested.h"
#include "transforms/forms/forms.h"
#include "transforms/lowering.h"
#include "transforms/parameter_types.h"
#include "transforms/rewrite.h"
#include "transforms/state_export.h"
#include "transforms/variable_arrays.h"

static bool is_typedef(void *context, strview name, uint32_t before_offset)
{
    return clang_unit_is_typedef(context, name, before_offset);
}

static bool is_within(const struct region *r, uint32_t offset)
{
    return offset >= r->buffer_begin && offset < r->buffer_end;
}

static bool has_clang_error(const struct unit *u, const struct region *r)
{
    uint32_t count = 0;
    const struct clang_error *errors = clang_unit_errors(u->clang, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (is_within(r, errors[i].offset))
            return true;
    }
    return false;
}

/* Is there an error outside of the regions? Those that are kept are fatal: what libclang shows of
 * the rest has holes. */
static bool is_spoiled(const struct unit *u)
{
    uint32_t count = 0;
    const struct clang_error *errors = clang_unit_errors(u->clang, &count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = 0;
        while (k < u->source->region_count && !is_within(&u->source->regions[k], errors[i].offset))
            k++;
        if (k == u->source->region_count)
            return true;
    }
    return false;
}

static ast_function *parse_text(struct unit *u, const struct region *r,
                                struct ast_parse_error *error)
{
    struct ast_parse_request request = {.mem = u->mem,
                                        .buffer = u->source->buffer,
                                        .begin = r->buffer_begin,
                                        .end = r->buffer_end,
                                        .is_typedef = is_typedef,
                                        .context = u->clang};
    return ast_parse(&request, error);
}

/* Is the error at a nested function, which clang has not? */
static bool report_nested_function(struct unit *u, const ast_function *fn, const ast_node *n,
                                   uint32_t offset)
{
    uint32_t begin = fn->tokens[n->first].begin;
    if (n->first >= n->last || offset < begin || offset >= fn->tokens[n->last - 1].end)
        return false;
    if (n->kind == AST_NESTED_FUNCTION) {
        diag_report(u->sink, DIAG_NESTED_FUNCTION, unit_place(u, begin),
                    "a nested function cannot stand in a function that is lowered, since its "
                    "variables may be in a frame; move it to file scope");
        return true;
    }
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && report_nested_function(u, fn, n->kid[i], offset))
            return true;
    }
    return false;
}

/* Does libclang complain of a form that has too many or too few arguments, or of a nested function?
 * It speaks of the macro behind the one, and knows nothing of the other; this says what is wrong.
 */
static bool report_instead(struct unit *u, uint32_t offset)
{
    for (uint32_t i = 0; i < u->source->region_count; i++) {
        struct ast_parse_error error;
        if (!is_within(&u->source->regions[i], offset))
            continue;
        const ast_function *fn = parse_text(u, &u->source->regions[i], &error);
        return fn != NULL && (form_check_count(u, fn, fn->root, offset) ||
                              report_nested_function(u, fn, fn->root, offset));
    }
    return false;
}

static void report_clang_errors(struct unit *u)
{
    uint32_t count = 0;
    const struct clang_error *errors = clang_unit_errors(u->clang, &count);
    for (uint32_t i = 0; i < count; i++) {
        struct diag_place at = {errors[i].file, errors[i].line, errors[i].column};
        if (errors[i].offset != UINT32_MAX && report_instead(u, errors[i].offset))
            continue;
        if (errors[i].offset != UINT32_MAX)
            at = unit_place(u, errors[i].offset);
        diag_report(u->sink, DIAG_PARSE, at, "%s", errors[i].text);
    }
}

static bool open_unit(struct unit *u)
{
    const expanded *source = u->source;
    struct clang_range *ranges = ARENA_ARRAY(u->mem, struct clang_range, source->region_count + 1);
    for (uint32_t i = 0; i < source->region_count; i++)
        ranges[i] =
            (struct clang_range){source->regions[i].buffer_begin, source->regions[i].buffer_end};
    struct clang_unit_request request = {.path = source->path,
                                         .buffer = source->buffer,
                                         .args = u->options->clang_args,
                                         .arg_count = u->options->clang_arg_count,
                                         .regions = ranges,
                                         .region_count = source->region_count};
    const char *failure = NULL;
    u->clang = clang_unit_parse(u->mem, &request, &failure);
    if (u->clang == NULL) {
        diag_report(u->sink, DIAG_INTERNAL, (struct diag_place){source->path, 0, 0}, "%s", failure);
        return false;
    }
    u->types = clang_unit_types(u->clang);
    report_clang_errors(u);
    return !is_spoiled(u);
}

/* Every automatic object gets a number: AIR local and index of its plan. */
static void number_local(lowering *l, ast_decl *d)
{
    const struct type *t = type_of(l, d->type);
    bool is_left = t->is_variable && d->kind != DECL_PARAM; /* see variable_arrays.h */
    if (d->name.len == 0 || is_left || t->cls == TYPE_FUNCTION)
        return;
    d->local = (uint32_t)l->locals.count;
    VEC_PUSH(l->mem, &l->locals, d);
}

static void number_locals(lowering *l)
{
    for (size_t i = 0; i < l->fn->decls.count; i++)
        l->fn->decls.at[i]->local = UINT32_MAX;
    if (!l->is_async)
        return;
    for (size_t i = 0; i < l->fn->params.count; i++)
        number_local(l, l->fn->params.at[i]);
    for (size_t i = 0; i < l->fn->decls.count; i++) {
        ast_decl *d = l->fn->decls.at[i];
        if (d->kind == DECL_VAR && (d->storage == STORAGE_AUTO || d->storage == STORAGE_REGISTER))
            number_local(l, d);
    }
}

static lowering *parse_region(struct unit *u, uint32_t index)
{
    const struct region *r = &u->source->regions[index];
    if (r->buffer_begin == r->buffer_end || has_clang_error(u, r))
        return NULL;
    struct ast_parse_error error;
    ast_function *fn = parse_text(u, r, &error);
    if (fn == NULL) {
        diag_report(u->sink, error.is_block ? DIAG_NESTED_FUNCTION : DIAG_PARSE,
                    unit_place(u, error.offset), "%s", error.text);
        return NULL;
    }
    uint32_t offset = r->buffer_begin;
    const char *disagreement = clang_unit_annotate(u->clang, fn, &offset);
    if (disagreement != NULL) {
        bool is_users = sv_starts(sv_from(disagreement), "libclang sees this await") ||
                        sv_starts(sv_from(disagreement), "libclang does not see this await");
        diag_report(
            u->sink, is_users ? DIAG_UNSUPPORTED : DIAG_INTERNAL, unit_place(u, offset),
            "%s; this construct is not lowered, since the two parsers do not agree about it",
            disagreement);
        return NULL;
    }
    lowering *l = ARENA_NEW(u->mem, lowering);
    l->unit = u;
    l->mem = u->mem;
    l->fn = fn;
    l->region = r;
    l->name = arena_strndup(u->mem, fn->name.at, fn->name.len);
    l->known = clang_unit_function(u->clang, fn->name);
    l->is_async = fn->is_async || (l->known != NULL && l->known->is_async);
    l->is_main = l->is_async && sv_is(fn->name, "main");
    if (l->known != NULL && fn->type == TYPE_NONE)
        fn->type = l->known->type;
    fn->is_static |= l->known != NULL && l->known->is_static; /* an earlier declaration's word */
    return l;
}

static void dump_air(const lowering *l, const char *pass)
{
    const struct lower_options *o = l->unit->options;
    if (o->dump_after == NULL || strcmp(o->dump_after, pass) != 0 || o->dump == NULL)
        return;
    strbuf out = strbuf_in(l->mem);
    air_print(l->air, &out);
    fputs(strbuf_text(&out), o->dump);
}

static void lower_function(lowering *l)
{
    effects_prepare(l);
    mark_awaits(l);
    find_cleanups(l);
    spawn_collect(l, l->fn->root->kid[2]);
    if (l->is_async)
        find_literal_objects(l);
    if (l->failed)
        return;
    flatten_awaits(l);
    for (size_t i = 0; i < l->cleanups.count; i++) {
        if (l->cleanups.at[i]->is_scope)
            scope_add_leave(l, l->cleanups.at[i]);
    }
    if (l->failed || !l->is_async)
        return;
    l->never_suspends = l->points.count == 0;
    build_air(l);
    const char *broken = air_verify(l->air, l->mem);
    if (broken != NULL) {
        lower_error(l, DIAG_INTERNAL, l->fn->root, "the function's AIR is broken: %s", broken);
        return;
    }
    dump_air(l, "build-air");
    l->across = across_await_compute(l->mem, l->air);
    l->layout = frame_layout_compute(l->mem, l->air, l->across, 16, l->unit->options->share_slots);
    plan_locals(l);
    name_states(l);
    check_state_names(l);
    find_over_aligned(l);
    check_storable(l);
    check_openmp_names(l);
}

static const char *prelude(struct unit *u)
{
    strbuf out = strbuf_in(u->mem);
    uint32_t count = 0;
    const struct clang_function *const *functions = clang_unit_async_functions(u->clang, &count);
    /* a user's name is an alias of another type: meant so */
    strbuf_str(&out,
               "#ifndef __clang__\n#pragma GCC diagnostic ignored \"-Wattribute-alias\"\n#endif\n");
    for (uint32_t i = 0; i < count; i++) {
        const struct clang_function *f = functions[i];
        if (f->is_static || f->asm_name != NULL || sv_is(f->name, "main"))
            continue;
        strbuf_fmt(&out, "#pragma redefine_extname %.*s %.*s__aw1__or_not_lowered\n",
                   SV_ARG(f->name), SV_ARG(f->name));
    }
    return strbuf_text(&out);
}

/* Does the source pack records? */
static bool has_pack_pragma(strview text)
{
    const char *end = text.at + text.len;
    for (const char *at = text.at; (at = memmem(at, (size_t)(end - at), "ragma", 5)) != NULL;
         at++) {
        const char *word = at + 5;
        word += strspn(word, " \t(\"");
        if (strncmp(word, "pack", 4) == 0)
            return true;
    }
    return false;
}

struct work {
    arena *mem;
    const expanded *source;
    const struct lower_options *options;
    diag_sink *sink;
    struct lowered *out;
    bool done;
};

/* Parses and checks all regions; false: errors were reported. */
static bool read_unit(struct unit *u)
{
    if (!open_unit(u))
        return false;
    u->has_weak = memmem(u->source->buffer.at, u->source->buffer.len, "weak", 4) != NULL;
    u->packs = has_pack_pragma(u->source->buffer);
    u->has_parted_words = false; /* of the buffer before a rewriting */
    u->function_count = u->source->region_count;
    u->functions = ARENA_ARRAY(u->mem, lowering *, u->function_count + 1);
    for (uint32_t i = 0; i < u->function_count; i++)
        u->functions[i] = parse_region(u, i);
    for (uint32_t i = 0; i < u->function_count; i++) {
        if (u->functions[i] != NULL) {
            number_locals(u->functions[i]);
            check_contract(u->functions[i]);
        }
    }
    check_unit(u);
    find_entries(u);
    return diag_error_count(u->sink) == 0;
}

/* Makes constructs plainer C, and reads the unit again if there were any; false: errors were
 * reported. */
static bool rewrite_unit(struct unit *u, bool (*rewrite)(struct unit *u))
{
    while (rewrite(u)) { /* what is made may need it again */
        if (!read_unit(u))
            return false;
    }
    return diag_error_count(u->sink) == 0;
}

static void lower_region(struct work *w, struct unit *u, uint32_t index)
{
    lowering *l = u->functions[index];
    hidden_types_begin(l);
    lower_function(l);
    hidden_types_begin(l);
    if (l->failed) {
        hidden_types_end(l);
        return;
    }
    uint32_t given = u->map != NULL ? u->map->owner[index] : index;
    strview *text = &w->out->texts[given];
    strbuf out = strbuf_in(w->mem);
    if (text->len == 0 && u->fronts != NULL && u->fronts[given] != NULL)
        strbuf_str(&out, u->fronts[given]);
    strbuf_sv(&out, *text);
    if (l->is_unused)
        strbuf_fmt(&out, "\n#if 0 /* inline, and not used here */\n%.*s\n#endif\n",
                   SV_ARG(ast_node_text(l->fn, l->fn->root)));
    else
        emit_region(l, &out);
    *text = strbuf_view(&out);
    if (w->options->want_machines)
        state_export(l);
    hidden_types_end(l);
}

static void lower_all(struct work *w)
{
    struct unit u = {.mem = w->mem, .source = w->source, .options = w->options, .sink = w->sink};
    if (!read_unit(&u) || !rewrite_unit(&u, variable_arrays_rewrite) ||
        !rewrite_unit(&u, parameter_types_rewrite) || !rewrite_unit(&u, nested_rewrite))
        return;
    if (!w->options->keeps_unused)
        find_unused_inline(&u);
    w->out->texts = ARENA_ARRAY(w->mem, strview, w->source->region_count + 1);
    for (uint32_t i = 0; i < u.function_count; i++) {
        if (u.functions[i] != NULL)
            lower_region(w, &u, i);
    }
    w->out->prelude = sv_from(prelude(&u));
    if (w->options->want_machines)
        w->out->machines = state_export_list(&u);
    w->done = diag_error_count(w->sink) == 0;
}

static void *lower_thread(void *argument)
{
    lower_all(argument);
    return NULL;
}

bool lower_unit(arena *mem, const expanded *unit, const struct lower_options *options,
                diag_sink *sink, struct lowered *out)
{
    /* Walks of the tree recurse as deep as expressions nest: a chain of 100,000 operators is legal
     * C, so the walks get a stack of their own, which the kernel only fills as far as it is used.
     */
    struct work w = {mem, unit, options, sink, out, false};
    pthread_attr_t attr;
    pthread_t thread;
    pthread_attr_init(&attr);
    bool started = false;
    for (size_t size = (size_t)1 << 30; size >= (size_t)16 << 20 && !started; size /= 4)
        started = pthread_attr_setstacksize(&attr, size) == 0 &&
                  pthread_create(&thread, &attr, lower_thread, &w) == 0;
    if (started)
        pthread_join(thread, NULL);
    else
        lower_all(&w);
    pthread_attr_destroy(&attr);
    return w.done;
}
