/* SPDX-License-Identifier: MIT */
/* The order is total, so that a report does not depend on the order in which threads finish. */
#include "analyzer/report/finding.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct finding *finding_add(finding_list *list, const char *rule, enum diag_severity severity,
                            struct diag_place place, const char *message)
{
    struct finding *f = ARENA_NEW(list->mem, struct finding);
    f->rule = rule;
    f->severity = severity;
    f->place = place;
    f->message = message;
    VEC_PUSH(list->mem, &list->all, f);
    return f;
}

const char *finding_severity_text(enum diag_severity severity)
{
    switch (severity) {
    case DIAG_NOTE:
        return "note";
    case DIAG_WARNING:
        return "warning";
    case DIAG_ERROR:
        return "error";
    }
    return "";
}

static int compare_numbers(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

/* NULL comes first. */
static int compare_texts(const char *a, const char *b)
{
    if (a == NULL || b == NULL)
        return (a != NULL) - (b != NULL);
    return strcmp(a, b);
}

static int compare_places(const struct diag_place *a, const struct diag_place *b)
{
    int by = compare_texts(a->file, b->file);
    if (by == 0)
        by = compare_numbers(a->line, b->line);
    return by != 0 ? by : compare_numbers(a->column, b->column);
}

static int compare_steps(const struct finding *a, const struct finding *b)
{
    int by = compare_numbers(a->steps.count, b->steps.count);
    for (size_t i = 0; by == 0 && i < a->steps.count; i++) {
        const struct finding_step *x = &a->steps.at[i], *y = &b->steps.at[i];
        by = compare_places(&x->place, &y->place);
        if (by == 0)
            by = compare_texts(x->function, y->function);
        if (by == 0)
            by = compare_texts(x->text, y->text);
    }
    return by;
}

static int compare_edits(const struct finding_fix *a, const struct finding_fix *b)
{
    int by = compare_numbers(a->edits.count, b->edits.count);
    for (size_t i = 0; by == 0 && i < a->edits.count; i++) {
        const struct finding_edit *x = &a->edits.at[i], *y = &b->edits.at[i];
        by = compare_texts(x->file, y->file);
        if (by == 0)
            by = compare_numbers(x->begin, y->begin);
        if (by == 0)
            by = compare_numbers(x->end, y->end);
        if (by == 0)
            by = compare_texts(x->text, y->text);
    }
    return by;
}

/* The findings that are better mended come first. */
static int compare_fixes(const struct finding *a, const struct finding *b)
{
    int by = compare_numbers(b->fixes.count, a->fixes.count);
    for (size_t i = 0; by == 0 && i < a->fixes.count; i++) {
        by = compare_texts(a->fixes.at[i].title, b->fixes.at[i].title);
        if (by == 0)
            by = compare_edits(&a->fixes.at[i], &b->fixes.at[i]);
    }
    return by;
}

static int compare_findings(const struct finding *a, const struct finding *b)
{
    int by = compare_places(&a->place, &b->place);
    if (by == 0)
        by = compare_texts(a->rule, b->rule);
    if (by == 0)
        by = compare_texts(a->message, b->message);
    if (by == 0)
        by = compare_steps(a, b);
    if (by == 0)
        by = compare_texts(a->function, b->function);
    if (by == 0)
        by = compare_texts(a->leaf, b->leaf);
    if (by == 0)
        by = compare_numbers(b->severity, a->severity);
    if (by == 0)
        by = compare_numbers(a->end_column, b->end_column);
    return by;
}

static int compare_for_sort(const void *left, const void *right)
{
    const struct finding *a = *(const struct finding *const *)left;
    const struct finding *b = *(const struct finding *const *)right;
    int by = compare_findings(a, b);
    return by != 0 ? by : compare_fixes(a, b);
}

void finding_list_sort(finding_list *list)
{
    size_t kept = 0;
    if (list->all.count > 1)
        qsort(list->all.at, list->all.count, sizeof *list->all.at, compare_for_sort);
    for (size_t i = 0; i < list->all.count; i++) {
        if (kept == 0 || compare_findings(list->all.at[kept - 1], list->all.at[i]) != 0)
            list->all.at[kept++] = list->all.at[i];
    }
    list->all.count = kept;
}

/* FNV-1a, with the text's end as a byte of its own, so that "ab","c" is not "a","bc". */
static uint64_t hash_text(uint64_t h, const char *text)
{
    const uint64_t prime = 1099511628211u;
    for (; text != NULL && *text != '\0'; text++)
        h = (h ^ (unsigned char)*text) * prime;
    return (h ^ (text == NULL ? 0xfe : 0xff)) * prime;
}

static const char *last_part(const char *path)
{
    const char *slash = path == NULL ? NULL : strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

const char *finding_fingerprint(arena *mem, const struct finding *f)
{
    uint64_t h = hash_text(14695981039346656037u, f->rule);
    h = hash_text(h, f->function != NULL ? f->function : last_part(f->place.file));
    h = hash_text(h, f->leaf);
    for (size_t i = 0; i < f->steps.count; i++)
        h = hash_text(h, f->steps.at[i].function);
    return arena_printf(mem, "%016" PRIx64, h);
}
