/* SPDX-License-Identifier: MIT */
/*
 * Which macros must not touch which text? Two answers:
 *
 * Protected macros come from the compiler's private headers (stdatomic.h, *intrin.h) and from
 * tgmath.h: gcc's expansion of them is not clang's language, so regions keep their calls, and
 * whoever reads the text next expands them in its own way.
 *
 * Guarded words stand in expanded text and are macros all the same: self-referential ones
 * (`#define read(a) wrapped(read(a))`), function-like ones named without a call, or names that the
 * lowering made. Around the region they are undefined. A word counts if it was ever defined before:
 * undefining more than needed does no harm, as pop_macro restores what was.
 */
#include <string.h>

#include "analyzer/base/check.h"
#include "analyzer/parse/expand_private.h"

/* Private headers whose expansions every compiler understands. */
static bool is_harmless(const char *path)
{
    static const char *const names[] = {"stddef.h",    "stdarg.h",      "stdbool.h",   "float.h",
                                        "limits.h",    "iso646.h",      "stdalign.h",  "stdint.h",
                                        "syslimits.h", "stdnoreturn.h", "stdint-gcc.h"};
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    for (size_t i = 0; i < COUNTOF(names); i++) {
        if (strcmp(name, names[i]) == 0)
            return true;
    }
    return strncmp(name, "__stddef_", 9) == 0 || strncmp(name, "__stdarg_", 9) == 0;
}

static bool is_protected(const struct expand_impl *impl, const struct cpp_macro *macro)
{
    const char *slash = strrchr(macro->file, '/');
    if (strcmp(slash != NULL ? slash + 1 : macro->file, "tgmath.h") == 0)
        return true;
    const struct expand_request *r = &impl->request;
    return macro->file[0] != '<' && !is_harmless(macro->file) &&
           r->owner(r->context, macro->file) == HEADER_OF_COMPILER;
}

struct closure {
    struct expand_impl *impl;
    struct fence *fence;
    word_set seen;
    VEC(const struct cpp_macro *) todo;
    bool found, counter;
};

static void visit_words(struct closure *c, strview text)
{
    struct raw_lexer x = raw_lexer_on(text, false);
    x.line_start = false;
    arena *mem = c->impl->mem;
    for (struct raw_token t = raw_next(&x); t.kind != RAW_END; t = raw_next(&x)) {
        if (t.kind == RAW_DIRECTIVE) {
            struct raw_lexer line = raw_directive(&x, &t);
            visit_words(c, (strview){text.at + line.at, t.end - line.at});
            continue;
        }
        if (t.kind != RAW_WORD)
            continue;
        strview word = raw_spelling(mem, &x, &t);
        uint32_t before = c->seen.count;
        word_set_add(&c->seen, word);
        if (c->seen.count == before)
            continue;
        c->counter |= sv_is(word, "__COUNTER__");
        const struct cpp_macro *macro = cpp_output_macro(c->impl->cpp, word, c->fence->cpp_begin);
        if (macro != NULL)
            VEC_PUSH(mem, &c->todo, macro);
    }
}

/* All that a protected macro expands to must be left alone, too. */
static void visit_needed(struct closure *c, strview text)
{
    struct raw_lexer x = raw_lexer_on(text, false);
    x.line_start = false;
    for (struct raw_token t = raw_next(&x); t.kind != RAW_END; t = raw_next(&x)) {
        if (t.kind != RAW_WORD)
            continue;
        strview word = raw_spelling(c->impl->mem, &x, &t);
        uint32_t before = c->fence->needed.count;
        word_set_add(&c->fence->needed, word);
        const struct cpp_macro *macro = cpp_output_macro(c->impl->cpp, word, c->fence->cpp_begin);
        if (macro != NULL && c->fence->needed.count != before)
            visit_needed(c, macro->text);
    }
}

bool expand_find_protected(struct expand_impl *impl, struct fence *fence, bool *counter)
{
    struct closure c = {.impl = impl, .fence = fence, .seen = word_set_in(impl->mem)};
    visit_words(&c, (strview){impl->text.at + fence->begin, fence->end - fence->begin});
    while (c.todo.count > 0) {
        const struct cpp_macro *macro = VEC_LAST(&c.todo);
        c.todo.count--;
        if (!is_protected(impl, macro)) {
            visit_words(&c, macro->text);
        } else if (word_set_find(&fence->protect, macro->name) == NULL) {
            word_set_add(&fence->protect, macro->name);
            visit_needed(&c, macro->text);
            c.found = true;
        }
    }
    *counter |= c.counter;
    return c.found;
}

/* What the macros of <awaitc/abi.h> expand to in lowered text, beside their arguments. That header
 * is read by the last compile only, so that its macros are not known here. */
static const char *const abi_words[] = {"at", "lim", "parent", "pending", "stk"};

static void guard_word(const struct expand_impl *impl, const struct fence *fence, strview word,
                       word_set *guarded)
{
    const struct expand_request *r = &impl->request;
    const struct cpp_macro *macro = cpp_output_macro(impl->cpp, word, fence->cpp_begin);
    if (macro != NULL && word_set_find(&fence->protect, word) == NULL &&
        word_set_find(&fence->needed, word) == NULL &&
        r->owner(r->context, macro->file) != HEADER_OF_AWAITC)
        word_set_add(guarded, word);
}

word_set expand_guarded(const struct expand_impl *impl, const struct fence *fence, strview text)
{
    word_set seen = word_set_in(impl->mem), guarded = word_set_in(impl->mem);
    struct raw_lexer x = raw_lexer_on(text, false);
    for (struct raw_token t = raw_next(&x); t.kind != RAW_END; t = raw_next(&x)) {
        if (t.kind != RAW_WORD)
            continue;
        strview word = {text.at + t.begin, t.end - t.begin};
        uint32_t before = seen.count;
        word_set_add(&seen, word);
        if (seen.count != before)
            guard_word(impl, fence, word, &guarded);
    }
    for (size_t i = 0; i < COUNTOF(abi_words); i++)
        guard_word(impl, fence, sv_from(abi_words[i]), &guarded);
    return guarded;
}

/* The words in an order that does not depend on the hash: by their place in memory would do, but
 * texts differ; so by spelling. */
static const strview *sorted_words(const word_set *names)
{
    strview *list = ARENA_ARRAY(names->mem, strview, names->count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < names->slot_count; i++) {
        if (names->slots[i].word.at == NULL)
            continue;
        strview word = names->slots[i].word;
        uint32_t at = count++;
        for (; at > 0; at--) {
            strview other = list[at - 1];
            int order = memcmp(other.at, word.at, other.len < word.len ? other.len : word.len);
            if (order < 0 || (order == 0 && other.len < word.len))
                break;
            list[at] = other;
        }
        list[at] = word;
    }
    return list;
}

void expand_guard_push(strbuf *out, const word_set *names)
{
    const strview *list = sorted_words(names);
    for (uint32_t i = 0; i < names->count; i++)
        strbuf_fmt(out, "#pragma push_macro(\"%.*s\")\n#undef %.*s\n", SV_ARG(list[i]),
                   SV_ARG(list[i]));
}

void expand_guard_pop(strbuf *out, const word_set *names)
{
    const strview *list = sorted_words(names);
    for (uint32_t i = 0; i < names->count; i++)
        strbuf_fmt(out, "#pragma pop_macro(\"%.*s\")\n", SV_ARG(list[i]));
}
