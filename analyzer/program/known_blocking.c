/* SPDX-License-Identifier: MIT */
/*
 * The table rules/data/blocking.tsv.
 */
#include "analyzer/program/known_blocking.h"

#include "analyzer/base/check.h"
#include "analyzer/base/strbuf.h"
#include "analyzer/program/known_facts_impl.h"

enum { FUNCTION, HEADER, LIBRARY, WHY, QUICK, COUNTERPART, TIER, SOURCE, GUARD };

static const char *const reason_words[] = {
#define REASON(NAME, word, phrase) word,
#include "analyzer/program/known_reasons.def"
#undef REASON
};

static const char *const reason_phrases[] = {
#define REASON(NAME, word, phrase) phrase,
#include "analyzer/program/known_reasons.def"
#undef REASON
};

static bool add_reason(struct fact_cx *cx, strview word, uint32_t *reasons)
{
    for (size_t i = 0; i < COUNTOF(reason_words); i++) {
        if (sv_is(word, reason_words[i])) {
            *reasons |= 1U << i;
            return true;
        }
    }
    strbuf all = strbuf_in(cx->mem);
    for (size_t i = 0; i < COUNTOF(reason_words); i++)
        strbuf_fmt(&all, "%s%s", i == 0 ? "" : ", ", reason_words[i]);
    fact_error(cx, WHY, "'%.*s' is none of %s (several are joined by +)", SV_ARG(word),
               strbuf_text(&all));
    return false;
}

/* Reasons joined by +. */
static bool parse_reasons(struct fact_cx *cx, uint32_t *reasons)
{
    strview rest = cx->cells[WHY];
    for (;;) {
        const char *plus = memchr(rest.at, '+', rest.len);
        size_t len = plus == NULL ? rest.len : (size_t)(plus - rest.at);
        if (!add_reason(cx, (strview){rest.at, len}, reasons))
            return false;
        if (plus == NULL)
            return true;
        rest = (strview){plus + 1, rest.len - len - 1};
    }
}

static bool parse(struct fact_cx *cx, void *row)
{
    static const char *const tiers[] = {"A", "B", "C", "P", "N"};
    struct known_blocking *b = row;
    b->header = cx->cells[HEADER];
    b->library = cx->cells[LIBRARY];
    b->quick = cx->cells[QUICK];
    b->counterpart = cx->cells[COUNTERPART];
    b->source = cx->cells[SOURCE];
    int tier = fact_word(cx, TIER, tiers, COUNTOF(tiers));
    if (tier < 0)
        return false;
    b->tier = (enum blocking_tier)tier;
    if (fact_is_empty(cx->cells[WHY]) && b->tier != TIER_NEVER) {
        fact_error(cx, WHY, "it is empty, and must not be");
        return false;
    }
    bool why = fact_is_empty(cx->cells[WHY]) || parse_reasons(cx, &b->reasons);
    return why && known_guard_cell(cx, GUARD, &b->guard);
}

const struct fact_schema known_blocking_schema = {
    .name = "blocking",
    .columns = {"function", "header", "library", "why", "when it does not block",
                "non-blocking counterpart", "tier", "source", "guard"},
    .column_count = 9,
    .required = 1U << FUNCTION | 1U << TIER,
    .row_bytes = sizeof(struct known_blocking),
    .parse = parse,
};

const struct known_blocking *known_blocking_find(const known_facts *facts, strview name)
{
    size_t count;
    return known_rows_find(facts, KNOWN_BLOCKING, name, &count);
}

const struct known_blocking *known_blocking_all(const known_facts *facts, size_t *count)
{
    *count = facts->tables[KNOWN_BLOCKING].count;
    return facts->tables[KNOWN_BLOCKING].at;
}

const char *known_blocking_phrase(const struct known_blocking *row)
{
    for (size_t i = 0; i < COUNTOF(reason_phrases); i++) {
        if ((row->reasons & 1U << i) != 0)
            return reason_phrases[i];
    }
    return "may block";
}

const char *known_blocking_reasons(arena *mem, const struct known_blocking *row)
{
    strbuf words = strbuf_in(mem);
    for (size_t i = 0; i < COUNTOF(reason_words); i++) {
        if ((row->reasons & 1U << i) != 0)
            strbuf_fmt(&words, "%s%s", words.len == 0 ? "" : "+", reason_words[i]);
    }
    return strbuf_text(&words);
}

const char *blocking_tier_words(enum blocking_tier tier)
{
    static const char *const words[] = {
        [TIER_WAITS] = "waits by design",
        [TIER_MAYBE] = "waits unless arguments or descriptor say otherwise",
        [TIER_SHORT] = "short on a good day",
        [TIER_POOL] = "takes a slot of a shared pool",
        [TIER_NEVER] = "does not block",
    };
    return words[tier];
}
