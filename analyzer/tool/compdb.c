/* SPDX-License-Identifier: MIT */
/*
 * Files are compared by their real paths, so that it does not matter how either side spells them.
 * An entry has "arguments", a list, or "command", a line for a shell of which only quoting is used.
 */
#include "analyzer/tool/compdb.h"

#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/base/strbuf.h"
#include "analyzer/base/text_map.h"
#include "analyzer/base/word_set.h"

static const char *joined(arena *mem, const char *dir, const char *path)
{
    return path[0] == '/' ? arena_printf(mem, "%s", path) : arena_printf(mem, "%s/%s", dir, path);
}

static const char *real_name(arena *mem, const char *path)
{
    char real[PATH_MAX];
    return realpath(path, real) != NULL ? arena_printf(mem, "%s", real) : NULL;
}

/* The database in a directory or its build/ folder; NULL. */
static const char *database_in(arena *mem, const char *dir)
{
    const char *here = arena_printf(mem, "%s/compile_commands.json", dir);
    if (access(here, R_OK) == 0)
        return here;
    const char *built = arena_printf(mem, "%s/build/compile_commands.json", dir);
    return access(built, R_OK) == 0 ? built : NULL;
}

static const char *find_database(arena *mem, const char *dir, const char *file)
{
    if (dir != NULL)
        return database_in(mem, dir);
    char *at = realpath(file, NULL);
    const char *found = at != NULL && strcmp(file, ".") == 0 ? database_in(mem, at) : NULL;
    char *slash;
    while (at != NULL && found == NULL && (slash = strrchr(at, '/')) != NULL) {
        *slash = '\0';
        found = database_in(mem, at);
    }
    free(at);
    return found;
}

/* The next word of a shell's command line, unquoted; NULL at the end. */
static char *command_word(arena *mem, const char **at)
{
    const char *p = *at;
    while (*p == ' ' || *p == '\t' || *p == '\n')
        p++;
    if (*p == '\0')
        return NULL;
    strbuf word = strbuf_in(mem);
    char quote = '\0';
    for (; *p != '\0'; p++) {
        bool escapes = *p == '\\' && quote != '\'' && p[1] != '\0' &&
                       (quote == '\0' || strchr("\"\\$`", p[1]) != NULL);
        if (escapes)
            strbuf_char(&word, *++p);
        else if (quote != '\0' && *p == quote)
            quote = '\0';
        else if (quote == '\0' && (*p == '"' || *p == '\''))
            quote = *p;
        else if (quote == '\0' && strchr(" \t\n", *p) != NULL)
            break;
        else
            strbuf_char(&word, *p);
    }
    *at = p;
    return arena_strndup(mem, strbuf_text(&word), word.len);
}

static void read_arguments(arena *mem, json_t *entry, struct compdb_entry *out)
{
    json_t *list = json_object_get(entry, "arguments");
    size_t index;
    json_t *item;
    json_array_foreach(list, index, item)
    {
        const char *text = json_string_value(item);
        if (text != NULL)
            VEC_PUSH(mem, &out->arguments, arena_strndup(mem, text, strlen(text)));
    }
    const char *command = json_string_value(json_object_get(entry, "command"));
    char *word;
    while (list == NULL && command != NULL && (word = command_word(mem, &command)) != NULL)
        VEC_PUSH(mem, &out->arguments, word);
    VEC_PUSH(mem, &out->arguments, NULL);
    out->arguments.count--;
}

static json_t *load_database(arena *mem, const char *database, const char **message)
{
    json_error_t error;
    json_t *root = json_load_file(database, 0, &error);
    if (json_is_array(root))
        return root;
    *message =
        arena_printf(mem, "%s:%d:%d: error: this is no compilation database: %s [awaitc-input]\n",
                     database, root == NULL && error.line > 0 ? error.line : 1,
                     root == NULL && error.column > 0 ? error.column : 1,
                     root == NULL ? error.text : "not a list of commands");
    json_decref(root);
    return NULL;
}

/* ---- databases that were read ---------------------------------------------------------------- */

/* Entries of one base name, which alone are compared by their real paths. */
struct name_entries {
    VEC(size_t) at;
};

struct database {
    const char *path;
    const char *message; /* what is wrong with it; NULL */
    json_t *root;
    text_map by_name; /* to struct name_entries */
};

struct compdb {
    arena *mem;
    VEC(struct database *) read;
};

compdb *compdb_new(arena *mem)
{
    compdb *db = ARENA_NEW(mem, compdb);
    db->mem = mem;
    return db;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static void index_entries(arena *mem, struct database *d)
{
    size_t index;
    json_t *entry;
    json_array_foreach(d->root, index, entry)
    {
        const char *file = json_string_value(json_object_get(entry, "file"));
        if (file == NULL)
            continue;
        void **known = text_map_at(&d->by_name, base_name(file));
        if (*known == NULL)
            *known = ARENA_NEW(mem, struct name_entries);
        struct name_entries *entries = *known;
        VEC_PUSH(mem, &entries->at, index);
    }
}

static struct database *database_of(compdb *db, const char *path)
{
    for (size_t i = 0; i < db->read.count; i++) {
        if (strcmp(db->read.at[i]->path, path) == 0)
            return db->read.at[i];
    }
    struct database *d = ARENA_NEW(db->mem, struct database);
    d->path = path;
    d->by_name = text_map_in(db->mem);
    d->root = load_database(db->mem, path, &d->message);
    index_entries(db->mem, d);
    VEC_PUSH(db->mem, &db->read, d);
    return d;
}

static enum compdb_status search_entries(arena *mem, const struct database *d, const char *wanted,
                                         struct compdb_entry *out)
{
    const char *own_dir = arena_strndup(mem, d->path, (size_t)(strrchr(d->path, '/') - d->path));
    const struct name_entries *entries = text_map_get(&d->by_name, base_name(wanted));
    for (size_t i = 0; entries != NULL && i < entries->at.count; i++) {
        json_t *entry = json_array_get(d->root, entries->at.at[i]);
        const char *file = json_string_value(json_object_get(entry, "file"));
        const char *dir = json_string_value(json_object_get(entry, "directory"));
        dir = dir != NULL ? joined(mem, own_dir, dir) : own_dir;
        const char *real = real_name(mem, joined(mem, dir, file));
        if (real == NULL || strcmp(real, wanted) != 0)
            continue;
        out->directory = dir;
        out->file = arena_strndup(mem, file, strlen(file));
        read_arguments(mem, entry, out);
        if (out->arguments.count > 0)
            return COMPDB_FOUND;
    }
    return COMPDB_NO_ENTRY;
}

enum compdb_status compdb_find(compdb *db, const char *dir, const char *file,
                               struct compdb_entry *out, const char **message)
{
    *out = (struct compdb_entry){0};
    const char *path = find_database(db->mem, dir, file);
    const char *wanted = real_name(db->mem, file);
    if (path == NULL || wanted == NULL)
        return COMPDB_NO_DATABASE;
    const struct database *d = database_of(db, path);
    *message = d->message;
    return d->root == NULL ? COMPDB_BROKEN : search_entries(db->mem, d, wanted, out);
}

/* ---- all sources ----------------------------------------------------------------------------- */

static bool is_c_source(const char *file)
{
    const char *dot = strrchr(file, '.');
    return dot != NULL && (strcmp(dot, ".c") == 0 || strcmp(dot, ".i") == 0);
}

enum compdb_status compdb_all(arena *mem, const char *dir, compdb_entries *out,
                              const char **message)
{
    const char *database = find_database(mem, dir, ".");
    if (database == NULL)
        return COMPDB_NO_DATABASE;
    json_t *root = load_database(mem, database, message);
    if (root == NULL)
        return COMPDB_BROKEN;
    const char *own_dir = arena_strndup(mem, database, (size_t)(strrchr(database, '/') - database));
    word_set seen = word_set_in(mem);
    size_t index;
    json_t *item;
    json_array_foreach(root, index, item)
    {
        const char *file = json_string_value(json_object_get(item, "file"));
        const char *where = json_string_value(json_object_get(item, "directory"));
        if (file == NULL || !is_c_source(file))
            continue;
        struct compdb_entry entry = {0};
        entry.directory = where != NULL ? joined(mem, own_dir, where) : own_dir;
        entry.file = arena_strndup(mem, file, strlen(file));
        uint32_t before = seen.count;
        word_set_add(&seen, sv_from(joined(mem, entry.directory, file)));
        read_arguments(mem, item, &entry);
        if (seen.count != before && entry.arguments.count > 0)
            VEC_PUSH(mem, out, entry);
    }
    json_decref(root);
    return COMPDB_FOUND;
}
