/* SPDX-License-Identifier: MIT */
/*
 * How do expanded, or lowered, regions get back between the rest of the source? The same way both
 * times:
 *
 *     ... original text
 *     #pragma push_macro("x")      a guard for each word of the text that is a macro here
 *     #undef x
 *     #line 12 "foo.c"
 *     the text of the fence        function by function: expanded, or lowered
 *     #pragma pop_macro("x")
 *     #define y 3                  what the region itself defined
 *     #line 20 "foo.c"
 *     original text ...
 */
#include <string.h>

#include "analyzer/base/check.h"
#include "analyzer/parse/expand_private.h"

struct composer {
    struct expand_impl *impl;
    const expanded *unit;
    const strview *texts; /* lowered functions; NULL: the buffer is made */
    bool line_directives;
    strbuf out;
};

static void fresh_line(strbuf *out)
{
    if (out->len > 0 && out->at[out->len - 1] != '\n')
        strbuf_char(out, '\n');
}

static void anchor(struct composer *c, struct diag_place place)
{
    if (c->texts == NULL)
        VEC_PUSH(c->impl->mem, &c->impl->anchors,
                 (struct line_anchor){(uint32_t)c->out.len, place.file, place.line});
}

static void line_here(struct composer *c, struct diag_place place)
{
    if (c->line_directives)
        expand_line_directive(&c->out, place);
    anchor(c, place);
}

static bool is_blank(strview text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (strchr(" \t\r\n", text.at[i]) == NULL)
            return false;
    }
    return true;
}

/* Text that was expanded but is not lowered: the keywords of its declarations are written again. */
static void restore_keywords(strbuf *out, strview text)
{
    struct raw_lexer x = raw_lexer_on(text, false);
    uint32_t copied = 0;
    for (struct raw_token t = raw_next(&x); t.kind != RAW_END; t = raw_next(&x)) {
        strview word = {text.at + t.begin, t.end - t.begin};
        if (t.kind != RAW_WORD || expand_source_word(word).at == word.at)
            continue;
        strbuf_add(out, text.at + copied, t.begin - copied);
        strbuf_fmt(out, "aw_%.*s", SV_ARG(expand_source_word(word)));
        copied = t.end;
    }
    strbuf_add(out, text.at + copied, text.len - copied);
}

/* The text between two functions of a fence, as it was expanded. */
static void between(struct composer *c, const struct fence *f, uint32_t begin, uint32_t end)
{
    strview text = {f->clean.text.at + begin, end - begin};
    if (c->texts == NULL) {
        for (size_t i = 0; i < f->clean.anchors.count; i++) {
            struct line_anchor a = f->clean.anchors.at[i];
            if (a.offset >= begin && a.offset < end && a.offset > 0) {
                a.offset += (uint32_t)c->out.len - begin;
                VEC_PUSH(c->impl->mem, &c->impl->anchors, a);
            }
        }
        strbuf_sv(&c->out, text);
    } else if (!is_blank(text)) {
        fresh_line(&c->out);
        line_here(c, expand_anchor_place(&f->clean.anchors, f->clean.text.at, begin));
        restore_keywords(&c->out, text);
        fresh_line(&c->out);
    }
}

static void function_text(struct composer *c, const struct fence *f, uint32_t i)
{
    struct region_range r = f->functions.at[i];
    uint32_t index = f->first_region + i;
    if (c->texts == NULL) {
        c->unit->regions[index].buffer_begin = (uint32_t)c->out.len;
        between(c, f, r.begin, r.end);
        c->unit->regions[index].buffer_end = (uint32_t)c->out.len;
        return;
    }
    strview text = c->texts[index];
    fresh_line(&c->out);
    if (text.len > 0 && text.at[0] != '#')
        line_here(c, expand_anchor_place(&f->clean.anchors, f->clean.text.at, r.begin));
    strbuf_sv(&c->out, text);
    fresh_line(&c->out);
}

/* All words that must be guarded around what will stand for the fence. */
static word_set guards_of(struct composer *c, const struct fence *f)
{
    if (c->texts == NULL)
        return expand_guarded(c->impl, f, f->clean.text);
    strbuf all = strbuf_in(c->impl->mem);
    uint32_t at = 0;
    for (uint32_t i = 0; i < f->functions.count; i++) {
        strbuf_add(&all, f->clean.text.at + at, f->functions.at[i].begin - at);
        strbuf_char(&all, '\n');
        strbuf_sv(&all, c->texts[f->first_region + i]);
        strbuf_char(&all, '\n');
        at = f->functions.at[i].end;
    }
    strbuf_add(&all, f->clean.text.at + at, f->clean.text.len - at);
    return expand_guarded(c->impl, f, strbuf_view(&all));
}

static void fence_text(struct composer *c, const struct fence *f)
{
    word_set guards = guards_of(c, f);
    fresh_line(&c->out);
    expand_guard_push(&c->out, &guards);
    if (c->texts == NULL)
        line_here(c, f->begin_at);
    uint32_t at = 0;
    for (uint32_t i = 0; i < f->functions.count; i++) {
        between(c, f, at, f->functions.at[i].begin);
        function_text(c, f, i);
        at = f->functions.at[i].end;
    }
    between(c, f, at, (uint32_t)f->clean.text.len);
    fresh_line(&c->out);
    expand_guard_pop(&c->out, &guards);
    strbuf_sv(&c->out, f->clean.restated);
    for (uint32_t i = 0; i < f->counter_uses; i++)
        strbuf_str(&c->out, "__extension__ _Static_assert(__COUNTER__ >= 0, \"\");\n");
}

/* The original behind a fence goes on at `at`, on a new line. */
static uint32_t resume_original(struct composer *c, const struct fence *f)
{
    strview text = c->impl->text;
    uint32_t at = f->end;
    while (at < text.len && (text.at[at] == ' ' || text.at[at] == '\t' || text.at[at] == '\r'))
        at++;
    struct diag_place place = f->end_at;
    if (at < text.len && text.at[at] == '\n') {
        place.line++;
        line_here(c, place);
        return at + 1;
    }
    if (at < text.len)
        line_here(c, place);
    return at < text.len ? f->end : at;
}

static void original_text(struct composer *c, uint32_t begin, uint32_t end)
{
    strview text = {c->impl->text.at + begin, end - begin};
    if (c->texts == NULL)
        expand_note_lines(c->impl->mem, &c->impl->anchors, text, (uint32_t)c->out.len,
                          c->impl->anchors.count > 0 ? VEC_LAST(&c->impl->anchors).file
                                                     : c->impl->request.path);
    strbuf_sv(&c->out, text);
}

static void compose(struct composer *c)
{
    struct expand_impl *impl = c->impl;
    uint32_t at = 0;
    for (size_t k = 0; k < impl->fences.count; k++) {
        const struct fence *f = &impl->fences.at[k];
        original_text(c, at, f->begin);
        fence_text(c, f);
        at = resume_original(c, f);
    }
    if (at < impl->text.len)
        original_text(c, at, (uint32_t)impl->text.len);
}

void expand_compose(struct expand_impl *impl, expanded *out)
{
    uint32_t count = 0;
    for (size_t k = 0; k < impl->fences.count; k++) {
        impl->fences.at[k].first_region = count;
        count += impl->fences.at[k].functions.count;
    }
    out->region_count = count;
    out->regions = ARENA_ARRAY(impl->mem, struct region, count + 1);
    for (size_t k = 0; k < impl->fences.count; k++) {
        const struct fence *f = &impl->fences.at[k];
        for (uint32_t i = 0; i < f->functions.count; i++) {
            struct region *r = &out->regions[f->first_region + i];
            r->original_begin = i == 0 ? f->begin : f->end;
            r->original_end = f->end;
        }
    }
    struct composer c = {.impl = impl, .unit = out, .line_directives = true};
    c.out = strbuf_in(impl->mem);
    impl->anchors.count = 0;
    anchor(&c, (struct diag_place){.file = impl->request.path, .line = 1});
    compose(&c);
    strbuf_char(&c.out, '\n');
    out->buffer = (strview){strbuf_text(&c.out), c.out.len};
    expand_index_lines(impl, out->buffer);
}

strview expand_splice(const expanded *unit, arena *mem, strview prelude, const strview *texts)
{
    struct expand_impl *impl = unit->impl;
    static const strview none[1];
    struct composer c = {.impl = impl, .unit = unit, .texts = texts != NULL ? texts : none};
    c.line_directives = impl->request.line_directives;
    c.out = strbuf_in(mem);
    strbuf_sv(&c.out, prelude);
    fresh_line(&c.out);
    line_here(&c, (struct diag_place){.file = impl->request.path, .line = 1});
    compose(&c);
    return strbuf_view(&c.out);
}
