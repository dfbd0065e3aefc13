/* SPDX-License-Identifier: MIT */
/*
 * Loading: the built-in tables from the lines that the build embedded, the user's from files.
 */
#include "analyzer/program/known_facts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/base/check.h"
#include "analyzer/base/strbuf.h"
#include "analyzer/program/known_facts_impl.h"
#include "analyzer/program/known_guard.h"

static const struct fact_schema *const schemas[] = {
#define KNOWN_TABLE(NAME, name) &known_##name##_schema,
#include "analyzer/program/known_tables.def"
#undef KNOWN_TABLE
};

/* A line that opens a table has its name; its text is NULL. */
static const struct data_line {
    const char *table;
    const char *text;
} data_lines[] = {
#define TABLE(name) {name, NULL},
#define LINE(text)  {NULL, text},
#include "analyzer/program/known_data.def"
#undef TABLE
#undef LINE
};

/* Reads the lines of one file, one after the other. */
struct loader {
    known_facts *facts;
    struct fact_cx cx;
    struct fact_layout layout; /* schema NULL: no line with content yet */
    int table;
    bool failed;
};

static struct loader loader_begin(known_facts *facts, const char *file, diag_sink *sink)
{
    return (struct loader){
        .facts = facts,
        .cx = {.mem = facts->mem, .sink = sink, .facts = facts, .file = file},
    };
}

/* Is this a header with a mistake, rather than a first row? */
static bool resembles_header(strview line)
{
    static const char *const openers[] = {"function\t", "callback\t", "acquire\t", "name\t"};
    for (size_t i = 0; i < COUNTOF(openers); i++) {
        if (sv_starts(line, openers[i]))
            return true;
    }
    return false;
}

/* The first line with content decides the table; true if it was a header. */
static bool choose_table(struct loader *l, strview line)
{
    l->table = fact_header_find(line, schemas, KNOWN_TABLE_COUNT);
    if (l->table >= 0) {
        fact_layout_read(&l->layout, schemas[l->table], line);
        return true;
    }
    l->table = KNOWN_BLOCKING;
    fact_layout_default(&l->layout, &known_blocking_schema);
    if (!resembles_header(line))
        return false;
    diag_report(l->cx.sink, DIAG_INPUT, (struct diag_place){l->cx.file, l->cx.line, 1},
                "this header fits no table of facts: a column's name is unknown or doubled, or a "
                "column that is needed is missing (rules/data/README.md lists them)");
    l->failed = true;
    return true;
}

static void loader_line(struct loader *l, strview line)
{
    l->cx.line++;
    if (line.len > 0 && line.at[line.len - 1] == '\r')
        line.len--;
    if (line.len == 0 || line.at[0] == '#')
        return;
    if (l->layout.schema == NULL && choose_table(l, line))
        return;
    fact_read_row(&l->cx, &l->layout, line, l->facts->rounds, &l->facts->tables[l->table]);
    l->failed |= l->cx.failed;
}

static bool loader_end(struct loader *l)
{
    if (l->layout.schema != NULL)
        fact_rows_seal(&l->facts->tables[l->table], l->layout.schema);
    return !l->failed;
}

known_facts *known_facts_new(arena *mem)
{
    known_facts *facts = ARENA_NEW(mem, known_facts);
    facts->mem = mem;
    diag_sink *sink = diag_sink_new(mem);
    for (size_t i = 0; i < COUNTOF(data_lines);) {
        struct loader l = loader_begin(facts, data_lines[i].table, sink);
        for (i++; i < COUNTOF(data_lines) && data_lines[i].table == NULL; i++)
            loader_line(&l, sv_from(data_lines[i].text));
        bool sound = loader_end(&l);
        AWC_ASSERT(sound); /* tests/meta/fact_tables.py */
    }
    return facts;
}

bool known_facts_add_text(known_facts *facts, const char *file, strview text, diag_sink *sink)
{
    facts->rounds++;
    file = arena_strndup(facts->mem, file, strlen(file));
    text.at = arena_strndup(facts->mem, text.at == NULL ? "" : text.at, text.len);
    struct loader l = loader_begin(facts, file, sink);
    while (text.len > 0) {
        const char *end = memchr(text.at, '\n', text.len);
        size_t len = end == NULL ? text.len : (size_t)(end - text.at);
        loader_line(&l, (strview){text.at, len});
        size_t used = end == NULL ? len : len + 1;
        text = (strview){text.at + used, text.len - used};
    }
    return loader_end(&l);
}

bool known_facts_add_file(known_facts *facts, const char *path, diag_sink *sink)
{
    FILE *from = fopen(path, "rb");
    if (from == NULL) {
        diag_report(sink, DIAG_INPUT, (struct diag_place){path, 0, 0},
                    "cannot read the facts file: %s", strerror(errno));
        return false;
    }
    strbuf text = strbuf_in(facts->mem);
    char block[4096];
    for (size_t got; (got = fread(block, 1, sizeof block, from)) > 0;)
        strbuf_add(&text, block, got);
    int failed = ferror(from), why = errno;
    fclose(from);
    if (failed) {
        diag_report(sink, DIAG_INPUT, (struct diag_place){path, 0, 0},
                    "cannot read the facts file: %s", strerror(why));
        return false;
    }
    return known_facts_add_text(facts, path, strbuf_view(&text), sink);
}

const void *known_rows_find(const known_facts *facts, enum known_table table, strview name,
                            size_t *count)
{
    return fact_rows_find(&facts->tables[table], schemas[table], name, count);
}

bool known_guard_cell(struct fact_cx *cx, size_t column, struct guard *out)
{
    const char *error = NULL;
    if (guard_parse(cx->mem, cx->facts, cx->cells[column], out, &error))
        return true;
    fact_error(cx, column, "%s", error);
    return false;
}
