/* SPDX-License-Identifier: MIT */
/*
 * Which inline functions does the unit not use? A compiler drops them, and may do so although what
 * they call is linked nowhere. The tables that go with a state machine would keep it (gcc -O0 keeps
 * all that is static, but for inline functions), so these functions stay as they are, behind #if 0.
 *
 * Used is what stands anywhere outside of such functions, and what a used one names.
 */
#include "analyzer/base/check.h"
#include "analyzer/base/word_set.h"
#include "transforms/lowering.h"

struct search {
    struct unit *u;
    word_set names;        /* value: 1 + region */
    bool *is_candidate;    /* [region] */
    VEC(uint32_t) used;    /* regions, each once */
    VEC(uint32_t) * named; /* [region]: candidates that it names */
};

static bool keeps_itself(const lowering *l)
{
    static const char *const words[] = {"used", "__used__", "retain", "__retain__"};
    const ast_node *body = l->fn->root->kid[2];
    strview head = ast_text(l->fn, l->fn->root->first, body->first);
    for (size_t i = 0; i < COUNTOF(words); i++) {
        if (count_words(head, sv_from(words[i])) > 0)
            return true;
    }
    return false;
}

static bool is_droppable(const lowering *l)
{
    bool is_inline = l->fn->is_inline || (l->known != NULL && l->known->is_inline);
    return l->fn->root->kid[2] != NULL && is_inline && l->fn->is_static && !l->is_main &&
           !keeps_itself(l);
}

static void find_candidates(struct search *s)
{
    for (uint32_t i = 0; i < s->u->function_count; i++) {
        lowering *l = s->u->functions[i];
        if (l == NULL || !is_droppable(l))
            continue;
        struct word_entry *e = word_set_add(&s->names, l->fn->name);
        if (e->value != 0) { /* twice: an error that is reported elsewhere */
            s->is_candidate[e->value - 1] = false;
            continue;
        }
        e->value = i + 1;
        s->is_candidate[i] = true;
    }
}

static void use(struct search *s, uint32_t region)
{
    if (!s->u->functions[region]->is_unused)
        return;
    s->u->functions[region]->is_unused = false;
    VEC_PUSH(s->u->mem, &s->used, region);
}

/* async int f(int): does the name behind this text only get declared? */
static bool is_declared(strview text, uint32_t begin, uint32_t name, uint32_t behind)
{
    strview before = {text.at + begin, name - begin};
    while (behind < text.len && (text.at[behind] == ' ' || text.at[behind] == '\n'))
        behind++;
    return behind < text.len && text.at[behind] == '(' &&
           memchr(before.at, '=', before.len) == NULL &&
           memchr(before.at, '(', before.len) == NULL &&
           (count_words(before, SV("__awaitc_async__")) > 0 ||
            count_words(before, SV("async")) > 0 || count_words(before, SV("aw_async")) > 0);
}

/* The names in a piece of text, which is a candidate's own or nobody's. */
static void read_names(struct search *s, uint32_t begin, uint32_t end, uint32_t owner)
{
    strview text = s->u->source->buffer;
    uint32_t statement = begin;
    for (uint32_t at = begin; at < end;) {
        strview word = next_piece(text, &at, end);
        const struct word_entry *e = word_set_find(&s->names, word);
        if (sv_is(word, ";") || sv_is(word, "{") || sv_is(word, "}"))
            statement = at;
        if (e == NULL || !s->is_candidate[e->value - 1])
            continue;
        if (owner == UINT32_MAX && is_declared(text, statement, (uint32_t)(word.at - text.at), at))
            continue;
        if (owner == UINT32_MAX)
            use(s, e->value - 1);
        else if (owner != e->value - 1)
            VEC_PUSH(s->u->mem, &s->named[owner], e->value - 1);
    }
}

void find_unused_inline(struct unit *u)
{
    struct search s = {.u = u, .names = word_set_in(u->mem)};
    s.is_candidate = ARENA_ARRAY(u->mem, bool, u->function_count + 1);
    find_candidates(&s);
    if (s.names.count == 0)
        return;
    s.named = arena_alloc(u->mem, (u->function_count + 1) * sizeof *s.named);
    for (uint32_t i = 0; i < u->function_count; i++) {
        if (s.is_candidate[i])
            u->functions[i]->is_unused = true;
    }
    uint32_t at = 0;
    for (uint32_t i = 0; i < u->function_count; i++) {
        const struct region *r = &u->source->regions[i];
        if (!s.is_candidate[i])
            continue;
        read_names(&s, at, r->buffer_begin, UINT32_MAX);
        read_names(&s, r->buffer_begin, r->buffer_end, i);
        at = r->buffer_end;
    }
    read_names(&s, at, (uint32_t)u->source->buffer.len, UINT32_MAX);
    for (size_t i = 0; i < s.used.count; i++) {
        for (size_t k = 0; k < s.named[s.used.at[i]].count; k++)
            use(&s, s.named[s.used.at[i]].at[k]);
    }
}
