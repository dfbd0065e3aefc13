/* SPDX-License-Identifier: MIT */
/*
 * With which command is a file compiled? Looks it up in a compilation database
 * (compile_commands.json, as CMake, Meson and Bear write it).
 */
#ifndef AWAITC_TOOL_COMPDB_H
#define AWAITC_TOOL_COMPDB_H

#include <stdbool.h>

#include "analyzer/base/vec.h"

struct compdb_entry {
    const char *directory; /* the command's working directory */
    const char *file;      /* as the database spells it */
    VEC(char *) arguments; /* NULL-terminated; compiler first */
};

enum compdb_status { COMPDB_FOUND, COMPDB_NO_DATABASE, COMPDB_NO_ENTRY, COMPDB_BROKEN };

/* Databases that were read, so that each is read once. */
typedef struct compdb compdb;

compdb *compdb_new(arena *mem);

/*
 * The command for `file`; what it points to lives as long as `db`.
 *
 * dir      where the database is; NULL: looked for upwards from the file, also in build/
 * message  gets what is wrong for COMPDB_BROKEN, a whole line for standard error
 */
enum compdb_status compdb_find(compdb *db, const char *dir, const char *file,
                               struct compdb_entry *out, const char **message);

typedef VEC(struct compdb_entry) compdb_entries;

/*
 * All C sources of a database, each once, in its order.
 *
 * dir  where the database is; NULL: looked for upwards from the working directory, also in build/
 */
enum compdb_status compdb_all(arena *mem, const char *dir, compdb_entries *out,
                              const char **message);

#endif
