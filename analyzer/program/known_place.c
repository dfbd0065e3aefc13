/* SPDX-License-Identifier: MIT */
/*
 * The parser of places.
 */
#include "analyzer/program/known_place.h"

#include "analyzer/program/fact_table.h"
#include "analyzer/program/known_guard.h"

static strview drop(strview text, size_t from_front, size_t from_end)
{
    return (strview){text.at + from_front, text.len - from_front - from_end};
}

static bool parse_arg(strview text, int *out)
{
    if (sv_is(text, "last")) {
        *out = GUARD_LAST;
        return true;
    }
    return fact_number(text, 99, out);
}

static bool parse_field(strview text, struct known_place *out)
{
    for (size_t i = 0; i + 2 < text.len; i++) {
        if (text.at[i] == '-' && text.at[i + 1] == '>') {
            out->kind = PLACE_FIELD;
            out->field = drop(text, i + 2, 0);
            return parse_arg((strview){text.at, i}, &out->arg);
        }
    }
    return false;
}

bool known_place_parse(strview text, struct known_place *out)
{
    *out = (struct known_place){.kind = PLACE_NONE};
    if (fact_is_empty(text))
        return true;
    if (sv_is(text, "result") || sv_is(text, "self")) {
        out->kind = sv_is(text, "self") ? PLACE_SELF : PLACE_RESULT;
        return true;
    }
    if (text.len > 1 && text.at[0] == '.') {
        *out = (struct known_place){PLACE_SIBLING, 0, drop(text, 1, 0)};
        return true;
    }
    if (parse_field(text, out))
        return true;
    out->kind = PLACE_ARG;
    if (text.at[0] == '*') {
        out->kind = PLACE_POINTEE;
        text = drop(text, 1, 0);
    } else if (sv_ends(text, "[]")) {
        out->kind = PLACE_ELEMENTS;
        text = drop(text, 0, 2);
    }
    return parse_arg(text, &out->arg);
}

bool known_place_cell(struct fact_cx *cx, size_t column, struct known_place *out)
{
    if (known_place_parse(cx->cells[column], out))
        return true;
    fact_error(cx, column, "'%.*s' is no place: result, 2, *2, 2[], 2->field, .field or self",
               SV_ARG(cx->cells[column]));
    return false;
}
