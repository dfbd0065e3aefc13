/* SPDX-License-Identifier: MIT */
/*
 * The table rules/data/callbacks.tsv.
 */
#include "analyzer/program/known_callbacks.h"

#include "analyzer/base/check.h"
#include "analyzer/base/vec.h"
#include "analyzer/program/known_facts_impl.h"

enum { CALLBACK, ARGUMENT, KIND, WATCHED, RECEIVED, USERDATA, WHEN, LIBRARY };

/* "record.field" into its halves; nothing if there is no dot. */
static void split_field(struct known_callback *c)
{
    strview name = c->key.name;
    const char *dot = memchr(name.at, '.', name.len);
    if (dot == NULL)
        return;
    size_t len = (size_t)(dot - name.at);
    c->record = (strview){name.at, len};
    c->field = (strview){dot + 1, name.len - len - 1};
}

static bool parse_argument(struct fact_cx *cx, struct known_callback *c)
{
    strview cell = cx->cells[ARGUMENT];
    c->argument = GUARD_LAST;
    if (c->field.len > 0 || sv_is(cell, "last") || fact_number(cell, 99, &c->argument))
        return true;
    fact_error(cx, ARGUMENT, "'%.*s' is no argument: a number from 0, or last", SV_ARG(cell));
    return false;
}

/* "5=>3": argument 5 of the call becomes parameter 3 of the callback. */
static bool parse_data(struct fact_cx *cx, struct known_callback *c)
{
    strview cell = cx->cells[USERDATA];
    if (fact_is_empty(cell))
        return true;
    for (size_t i = 0; i + 1 < cell.len; i++) {
        if (cell.at[i] != '=' || cell.at[i + 1] != '>')
            continue;
        strview in = {cell.at, i}, out = {cell.at + i + 2, cell.len - i - 2};
        if (in.len > 0 && out.len > 0 && known_place_parse(in, &c->data_in) &&
            known_place_parse(out, &c->data_out))
            return true;
    }
    fact_error(cx, USERDATA, "'%.*s' is not of the form 5=>3", SV_ARG(cell));
    return false;
}

static bool parse(struct fact_cx *cx, void *row)
{
    static const char *const kinds[] = {"loop", "work", "thread", "signal", "atexit", "inline"};
    struct known_callback *c = row;
    split_field(c);
    int kind = fact_word(cx, KIND, kinds, COUNTOF(kinds));
    if (kind < 0 || !parse_argument(cx, c))
        return false;
    c->kind = (enum callback_kind)kind;
    c->library = cx->cells[LIBRARY];
    return known_place_cell(cx, WATCHED, &c->watched) &&
           known_place_cell(cx, RECEIVED, &c->received) && parse_data(cx, c) &&
           known_guard_cell(cx, WHEN, &c->when);
}

const struct fact_schema known_callbacks_schema = {
    .name = "callbacks",
    .columns = {"callback", "argument", "kind", "watched", "received", "userdata", "when",
                "library"},
    .column_count = 8,
    .required = 1U << CALLBACK | 1U << KIND,
    .many = true,
    .row_bytes = sizeof(struct known_callback),
    .parse = parse,
};

const struct known_callback *known_callbacks_of_function(const known_facts *facts, strview name,
                                                         size_t *count)
{
    return known_rows_find(facts, KNOWN_CALLBACKS, name, count);
}

static const struct known_callback *find_any_record(const known_facts *facts, strview field)
{
    const struct fact_rows *rows = &facts->tables[KNOWN_CALLBACKS];
    const struct known_callback *all = rows->at;
    for (size_t i = 0; i < rows->count; i++) {
        if (all[i].field.len > 0 && sv_equal(all[i].field, field))
            return &all[i];
    }
    return NULL;
}

const struct known_callback *known_callback_of_field(const known_facts *facts, strview record,
                                                     strview field)
{
    char name[128];
    size_t count;
    if (record.len == 0)
        return find_any_record(facts, field);
    if (record.len + field.len + 1 > sizeof name)
        return NULL;
    memcpy(name, record.at, record.len);
    name[record.len] = '.';
    memcpy(name + record.len + 1, field.at, field.len);
    return known_rows_find(facts, KNOWN_CALLBACKS, (strview){name, record.len + field.len + 1},
                           &count);
}

const struct known_callback *known_callbacks_all(const known_facts *facts, size_t *count)
{
    *count = facts->tables[KNOWN_CALLBACKS].count;
    return facts->tables[KNOWN_CALLBACKS].at;
}

void known_callbacks_add(known_facts *facts, strview name, int argument, enum callback_kind kind)
{
    struct fact_rows *rows = &facts->tables[KNOWN_CALLBACKS];
    size_t count;
    const struct known_callback *known = known_rows_find(facts, KNOWN_CALLBACKS, name, &count);
    struct known_callback row = {
        .key = {.name = {arena_strndup(facts->mem, name.at, name.len), name.len},
                .file = "configuration",
                .round = known == NULL ? 0 : known->key.round},
        .argument = argument,
        .kind = kind,
        .library = SV("-"),
    };
    split_field(&row);
    vec_reserve_one(facts->mem, &rows->at, rows->count, &rows->capacity, sizeof row);
    ((struct known_callback *)rows->at)[rows->count++] = row;
    fact_rows_seal(rows, &known_callbacks_schema);
}
