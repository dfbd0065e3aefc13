/* SPDX-License-Identifier: MIT */
/*
 * Which file does an #include name? Beside the including file for quoted names, then the list of
 * directories; #include_next goes on behind the directory of the file that says it. Answers are
 * kept, the failed ones too: a set of flags asks the same thousands of times.
 */
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "analyzer/preprocess/pp_private.h"

enum { NO_HEADER = UINT32_MAX };

static const char *absolute(struct pp_run *r, const char *path)
{
    if (path[0] == '/')
        return path;
    return arena_printf(r->mem, "%s/%s", r->config->setup.working_directory, path);
}

/* The file cut into tokens, or NULL if it cannot be read. */
static struct pp_file *read_file(struct pp_run *r, const char *path)
{
    preprocessor *pp = r->pp;
    strview text = include_text(&pp->texts, path);
    if (text.at == NULL)
        return NULL;
    struct pp_file *file = ARENA_NEW(pp->mem, struct pp_file);
    file->is_kept = true;
    pp_lex_file(&pp->names, pp->mem, text, r->config->setup.has_trigraphs, file);
    return file;
}

/* The file at a path, one for all paths of it: #pragma once speaks of files. */
static struct pp_file *file_at(struct pp_run *r, const char *path)
{
    preprocessor *pp = r->pp;
    const char *full = absolute(r, path);
    struct word_entry *e = word_set_find(&pp->file_index, sv_from(full));
    if (e != NULL)
        return pp->files.at[e->value];
    struct stat st;
    struct pp_file *file = NULL;
    full = arena_printf(pp->mem, "%s", full);
    if (stat(full, &st) == 0) {
        const char *key =
            arena_printf(pp->mem, "%ju:%ju", (uintmax_t)st.st_dev, (uintmax_t)st.st_ino);
        e = word_set_find(&pp->file_index, sv_from(key));
        file = e != NULL ? pp->files.at[e->value] : read_file(r, full);
        word_set_add(&pp->file_index, sv_from(key))->value = (uint32_t)pp->files.count;
    }
    word_set_add(&pp->file_index, sv_from(full))->value = (uint32_t)pp->files.count;
    VEC_PUSH(pp->mem, &pp->files, file);
    return file;
}

static const char *shorter_path(arena *mem, const char *path)
{
    char real[PATH_MAX];
    if (realpath(path, real) == NULL || strlen(real) >= strlen(path))
        return path;
    return arena_printf(mem, "%s", real);
}

/* The header of a name in a directory, or NULL. */
static struct pp_header *header_in(struct pp_run *r, strview directory, strview name,
                                   bool is_system, int index)
{
    pp_config *config = r->config;
    bool has_slash = directory.len == 0 || directory.at[directory.len - 1] == '/';
    const char *path =
        arena_printf(r->mem, "%.*s%s%.*s", SV_ARG(directory), has_slash ? "" : "/", SV_ARG(name));
    const char *key = arena_printf(r->mem, "%d %d %s", index, is_system, path);
    struct word_entry *e = word_set_find(&config->headers, sv_from(key));
    if (e != NULL)
        return e->value == NO_HEADER ? NULL : config->found.at[e->value];
    struct pp_file *file = file_at(r, path);
    key = arena_printf(config->owner->mem, "%s", key);
    e = word_set_add(&config->headers, sv_from(key));
    e->value = NO_HEADER;
    if (file == NULL)
        return NULL;
    struct pp_header *h = ARENA_NEW(config->owner->mem, struct pp_header);
    h->path =
        arena_printf(config->owner->mem, "%s",
                     is_system && config->setup.shortens_paths ? shorter_path(r->mem, path) : path);
    h->file = file;
    h->is_system = is_system;
    h->directory = index;
    e->value = h->index = (uint32_t)config->found.count;
    VEC_PUSH(config->owner->mem, &config->found, h);
    return h;
}

/* The first directory from `first` on that has the name. */
static struct pp_header *search_list(struct pp_run *r, strview name, unsigned first)
{
    pp_config *config = r->config;
    const char *key = arena_printf(r->mem, "list %u %.*s", first, SV_ARG(name));
    struct word_entry *e = word_set_find(&config->headers, sv_from(key));
    if (e != NULL)
        return e->value == NO_HEADER ? NULL : config->found.at[e->value];
    struct pp_header *h = NULL;
    for (unsigned i = first; h == NULL && i < config->setup.directory_count; i++) {
        const struct pp_directory *d = &config->setup.directories[i];
        h = header_in(r, sv_from(d->path), name, d->is_system, (int)i);
    }
    key = arena_printf(config->owner->mem, "%s", key);
    word_set_add(&config->headers, sv_from(key))->value = h != NULL ? h->index : NO_HEADER;
    return h;
}

struct pp_header *pp_search(struct pp_run *r, strview name, bool is_quoted, bool is_next)
{
    const struct pp_source *s = r->source;
    unsigned quote_count = r->config->setup.quote_count;
    if (name.len == 0)
        return NULL;
    if (name.at[0] == '/')
        return header_in(r, SV(""), name, false, -1);
    if (is_next && s->includer != NULL)
        return search_list(r, name, (unsigned)(s->header->directory + 1));
    if (is_quoted) {
        struct pp_header *h = header_in(r, include_dir_of(s->header->path), name, s->is_system, -1);
        if (h != NULL)
            return h;
    }
    return search_list(r, name, is_quoted ? 0 : quote_count);
}
