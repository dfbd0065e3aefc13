/* SPDX-License-Identifier: MIT */
/*
 * The reader of tab-separated tables: header, cells, errors with their column, sorting.
 */
#include "analyzer/program/fact_table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/base/check.h"
#include "analyzer/base/strbuf.h"
#include "analyzer/base/vec.h"

bool fact_is_empty(strview cell)
{
    return cell.len == 0 || sv_is(cell, "-");
}

void fact_error(struct fact_cx *cx, size_t column, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    struct diag_place place = {cx->file, cx->line, cx->column_at[column]};
    diag_report(cx->sink, DIAG_INPUT, place, "column '%s' of %s facts: %s",
                cx->schema->columns[column], cx->schema->name, text);
    cx->failed = true;
}

int fact_word(struct fact_cx *cx, size_t column, const char *const *words, size_t count)
{
    strview cell = cx->cells[column];
    for (size_t i = 0; i < count; i++) {
        if (sv_is(cell, words[i]))
            return (int)i;
    }
    strbuf all = strbuf_in(cx->mem);
    for (size_t i = 0; i < count; i++)
        strbuf_fmt(&all, "%s%s", i == 0 ? "" : ", ", words[i]);
    fact_error(cx, column, "'%.*s' is none of %s", SV_ARG(cell), strbuf_text(&all));
    return -1;
}

bool fact_number(strview text, int most, int *out)
{
    int value = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] < '0' || text.at[i] > '9')
            return false;
        value = value * 10 + (text.at[i] - '0');
        if (value > most)
            return false;
    }
    *out = value;
    return text.len > 0;
}

/* Takes the text up to the next tab off *rest; false at the end of the line. */
static bool next_cell(strview *rest, strview *cell)
{
    if (rest->at == NULL)
        return false;
    const char *tab = rest->len == 0 ? NULL : memchr(rest->at, '\t', rest->len);
    size_t len = tab == NULL ? rest->len : (size_t)(tab - rest->at);
    *cell = (strview){rest->at, len};
    *rest = tab == NULL ? (strview){NULL, 0} : (strview){tab + 1, rest->len - len - 1};
    return true;
}

static int column_find(const struct fact_schema *schema, strview name)
{
    for (size_t i = 0; i < schema->column_count; i++) {
        if (sv_is(name, schema->columns[i]))
            return (int)i;
    }
    return -1;
}

static bool header_fits(strview line, const struct fact_schema *schema)
{
    uint32_t seen = 0;
    for (strview rest = line, cell; next_cell(&rest, &cell);) {
        int column = column_find(schema, cell);
        if (column < 0 || (seen & 1U << column) != 0)
            return false;
        seen |= 1U << column;
    }
    return (seen & schema->required) == schema->required;
}

int fact_header_find(strview line, const struct fact_schema *const *schemas, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (header_fits(line, schemas[i]))
            return (int)i;
    }
    return -1;
}

void fact_layout_read(struct fact_layout *layout, const struct fact_schema *schema, strview line)
{
    *layout = (struct fact_layout){.schema = schema};
    for (strview rest = line, cell; next_cell(&rest, &cell);) {
        AWC_ASSERT(layout->cell_count < FACT_COLUMNS_MAX);
        layout->column_of[layout->cell_count++] = column_find(schema, cell);
    }
}

void fact_layout_default(struct fact_layout *layout, const struct fact_schema *schema)
{
    *layout = (struct fact_layout){.schema = schema, .cell_count = schema->column_count};
    for (size_t i = 0; i < schema->column_count; i++)
        layout->column_of[i] = (int)i;
}

/* Distributes the cells of a line to the columns; false after an error. */
static bool split_row(struct fact_cx *cx, const struct fact_layout *layout, strview line)
{
    for (size_t i = 0; i < FACT_COLUMNS_MAX; i++) {
        cx->cells[i] = SV("-");
        cx->column_at[i] = 0;
    }
    size_t count = 0;
    for (strview rest = line, cell; next_cell(&rest, &cell); count++) {
        if (count >= layout->cell_count)
            continue;
        int column = layout->column_of[count];
        cx->cells[column] = cell;
        cx->column_at[column] = (uint32_t)(cell.at - line.at) + 1;
    }
    if (count > layout->cell_count) {
        diag_report(cx->sink, DIAG_INPUT, (struct diag_place){cx->file, cx->line, 1},
                    "%zu columns where the table of %s facts has %zu; columns are separated by "
                    "one tab",
                    count, layout->schema->name, layout->cell_count);
        cx->failed = true;
        return false;
    }
    for (size_t i = 0; i < layout->schema->column_count; i++) {
        if ((layout->schema->required & 1U << i) != 0 && fact_is_empty(cx->cells[i]))
            fact_error(cx, i, "it is empty, and must not be");
    }
    return !cx->failed;
}

void fact_read_row(struct fact_cx *cx, const struct fact_layout *layout, strview line,
                   uint32_t round, struct fact_rows *rows)
{
    const struct fact_schema *schema = layout->schema;
    cx->schema = schema;
    cx->failed = false;
    if (!split_row(cx, layout, line))
        return;
    struct fact_key *key = arena_alloc(cx->mem, schema->row_bytes);
    *key = (struct fact_key){cx->cells[0], cx->file, cx->line, round};
    if (!schema->parse(cx, key)) {
        cx->failed = true;
        return;
    }
    vec_reserve_one(cx->mem, &rows->at, rows->count, &rows->capacity, schema->row_bytes);
    memcpy((char *)rows->at + rows->count * schema->row_bytes, key, schema->row_bytes);
    rows->count++;
}

static int name_compare(strview a, strview b)
{
    size_t least = a.len < b.len ? a.len : b.len;
    int order = least == 0 ? 0 : memcmp(a.at, b.at, least);
    return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

/* By name; the latest round and, in it, the first line come first. */
static int key_compare(const void *left, const void *right)
{
    const struct fact_key *a = left, *b = right;
    int order = name_compare(a->name, b->name);
    if (order == 0)
        order = (a->round < b->round) - (a->round > b->round);
    return order != 0 ? order : (a->line > b->line) - (a->line < b->line);
}

void fact_rows_seal(struct fact_rows *rows, const struct fact_schema *schema)
{
    if (rows->count == 0)
        return;
    size_t bytes = schema->row_bytes, kept = 1;
    char *base = rows->at;
    qsort(base, rows->count, bytes, key_compare);
    for (size_t i = 1; i < rows->count; i++) {
        const struct fact_key *last = (void *)(base + (kept - 1) * bytes);
        const struct fact_key *row = (void *)(base + i * bytes);
        bool same = sv_equal(last->name, row->name);
        if (same && (last->round != row->round || !schema->many))
            continue;
        if (kept != i)
            memcpy(base + kept * bytes, row, bytes);
        kept++;
    }
    rows->count = kept;
}

const void *fact_rows_find(const struct fact_rows *rows, const struct fact_schema *schema,
                           strview name, size_t *count)
{
    const char *base = rows->at;
    size_t low = 0, high = rows->count, bytes = schema->row_bytes;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct fact_key *key = (const void *)(base + middle * bytes);
        if (name_compare(key->name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    size_t end = low;
    while (end < rows->count &&
           sv_equal(((const struct fact_key *)(const void *)(base + end * bytes))->name, name))
        end++;
    *count = end - low;
    return end == low ? NULL : base + low * bytes;
}
