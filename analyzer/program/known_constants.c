/* SPDX-License-Identifier: MIT */
/*
 * The table rules/data/constants.tsv.
 */
#include "analyzer/program/known_constants.h"

#include "analyzer/program/known_facts_impl.h"

enum { NAME, VALUE, HEADER };

struct constant {
    struct fact_key key;
    int64_t value;
};

/* Decimal or 0x..., with a sign. */
static bool parse_value(strview text, int64_t *out)
{
    bool minus = sv_starts(text, "-");
    size_t at = minus ? 1 : 0;
    unsigned base = 10;
    if (text.len > at + 2 && text.at[at] == '0' && text.at[at + 1] == 'x') {
        base = 16;
        at += 2;
    }
    int64_t value = 0;
    if (at == text.len || text.len - at > 15)
        return false;
    for (; at < text.len; at++) {
        char c = text.at[at];
        unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                                                : base;
        if (digit >= base)
            return false;
        value = value * base + digit;
    }
    *out = minus ? -value : value;
    return true;
}

static bool parse(struct fact_cx *cx, void *row)
{
    struct constant *c = row;
    if (parse_value(cx->cells[VALUE], &c->value))
        return true;
    fact_error(cx, VALUE, "'%.*s' is no number (decimal, or 0x and lower-case digits)",
               SV_ARG(cx->cells[VALUE]));
    return false;
}

const struct fact_schema known_constants_schema = {
    .name = "constants",
    .columns = {"name", "value", "header"},
    .column_count = 3,
    .required = 1U << NAME | 1U << VALUE,
    .row_bytes = sizeof(struct constant),
    .parse = parse,
};

bool known_constant_find(const known_facts *facts, strview name, int64_t *out)
{
    size_t count = 0;
    const struct constant *c =
        facts == NULL ? NULL : known_rows_find(facts, KNOWN_CONSTANTS, name, &count);
    if (c == NULL)
        return false;
    *out = c->value;
    return true;
}
