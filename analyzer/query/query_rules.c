/* SPDX-License-Identifier: MIT */
/*
 * Loading. A user's file is compiled alone, so that its errors are its own; the joint queries of
 * all good files are made when the first source needs them, once, under a lock: a run that finds
 * all of its results in a cache never pays for them.
 */
#include "analyzer/query/query_rules.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analyzer/base/check.h"
#include "analyzer/base/strbuf.h"
#include "analyzer/query/query_load.h"

/* A line that opens a file has a name; its text is NULL. */
static const struct built_in_line {
    const char *name;
    const char *text;
} built_in_lines[] = {
#define PAGE(name) {name, NULL},
#define LINE(text) {NULL, text},
#include "analyzer/query/built_in_queries.def"
#undef PAGE
#undef LINE
};

static void add_rule(query_rules *rules, const char *file, strview text, bool built_in,
                     diag_sink *sink)
{
    struct query_file *f = ARENA_NEW(rules->mem, struct query_file);
    f->text = text;
    f->rule = (struct query_rule){.file = file, .built_in = built_in};
    if (!query_head_read(rules->mem, file, text, built_in, sink, &f->head))
        return;
    f->rule.id = f->head.values[HEAD_ID];
    f->rule.message = f->head.values[HEAD_MESSAGE];
    f->rule.severity = f->head.severity;
    f->rule.when = f->head.when;
    f->needs_async = built_in; /* as compile_joint makes sure */
    if (!built_in) {
        query_file_list alone = {0};
        VEC_PUSH(rules->mem, &alone, f);
        struct query_set set;
        bool good = query_set_compile(rules->mem, &alone, sink, &set);
        f->needs_async = set.needs_async;
        query_set_close(&set);
        if (!good)
            return;
    }
    VEC_PUSH(rules->mem, &rules->files, f);
}

static void add_built_in(query_rules *rules, diag_sink *sink)
{
    for (size_t i = 0; i < COUNTOF(built_in_lines);) {
        const char *name = built_in_lines[i++].name;
        strbuf text = strbuf_in(rules->mem);
        for (; i < COUNTOF(built_in_lines) && built_in_lines[i].name == NULL; i++)
            strbuf_fmt(&text, "%s\n", built_in_lines[i].text);
        const char *file = arena_printf(rules->mem, "rules/queries/%s.scm", name);
        add_rule(rules, file, strbuf_view(&text), true, sink);
    }
}

static bool read_file(arena *mem, const char *path, strview *out)
{
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return false;
    strbuf text = strbuf_in(mem);
    char piece[4096];
    size_t n;
    while ((n = fread(piece, 1, sizeof piece, f)) > 0)
        strbuf_add(&text, piece, n);
    bool good = ferror(f) == 0;
    int error = errno;
    fclose(f);
    errno = error;
    *out = (strview){strbuf_text(&text), text.len};
    return good;
}

static void report_unreadable(query_rules *rules, const char *path, diag_sink *sink)
{
    diag_report(sink, DIAG_INPUT, (struct diag_place){path, 0, 0}, "cannot be read: %s",
                strerror(errno));
    (void)rules;
}

static void add_file(query_rules *rules, const char *path, diag_sink *sink)
{
    strview text;
    const char *name = arena_strndup(rules->mem, path, strlen(path));
    if (read_file(rules->mem, path, &text))
        add_rule(rules, name, text, false, sink);
    else
        report_unreadable(rules, name, sink);
}

static int is_rule_file(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && sv_ends(sv_from(entry->d_name), ".scm");
}

static void add_folder(query_rules *rules, const char *folder, diag_sink *sink)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_rule_file, alphasort);
    if (count < 0) {
        report_unreadable(rules, arena_strndup(rules->mem, folder, strlen(folder)), sink);
        return;
    }
    const char *slash = sv_ends(sv_from(folder), "/") ? "" : "/";
    for (int i = 0; i < count; i++) {
        add_file(rules, arena_printf(rules->mem, "%s%s%s", folder, slash, entries[i]->d_name),
                 sink);
        free(entries[i]);
    }
    free(entries);
}

query_rules *query_rules_load(const struct query_options *options, diag_sink *sink)
{
    arena *mem = arena_create();
    query_rules *rules = ARENA_NEW(mem, query_rules);
    rules->mem = mem;
    pthread_mutex_init(&rules->lock, NULL);
    const char **annotations = ARENA_ARRAY(mem, const char *, options->annotation_count);
    for (size_t i = 0; i < options->annotation_count; i++)
        annotations[i] =
            arena_strndup(mem, options->annotations[i], strlen(options->annotations[i]));
    rules->annotations = annotations;
    rules->annotation_count = options->annotation_count;
    if (options->built_in)
        add_built_in(rules, sink);
    for (size_t i = 0; i < options->folder_count; i++) {
        struct stat status;
        const char *path = options->folders[i];
        if (stat(path, &status) == 0 && !S_ISDIR(status.st_mode))
            add_file(rules, path, sink);
        else
            add_folder(rules, path, sink);
    }
    return rules;
}

void query_rules_free(query_rules **rules)
{
    if (*rules == NULL)
        return;
    for (size_t i = 0; i < COUNTOF((*rules)->sets); i++)
        query_set_close(&(*rules)->sets[i]);
    pthread_mutex_destroy(&(*rules)->lock);
    arena *mem = (*rules)->mem;
    arena_destroy(&mem);
    *rules = NULL;
}

size_t query_rules_count(const query_rules *rules)
{
    return rules->files.count;
}

const struct query_rule *query_rules_at(const query_rules *rules, size_t i)
{
    AWC_ASSERT(i < rules->files.count);
    return &rules->files.at[i]->rule;
}

static bool is_wanted(const struct query_file *file, enum query_when when)
{
    return when == QUERY_FALLBACK || file->rule.when == QUERY_ALWAYS;
}

bool query_rules_need_async(const query_rules *rules, enum query_when when)
{
    for (size_t i = 0; i < rules->files.count; i++) {
        if (is_wanted(rules->files.at[i], when) && !rules->files.at[i]->needs_async)
            return false;
    }
    return true;
}

static void compile_joint(query_rules *rules, enum query_when when)
{
    query_file_list wanted = {0};
    for (size_t i = 0; i < rules->files.count; i++) {
        if (is_wanted(rules->files.at[i], when))
            VEC_PUSH(rules->mem, &wanted, rules->files.at[i]);
    }
    rules->compiled[when] = true;
    if (wanted.count == 0)
        return;
    diag_sink *sink = diag_sink_new(rules->mem);
    bool good = query_set_compile(rules->mem, &wanted, sink, &rules->sets[when]);
    if (!good)
        diag_print(sink, stderr, false);
    AWC_ASSERT(good); /* each file was compiled before; ours are tested */
    AWC_ASSERT(rules->sets[when].needs_async == query_rules_need_async(rules, when));
}

const struct query_set *query_rules_set(query_rules *rules, enum query_when when)
{
    pthread_mutex_lock(&rules->lock);
    if (!rules->compiled[when])
        compile_joint(rules, when);
    pthread_mutex_unlock(&rules->lock);
    return rules->sets[when].query == NULL ? NULL : &rules->sets[when];
}
