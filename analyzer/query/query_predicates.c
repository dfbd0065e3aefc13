/* SPDX-License-Identifier: MIT */
/*
 * Reading and evaluating predicates. A capture without a node (it is optional, or of another
 * branch) satisfies everything, as in other users of tree-sitter.
 */
#include "analyzer/query/query_predicates.h"

#include <string.h>

#include "analyzer/base/check.h"
#include "analyzer/base/nearest_name.h"

struct predicate_kind {
    enum predicate_op op;
    const char *name;
    bool negated, any;
    size_t fewest, most; /* arguments behind the first */
    bool needs_async;
};

static const struct predicate_kind kinds[] = {
#define PREDICATE(op, name, negated, any, fewest, most, needs_async)                               \
    {PREDICATE_##op, name, negated, any, fewest, most, needs_async},
#include "analyzer/query/query_predicates.def"
#undef PREDICATE
};

static strview step_text(const TSQuery *query, const TSQueryPredicateStep *step)
{
    uint32_t len;
    const char *text = step->type == TSQueryPredicateStepTypeCapture
                           ? ts_query_capture_name_for_id(query, step->value_id, &len)
                           : ts_query_string_value_for_id(query, step->value_id, &len);
    return (strview){text, len};
}

static const char *unknown_name(arena *mem, strview name)
{
    struct nearest_name near = nearest_name_start(arena_strndup(mem, name.at, name.len));
    for (size_t i = 0; i < COUNTOF(kinds); i++)
        nearest_name_offer(&near, kinds[i].name, kinds[i].name);
    if (near.best == NULL)
        return arena_printf(mem, "there is no predicate #%.*s", SV_ARG(name));
    return arena_printf(mem, "there is no predicate #%.*s; did you mean #%s?", SV_ARG(name),
                        near.best);
}

static const struct predicate_kind *find_kind(strview name)
{
    for (size_t i = 0; i < COUNTOF(kinds); i++) {
        if (sv_is(name, kinds[i].name))
            return &kinds[i];
    }
    return NULL;
}

static void read_words(arena *mem, const TSQuery *query, const TSQueryPredicateStep *steps,
                       struct predicate *out)
{
    struct predicate_word *words = ARENA_ARRAY(mem, struct predicate_word, out->word_count);
    strview *strings = ARENA_ARRAY(mem, strview, out->word_count);
    for (size_t i = 0; i < out->word_count; i++) {
        bool is_capture = steps[i].type == TSQueryPredicateStepTypeCapture;
        words[i] = (struct predicate_word){is_capture ? steps[i].value_id : NO_CAPTURE,
                                           step_text(query, &steps[i])};
        strings[i] = is_capture ? SV("") : words[i].text;
    }
    out->words = words;
    out->strings = strings;
}

static const char *read_regex(arena *mem, struct predicate *p)
{
    const char *why = "it is a capture";
    if (p->words[0].capture == NO_CAPTURE)
        p->regex = query_regex_compile(mem, p->words[0].text, &why);
    if (p->regex != NULL)
        return NULL;
    return arena_printf(mem, "#%s takes a regular expression, and '%.*s' is none: %s",
                        p->kind->name, SV_ARG(p->words[0].text), why);
}

const char *predicate_read(arena *mem, const TSQuery *query, const TSQueryPredicateStep *steps,
                           size_t count, struct predicate *out)
{
    AWC_ASSERT(count > 0);
    strview name = step_text(query, &steps[0]);
    struct predicate p = {.kind = find_kind(name)};
    if (p.kind == NULL)
        return unknown_name(mem, name);
    if (count < 2 || steps[1].type != TSQueryPredicateStepTypeCapture)
        return arena_printf(mem, "#%s takes a capture first, as in (#%s @name ...)", p.kind->name,
                            p.kind->name);
    p.capture = steps[1].value_id;
    p.word_count = count - 2;
    if (p.word_count < p.kind->fewest || p.word_count > p.kind->most)
        return arena_printf(mem, "#%s takes %s%zu argument%s behind the capture, not %zu",
                            p.kind->name, p.kind->fewest == p.kind->most ? "" : "at least ",
                            p.kind->fewest, p.kind->fewest == 1 ? "" : "s", p.word_count);
    if (p.kind->op == PREDICATE_HELD && p.word_count % 2 != 0)
        return arena_printf(mem,
                            "#%s takes pairs of functions, one that acquires and one that "
                            "releases",
                            p.kind->name);
    read_words(mem, query, steps + 2, &p);
    if (p.kind->op == PREDICATE_MATCH) {
        const char *why = read_regex(mem, &p);
        if (why != NULL)
            return why;
    }
    *out = p;
    return NULL;
}

bool predicate_needs_async(const struct predicate *p)
{
    return p->kind->needs_async;
}

/* Compares with the first node of a capture, or with a string. */
static bool equals(const struct predicate *p, const struct query_source *source,
                   const TSQueryMatch *match, strview text)
{
    const struct predicate_word *word = &p->words[0];
    if (word->capture == NO_CAPTURE)
        return sv_equal(text, word->text);
    for (uint16_t i = 0; i < match->capture_count; i++) {
        if (match->captures[i].index == word->capture)
            return sv_equal(text, query_node_text(source, match->captures[i].node));
    }
    return false;
}

static bool type_is_one_of(const struct predicate *p, TSNode node)
{
    const char *type = ts_node_type(node);
    for (size_t i = 0; i < p->word_count; i++) {
        if (sv_is(p->strings[i], type))
            return true;
    }
    return false;
}

static bool has_around(arena *mem, const struct predicate *p, const struct query_source *source,
                       TSNode node)
{
    node_list around = query_ancestors(mem, source, node);
    size_t last = p->kind->op == PREDICATE_HAS_PARENT && around.count > 0 ? around.count - 1 : 0;
    for (size_t i = around.count; i > last; i--) {
        if (type_is_one_of(p, around.at[i - 1]))
            return true;
    }
    return false;
}

static bool is_any_of(const struct predicate *p, strview text)
{
    for (size_t i = 0; i < p->word_count; i++) {
        if (sv_equal(text, p->strings[i]))
            return true;
    }
    return false;
}

/* Is one of the pairs (acquire, release) held? */
static bool holds_any(arena *mem, const struct predicate *p, const struct query_source *source,
                      TSNode node)
{
    for (size_t i = 0; i + 1 < p->word_count; i += 2) {
        if (query_is_held(mem, source, node, p->strings[i], p->strings[i + 1]))
            return true;
    }
    return false;
}

/* The predicate for one node, before negation. */
static bool satisfied(arena *mem, const struct predicate *p, struct query_source *source,
                      const TSQueryMatch *match, TSNode node)
{
    strview text = query_node_text(source, node);
    switch (p->kind->op) {
    case PREDICATE_EQ:
        return equals(p, source, match, text);
    case PREDICATE_MATCH:
        return query_regex_matches(p->regex, text);
    case PREDICATE_ANY_OF:
        return is_any_of(p, text);
    case PREDICATE_HAS_ANCESTOR:
    case PREDICATE_HAS_PARENT:
        return has_around(mem, p, source, node);
    case PREDICATE_IN_ASYNC: {
        const struct source_function *f = query_function_of(source, node);
        return f != NULL && f->is_async;
    }
    case PREDICATE_HAS_AWAIT:
        return query_has_await(source, node);
    case PREDICATE_ARGUMENT_OF:
        return query_is_argument_of(mem, source, node, p->strings, p->word_count);
    case PREDICATE_HELD:
        return holds_any(mem, p, source, node);
    case PREDICATE_ONLY_CHILD:
        return query_is_only_child(mem, source, node);
    case PREDICATE_DROPS_AWAIT:
        return query_await_fate(source, node) == MACRO_DROPS;
    case PREDICATE_REPEATS_AWAIT:
        return query_await_fate(source, node) == MACRO_REPEATS;
    }
    return false;
}

static bool holds(arena *mem, const struct predicate *p, struct query_source *source,
                  const TSQueryMatch *match)
{
    bool seen = false;
    for (uint16_t i = 0; i < match->capture_count; i++) {
        if (match->captures[i].index != p->capture)
            continue;
        seen = true;
        bool good = satisfied(mem, p, source, match, match->captures[i].node) != p->kind->negated;
        if (good == p->kind->any)
            return good;
    }
    return !seen || !p->kind->any;
}

bool predicates_hold(arena *mem, const predicate_list *list, struct query_source *source,
                     const TSQueryMatch *match)
{
    for (size_t i = 0; i < list->count; i++) {
        if (!holds(mem, &list->at[i], source, match))
            return false;
    }
    return true;
}
