/* SPDX-License-Identifier: MIT */
/*
 * Only fingerprint and count are compared; the other members are for people who read the file, or
 * its changes in a review. The text is laid out by hand, a line an entry, so that version control
 * shows one changed line for one changed finding.
 */
#include "analyzer/report/baseline.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/strbuf.h"
#include "analyzer/base/text_map.h"
#include "analyzer/report/json_build.h"

enum { FORMAT_VERSION = 1 };

/* How many findings with a fingerprint are still to be expected. */
struct known_finding {
    uint64_t left;
};

struct baseline {
    arena *mem;
    text_map by_fingerprint; /* to struct known_finding */
    uint64_t left;           /* of all */
};

static void broken(diag_sink *sink, struct diag_place place, const char *why)
{
    diag_report(sink, DIAG_INPUT, place, "this is no baseline: %s; --write-baseline makes one",
                why);
}

static bool add_entry(baseline *b, const json_t *entry)
{
    const char *fingerprint = json_string_value(json_object_get(entry, "fingerprint"));
    const json_t *count = json_object_get(entry, "count");
    if (fingerprint == NULL || !json_is_integer(count) || json_integer_value(count) < 1)
        return false;
    void **known = text_map_at(&b->by_fingerprint, fingerprint);
    if (*known == NULL)
        *known = ARENA_NEW(b->mem, struct known_finding);
    ((struct known_finding *)*known)->left += (uint64_t)json_integer_value(count);
    b->left += (uint64_t)json_integer_value(count);
    return true;
}

static baseline *take(arena *mem, const char *path, const json_t *root, diag_sink *sink)
{
    const json_t *version = json_object_get(root, "version");
    const json_t *findings = json_object_get(root, "findings");
    struct diag_place place = {path, 0, 0};
    baseline *b = ARENA_NEW(mem, baseline);
    b->mem = mem;
    b->by_fingerprint = text_map_in(mem);
    if (!json_is_integer(version) || !json_is_array(findings)) {
        broken(sink, place, "'version' and 'findings' are missing");
        return NULL;
    }
    if (json_integer_value(version) != FORMAT_VERSION) {
        broken(sink, place, "its version is not 1");
        return NULL;
    }
    for (size_t i = 0; i < json_array_size(findings); i++) {
        if (!add_entry(b, json_array_get(findings, i))) {
            broken(sink, place,
                   arena_printf(mem, "entry %zu has no 'fingerprint' or no 'count'", i + 1));
            return NULL;
        }
    }
    return b;
}

baseline *baseline_parse(arena *mem, const char *path, strview text, diag_sink *sink)
{
    json_error_t error;
    json_t *root = json_loadb(text.at, text.len, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL) {
        uint32_t line = error.line > 0 ? (uint32_t)error.line : 0;
        broken(sink, (struct diag_place){path, line, 0}, error.text);
        return NULL;
    }
    baseline *b = take(mem, path, root, sink);
    json_decref(root);
    return b;
}

size_t baseline_apply(baseline *b, finding_list *findings)
{
    size_t kept = 0, count = findings->all.count;
    for (size_t i = 0; i < count; i++) {
        struct finding *f = findings->all.at[i];
        struct known_finding *known =
            text_map_get(&b->by_fingerprint, finding_fingerprint(b->mem, f));
        if (known == NULL || known->left == 0) {
            findings->all.at[kept++] = f;
            continue;
        }
        known->left--;
        b->left--;
    }
    findings->all.count = kept;
    return count - kept;
}

size_t baseline_stale_count(const baseline *b)
{
    return b->left;
}

/* --- writing --- */

struct entry {
    const char *file, *rule, *function, *leaf, *fingerprint; /* "" for what there is not */
    uint64_t count;
};

static int compare_entries(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    const char *const pairs[][2] = {{a->file, b->file},
                                    {a->rule, b->rule},
                                    {a->function, b->function},
                                    {a->leaf, b->leaf},
                                    {a->fingerprint, b->fingerprint}};
    int by = 0;
    for (size_t i = 0; by == 0 && i < sizeof pairs / sizeof *pairs; i++)
        by = strcmp(pairs[i][0], pairs[i][1]);
    return by;
}

static struct entry entry_of(const struct finding *f, const struct render_context *cx)
{
    return (struct entry){
        .file = f->place.file == NULL ? "" : render_path(cx, f->place.file),
        .rule = f->rule,
        .function = f->function == NULL ? "" : f->function,
        .leaf = f->leaf == NULL ? "" : f->leaf,
        .fingerprint = finding_fingerprint(cx->mem, f),
        .count = 1,
    };
}

static void put_entry(const struct render_context *cx, strbuf *out, const struct entry *e)
{
    json_t *object = json_object();
    json_put_text(cx, object, "file", e->file);
    json_put_text(cx, object, "rule", e->rule);
    json_put_text(cx, object, "function", e->function);
    json_put_text(cx, object, "leaf", e->leaf);
    json_put_text(cx, object, "fingerprint", e->fingerprint);
    json_put_number(object, "count", e->count);
    char *line = json_dumps(object, 0);
    strbuf_str(out, line);
    free(line);
    json_decref(object);
}

strview baseline_text(const finding_list *findings, const struct render_context *cx)
{
    size_t count = findings->all.count, kept = 0;
    struct entry *entries = ARENA_ARRAY(cx->mem, struct entry, count + 1);
    for (size_t i = 0; i < count; i++)
        entries[i] = entry_of(findings->all.at[i], cx);
    qsort(entries, count, sizeof *entries, compare_entries);
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && compare_entries(&entries[kept - 1], &entries[i]) == 0)
            entries[kept - 1].count++;
        else
            entries[kept++] = entries[i];
    }
    strbuf out = strbuf_in(cx->mem);
    strbuf_fmt(&out, "{\"version\": %d, \"findings\": [", FORMAT_VERSION);
    for (size_t i = 0; i < kept; i++) {
        strbuf_str(&out, i == 0 ? "\n" : ",\n");
        put_entry(cx, &out, &entries[i]);
    }
    strbuf_str(&out, "\n]}\n");
    return strbuf_view(&out);
}
