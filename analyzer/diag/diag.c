/* SPDX-License-Identifier: MIT */
/*
 * The sink of diag.h: reports are copied into the arena as they come. A report that was made
 * before is dropped, and its notes with it. Order is a matter of diag_print.c.
 */
#include "analyzer/diag/diag.h"

#include <stdarg.h>
#include <string.h>

#include "analyzer/base/check.h"
#include "analyzer/base/strview.h"
#include "analyzer/diag/diag_impl.h"

static const struct catalog_line {
    const char *id;
    enum diag_severity severity;
} catalog[DIAG_ID_COUNT] = {
#define DIAG(name, id, severity, summary) [DIAG_##name] = {id, DIAG_##severity},
#include "analyzer/diag/diag_catalog.def"
#undef DIAG
};

diag_sink *diag_sink_new(arena *mem)
{
    diag_sink *sink = ARENA_NEW(mem, diag_sink);
    sink->mem = mem;
    return sink;
}

static const char *format_text(arena *mem, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

static const char *format_text(arena *mem, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, again);
    va_end(again);
    AWC_ASSERT(len >= 0);
    char *text = arena_alloc(mem, (size_t)len + 1);
    vsnprintf(text, (size_t)len + 1, format, args);
    return text;
}

static bool same_file(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* The number of a file; new files get the next one. */
static uint32_t rank_file(diag_sink *sink, const char *file)
{
    for (size_t i = 0; i < sink->files.count; i++) {
        if (same_file(sink->files.at[i], file))
            return (uint32_t)i;
    }
    const char *copy = file == NULL ? NULL : arena_strndup(sink->mem, file, strlen(file));
    VEC_PUSH(sink->mem, &sink->files, copy);
    return (uint32_t)(sink->files.count - 1);
}

static bool was_reported(const diag_sink *sink, const struct diag_entry *e)
{
    for (size_t i = 0; i < sink->entries.count; i++) {
        const struct diag_entry *seen = sink->entries.at[i];
        if (seen->id == e->id && seen->file_rank == e->file_rank &&
            seen->place.line == e->place.line && seen->place.column == e->place.column &&
            strcmp(seen->text, e->text) == 0)
            return true;
    }
    return false;
}

void diag_report(diag_sink *sink, enum diag_id id, struct diag_place place, const char *format, ...)
{
    AWC_ASSERT(id < DIAG_ID_COUNT);
    struct diag_entry *e = ARENA_NEW(sink->mem, struct diag_entry);
    va_list args;
    va_start(args, format);
    e->text = format_text(sink->mem, format, args);
    va_end(args);
    e->id = id;
    e->severity = catalog[id].severity;
    e->file_rank = rank_file(sink, place.file);
    e->order = (uint32_t)sink->entries.count;
    e->place = place;
    e->place.file = sink->files.at[e->file_rank];
    if (was_reported(sink, e)) {
        sink->last = NULL;
        return;
    }
    VEC_PUSH(sink->mem, &sink->entries, e);
    sink->last = e;
    if (e->severity == DIAG_ERROR)
        sink->error_count++;
}

void diag_note(diag_sink *sink, struct diag_place place, const char *format, ...)
{
    AWC_ASSERT(sink->entries.count != 0);
    if (sink->last == NULL)
        return;
    struct diag_note_entry note = {.place = place};
    va_list args;
    va_start(args, format);
    note.text = format_text(sink->mem, format, args);
    va_end(args);
    if (place.file != NULL)
        note.place.file = arena_strndup(sink->mem, place.file, strlen(place.file));
    VEC_PUSH(sink->mem, &sink->last->notes, note);
}

uint32_t diag_error_count(const diag_sink *sink)
{
    return sink->error_count;
}

const char *diag_id_text(enum diag_id id)
{
    AWC_ASSERT(id < DIAG_ID_COUNT);
    return catalog[id].id;
}

enum diag_id diag_id_find(const char *text)
{
    strview wanted = sv_from(text);
    for (enum diag_id id = 0; id < DIAG_ID_COUNT; id++) {
        if (sv_is(wanted, catalog[id].id) || sv_is(wanted, catalog[id].id + strlen("awaitc-")))
            return id;
    }
    return DIAG_ID_COUNT;
}
