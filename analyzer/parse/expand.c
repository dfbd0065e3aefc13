/* SPDX-License-Identifier: MIT */
/*
 * How are a source's regions expanded, and nothing else? Fences are put around them, the target's
 * preprocessor runs over the copy, and what stands between the fences in its output is the
 * expansion:
 *
 *     original:  int a;  async int f(void) { return N; }  int b;
 *     copy:      int a;  _Pragma("awaitc begin 0") async int f(void) { return N; }
 *                        _Pragma("awaitc end 0")  int b;
 *
 * Unknown pragmas survive preprocessing in their order, and `_Pragma` needs no line of its own, so
 * that lines keep their numbers. The lexer that finds the regions may be wrong where macros make
 * functions; so the output is searched as well, where the answer is exact:
 *
 *     1. fence what the lexer found
 *     2. a function to lower outside every fence, in the source: fence every external declaration
 *     3. still one, or a fence whose braces do not balance: fence all from there on
 *     a function to lower in a header: inline that header, start again
 *     macros of the compiler's private headers in a region: undefine them there, run again
 *
 * A fence without a function to lower is dropped: its original text is kept.
 */
#include "analyzer/parse/expand.h"

#include <string.h>

#include "analyzer/base/check.h"
#include "analyzer/parse/expand_private.h"
#include "analyzer/parse/inline_headers.h"

#define MAX_RUNS 12

enum fencing { FENCE_REGIONS, FENCE_DECLARATIONS, FENCE_REST };

/* What has to be done before the result counts. */
enum verdict { VERDICT_GOOD, VERDICT_AGAIN, VERDICT_FAILED };

struct run_state {
    struct expand_impl *impl;
    diag_sink *sink;
    enum fencing fencing;
    uint32_t rest_begin; /* of the fence of FENCE_REST */
    bool any_async;      /* a marker outside awaitc's own headers */
    bool probe_counter, counter_known;
};

static void add_fence(struct expand_impl *impl, uint32_t begin, uint32_t end)
{
    struct fence fence = {.begin = begin, .end = end};
    fence.protect = word_set_in(impl->mem);
    fence.needed = word_set_in(impl->mem);
    VEC_PUSH(impl->mem, &impl->fences, fence);
}

static void place_fences(struct run_state *run)
{
    struct expand_impl *impl = run->impl;
    struct region_options options = {.words = REGION_WORDS_SOURCE,
                                     .trigraphs = impl->request.trigraphs,
                                     .every_declaration = run->fencing == FENCE_DECLARATIONS,
                                     .macros = impl->request.macros};
    impl->fences.count = 0;
    run->counter_known = false;
    if (run->fencing == FENCE_REST) {
        add_fence(impl, run->rest_begin, (uint32_t)impl->text.len);
        return;
    }
    struct region_list list = regions_find(impl->mem, impl->text, &options);
    for (uint32_t i = 0; i < list.count; i++)
        add_fence(impl, list.at[i].begin, list.at[i].end);
}

/* ---- the fenced copy ---------------------------------------------------------------------- */

/* Is there nothing but blanks between the last line end and this offset? */
static bool at_line_start(strview text, uint32_t at)
{
    while (at > 0 && (text.at[at - 1] == ' ' || text.at[at - 1] == '\t'))
        at--;
    return at == 0 || text.at[at - 1] == '\n';
}

/* Does a directive start here? Then a fence needs a line of its own. */
static bool at_directive(strview text, uint32_t at)
{
    return at < text.len && at_line_start(text, at) &&
           (text.at[at] == '#' || text.at[at] == '%' || text.at[at] == '?');
}

static struct diag_place written_place(const struct expand_impl *impl, uint32_t at)
{
    line_anchors anchors = {0};
    VEC_PUSH(impl->mem, &anchors, (struct line_anchor){0, impl->request.path, 1});
    expand_note_lines(impl->mem, &anchors, impl->text, 0, impl->request.path);
    return expand_anchor_place(&anchors, impl->text.at, at);
}

/* Is the end of this fence on a directive's line, or at the end of a text that may end in a
 * comment? */
static bool ends_in_directive(strview text, const struct fence *f)
{
    if (f->end == text.len)
        return true;
    uint32_t at = f->end;
    for (;;) {
        while (at > 0 && text.at[at - 1] != '\n')
            at--;
        if (at < 2 || text.at[at - 2] != '\\')
            break;
        at--;
    }
    while (at < f->end && (text.at[at] == ' ' || text.at[at] == '\t'))
        at++;
    return at_directive(text, at);
}

static void fence_begin(strbuf *out, struct expand_impl *impl, const struct fence *f, uint32_t k,
                        bool probe)
{
    bool directive = f->begin == 0 || at_directive(impl->text, f->begin);
    bool own_lines = directive || f->protect.count > 0 || probe;
    if (!own_lines) {
        strbuf_fmt(out, "_Pragma(\"awaitc begin %u\") ", k);
        return;
    }
    struct diag_place place = f->known_place ? f->begin_at : written_place(impl, f->begin);
    strbuf_char(out, '\n');
    expand_guard_push(out, &f->protect);
    if (probe)
        strbuf_fmt(out, "\n__awaitc_counter_%u_begin __COUNTER__\n", k);
    expand_line_directive(out, place);
    if (directive) {
        strbuf_fmt(out, "#pragma awaitc begin %u\n", k);
        expand_line_directive(out, place);
    } else {
        strbuf_fmt(out, "_Pragma(\"awaitc begin %u\") ", k);
    }
}

static void fence_end(strbuf *out, struct expand_impl *impl, const struct fence *f, uint32_t k,
                      bool probe)
{
    bool directive = ends_in_directive(impl->text, f);
    bool own_lines = directive || f->protect.count > 0 || probe;
    if (!directive)
        strbuf_fmt(out, " _Pragma(\"awaitc end %u\")", k);
    if (!own_lines)
        return;
    struct diag_place place = f->known_place ? f->end_at : written_place(impl, f->end);
    if (directive) {
        strbuf_char(out, '\n');
        expand_line_directive(out, place);
        strbuf_fmt(out, "#pragma awaitc end %u", k);
    }
    if (probe)
        strbuf_fmt(out, "\n__awaitc_counter_%u_end __COUNTER__", k);
    strbuf_char(out, '\n');
    expand_guard_pop(out, &f->protect);
    expand_line_directive(out, place);
}

static strview fenced_copy(struct expand_impl *impl, bool probe)
{
    strbuf out = strbuf_in(impl->mem);
    uint32_t copied = 0;
    expand_line_directive(&out, (struct diag_place){.file = impl->request.path, .line = 1});
    for (uint32_t k = 0; k < impl->fences.count; k++) {
        const struct fence *f = &impl->fences.at[k];
        strbuf_add(&out, impl->text.at + copied, f->begin - copied);
        fence_begin(&out, impl, f, k, probe);
        strbuf_add(&out, impl->text.at + f->begin, f->end - f->begin);
        fence_end(&out, impl, f, k, probe);
        copied = f->end;
    }
    strbuf_add(&out, impl->text.at + copied, impl->text.len - copied);
    return strbuf_view(&out);
}

/* ---- judging the output ------------------------------------------------------------------- */

static bool is_own_header(const struct expand_impl *impl, const char *file)
{
    return impl->request.owner(impl->request.context, file) == HEADER_OF_AWAITC;
}

/* Puts the header that a stray function is in, and those on the way to it, on the list. */
static bool inline_chain(struct expand_impl *impl, uint32_t mark)
{
    uint32_t before = impl->inlined.count;
    for (; impl->cpp->marks.at[mark].includer != CPP_NO_MARK;
         mark = impl->cpp->marks.at[mark].includer)
        word_set_add(&impl->inlined,
                     sv_from(include_plain_path(impl->mem, impl->cpp->marks.at[mark].file)));
    if (impl->inlined.count == before)
        return false;
    strview text = inline_headers(impl->request.search, impl->request.path, impl->request.source,
                                  &impl->inlined);
    bool changed = !sv_equal(text, impl->text);
    impl->text = text;
    return changed;
}

/* Where the text goes on behind its last #include: headers shall stay headers. */
static uint32_t behind_includes(const struct expand_impl *impl)
{
    struct raw_lexer x = raw_lexer_on(impl->text, impl->request.trigraphs);
    uint32_t begin = 0;
    bool open = false;
    for (struct raw_token t = raw_next(&x); t.kind != RAW_END; t = raw_next(&x)) {
        struct include_line line;
        size_t at = 0;
        strview text = {impl->text.at + t.begin, t.end - t.begin};
        if (t.kind == RAW_DIRECTIVE && include_next_line(text, &at, &line)) {
            open = true;
        } else if (open) {
            begin = t.begin;
            open = false;
        }
    }
    return begin;
}

static enum verdict stray_function(struct run_state *run, uint32_t offset)
{
    struct expand_impl *impl = run->impl;
    uint32_t mark = cpp_output_mark(impl->cpp, offset);
    struct diag_place place = cpp_output_place(impl->cpp, offset);
    if (impl->cpp->marks.at[mark].includer != CPP_NO_MARK) {
        if (is_own_header(impl, place.file))
            return VERDICT_GOOD;
        if (inline_chain(impl, mark)) {
            run->fencing = FENCE_REGIONS;
            return VERDICT_AGAIN;
        }
        diag_report(run->sink, DIAG_UNSUPPORTED, place,
                    "an async function is defined in a header that is included by a macro or a "
                    "command-line option; include it by its name");
        return VERDICT_FAILED;
    }
    if (run->fencing != FENCE_REST) {
        run->fencing++;
        run->rest_begin = behind_includes(impl);
        return VERDICT_AGAIN;
    }
    diag_report(run->sink, DIAG_PARSE, place, "the braces of this function do not balance");
    return VERDICT_FAILED;
}

/* A marker that stands neither in a fence nor in awaitc's headers. */
static void note_markers(struct run_state *run, uint32_t begin, uint32_t end)
{
    struct cpp_output *cpp = run->impl->cpp;
    for (uint32_t at = begin; !run->any_async && at < end;) {
        const char *hit = memmem(cpp->text.at + at, end - at, "__awaitc_", 9);
        if (hit == NULL)
            return;
        at = (uint32_t)(hit - cpp->text.at);
        uint32_t mark = cpp_output_mark(cpp, at);
        if (!is_own_header(run->impl, cpp->marks.at[mark].file)) {
            run->any_async = true;
            return;
        }
        /* Skip to the next mark: all up to there is in this file. */
        at = mark + 1 < cpp->marks.count ? cpp->marks.at[mark + 1].offset : end;
    }
}

static enum verdict check_outside(struct run_state *run, uint32_t begin, uint32_t end)
{
    struct expand_impl *impl = run->impl;
    strview text = {impl->cpp->text.at + begin, end - begin};
    note_markers(run, begin, end);
    if (!run->any_async)
        return VERDICT_GOOD;
    struct region_options options = {.words = REGION_WORDS_MARKERS};
    struct region_list list = regions_find(impl->mem, text, &options);
    for (uint32_t i = 0; i < list.count; i++) {
        if (!list.at[i].is_function)
            continue;
        enum verdict v = stray_function(run, begin + list.at[i].begin);
        if (v != VERDICT_GOOD)
            return v;
    }
    return VERDICT_GOOD;
}

/* Is one of the functions to be lowered? */
static bool has_function(const struct region_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->at[i].is_function)
            return true;
    }
    return false;
}

static void keep_functions(struct region_list *list)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->at[i].is_function)
            list->at[kept++] = list->at[i];
    }
    list->count = kept;
}

static enum verdict judge_fence(struct run_state *run, uint32_t k)
{
    struct expand_impl *impl = run->impl;
    struct fence *f = &impl->fences.at[k];
    struct cpp_fence *c = &impl->cpp->fences[k];
    struct region_options options = {.words = REGION_WORDS_MARKERS};
    f->kept = false;
    if (!c->begun && !c->ended)
        return VERDICT_GOOD; /* in a conditional group that is not active */
    bool broken = !c->begun || !c->ended;
    if (!broken) {
        f->begin_at = c->begin_at;
        f->end_at = c->end_at;
        f->known_place = true;
        f->cpp_begin = c->begin;
        f->clean = expand_clean(impl->mem, impl->cpp, c);
        f->functions = regions_find(impl->mem, f->clean.text, &options);
        broken = !f->functions.complete;
        f->kept = has_function(&f->functions);
        run->any_async |= memmem(f->clean.text.at, f->clean.text.len, "__awaitc_", 9) != NULL;
        keep_functions(&f->functions);
    }
    if (!broken)
        return VERDICT_GOOD;
    if (run->fencing != FENCE_REST) {
        run->fencing = FENCE_REST;
        run->rest_begin = f->begin;
        return VERDICT_AGAIN;
    }
    diag_report(run->sink, DIAG_PARSE, f->begin_at,
                "the braces or parentheses of the source do not balance");
    return VERDICT_FAILED;
}

static enum verdict judge(struct run_state *run)
{
    struct expand_impl *impl = run->impl;
    enum verdict v = VERDICT_GOOD;
    uint32_t outside = 0;
    for (uint32_t k = 0; k < impl->fences.count && v == VERDICT_GOOD; k++)
        v = judge_fence(run, k);
    for (uint32_t k = 0; k < impl->fences.count && v == VERDICT_GOOD; k++) {
        const struct cpp_fence *c = &impl->cpp->fences[k];
        if (!c->begun)
            continue;
        v = check_outside(run, outside, c->begin_line);
        outside = c->after;
    }
    if (v == VERDICT_GOOD)
        v = check_outside(run, outside, (uint32_t)impl->cpp->text.len);
    return v;
}

/* Looks for protected macros, and for uses of __COUNTER__, in what will be kept. */
static enum verdict judge_macros(struct run_state *run)
{
    struct expand_impl *impl = run->impl;
    bool again = false, counter = false;
    for (uint32_t k = 0; k < impl->fences.count; k++) {
        if (impl->fences.at[k].kept)
            again |= expand_find_protected(impl, &impl->fences.at[k], &counter);
    }
    if (counter && !run->counter_known)
        run->probe_counter = true;
    return again || run->probe_counter ? VERDICT_AGAIN : VERDICT_GOOD;
}

/* ---- __COUNTER__ -------------------------------------------------------------------------- */

static bool read_probe(strview text, uint32_t k, const char *what, uint32_t *value)
{
    char name[64];
    int len = snprintf(name, sizeof name, "__awaitc_counter_%u_%s ", k, what);
    const char *hit = memmem(text.at, text.len, name, (size_t)len);
    if (hit == NULL)
        return false;
    *value = 0;
    for (const char *p = hit + len; *p >= '0' && *p <= '9'; p++)
        *value = *value * 10 + (uint32_t)(*p - '0');
    return true;
}

/* Counts what each region consumes, in a run of its own: the probes consume, too. */
static bool probe_counters(struct run_state *run)
{
    struct expand_impl *impl = run->impl;
    const struct expand_request *r = &impl->request;
    strview output;
    if (!r->preprocess(r->context, fenced_copy(impl, true), &output))
        return false;
    for (uint32_t k = 0; k < impl->fences.count; k++) {
        uint32_t before, after;
        if (read_probe(output, k, "begin", &before) && read_probe(output, k, "end", &after))
            impl->fences.at[k].counter_uses = after > before ? after - before - 1 : 0;
    }
    run->probe_counter = false;
    run->counter_known = true;
    return true;
}

/* ---- the whole ---------------------------------------------------------------------------- */

static bool run_until_good(struct run_state *run)
{
    struct expand_impl *impl = run->impl;
    const struct expand_request *r = &impl->request;
    bool same_fences = false;
    for (int i = 0; i < MAX_RUNS; i++) {
        strview output;
        if (!same_fences)
            place_fences(run);
        if (!r->preprocess(r->context, fenced_copy(impl, false), &output))
            return false;
        impl->cpp = cpp_output_read(impl->mem, output, (uint32_t)impl->fences.count);
        enum verdict v = judge(run);
        same_fences = v == VERDICT_GOOD;
        if (v == VERDICT_GOOD)
            v = judge_macros(run);
        if (run->probe_counter && v == VERDICT_AGAIN && !probe_counters(run))
            return false;
        if (v != VERDICT_AGAIN)
            return v == VERDICT_GOOD;
    }
    diag_report(run->sink, DIAG_INTERNAL, (struct diag_place){.file = r->path},
                "the source does not settle after %d preprocessor runs", MAX_RUNS);
    return false;
}

static void drop_fences(struct expand_impl *impl)
{
    size_t kept = 0;
    for (size_t k = 0; k < impl->fences.count; k++) {
        if (impl->fences.at[k].kept)
            impl->fences.at[kept++] = impl->fences.at[k];
    }
    impl->fences.count = kept;
}

/* Comments move the functions, so these are looked for again. */
static void finish_fence(struct expand_impl *impl, struct fence *f)
{
    struct region_options options = {.words = REGION_WORDS_MARKERS};
    expand_restore_comments(impl->mem, impl->text, f, impl->request.trigraphs);
    f->functions = regions_find(impl->mem, f->clean.text, &options);
    keep_functions(&f->functions);
}

enum expand_status expand_unit(arena *mem, const struct expand_request *request, diag_sink *sink,
                               expanded *out)
{
    struct expand_impl *impl = ARENA_NEW(mem, struct expand_impl);
    impl->mem = mem;
    impl->request = *request;
    impl->text = request->source;
    impl->inlined = word_set_in(mem);
    if (request->async_header_count > 0) {
        for (uint32_t i = 0; i < request->async_header_count; i++)
            word_set_add(&impl->inlined,
                         sv_from(include_plain_path(mem, request->async_headers[i])));
        impl->text =
            inline_headers(request->search, request->path, request->source, &impl->inlined);
    }
    struct run_state run = {.impl = impl, .sink = sink, .any_async = request->names_leaf};
    if (!run_until_good(&run))
        return EXPAND_FAILED;
    if (!run.any_async)
        return EXPAND_PLAIN;
    expand_find_strays(impl, sink);
    drop_fences(impl);
    for (size_t k = 0; k < impl->fences.count; k++)
        finish_fence(impl, &impl->fences.at[k]);
    out->path = request->path;
    out->original = impl->text;
    out->impl = impl;
    expand_compose(impl, out);
    return EXPAND_DONE;
}
