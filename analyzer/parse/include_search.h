/* SPDX-License-Identifier: MIT */
/*
 * Which file does an #include name? The compilers' search, over the directories of the command line
 * and the compiler's own, and the texts of the files found, each read once.
 */
#ifndef AWAITC_PARSE_INCLUDE_SEARCH_H
#define AWAITC_PARSE_INCLUDE_SEARCH_H

#include <stdbool.h>

#include "analyzer/base/vec.h"
#include "analyzer/base/word_set.h"

typedef struct include_search {
    arena *mem;
    VEC(const char *) quote;   /* -iquote */
    VEC(const char *) bracket; /* -I, -isystem, the compiler's, -idirafter, in this order */
    VEC(const char *) forced;  /* -include, -imacros: names as given */
    VEC(const char *) defines; /* -D: NAME or NAME=TEXT */
    const char *own_dir;       /* awaitc's include directory */
    word_set texts;            /* path -> index into `loaded` */
    VEC(strview) loaded;       /* at NULL: no such file */
} include_search;

/* An empty search in `mem`. */
include_search include_search_in(arena *mem);

/* The text of a file, NUL-terminated, or a view with `at` NULL if it cannot be read. */
strview include_text(include_search *search, const char *path);

/*
 * The first file that `name` finds, spelled as the compiler would ("dir/name"), or NULL.
 *
 * quoted       `"name"`: the directory of the including file and -iquote come first
 * from         path of the including file
 * after_index  only bracket directories from this index on, -1 for all (for #include_next)
 */
const char *include_find(include_search *search, strview name, bool quoted, const char *from,
                         int after_index);

/* A path without `./` parts, by which spellings of one file are compared; in `mem` if it changes.
 */
const char *include_plain_path(arena *mem, const char *path);

/* The directory part of a path with its slash, "" if there is none. */
strview include_dir_of(const char *path);

/* One #include line of a text. */
struct include_line {
    size_t begin, end; /* from the '#' to before the line end */
    strview operand;   /* the name, without its marks; a macro's name if `computed` */
    bool quoted, computed, next;
};

/* The next #include, #include_next or #import at or after *at, which moves behind it; false at the
 * end. Conditions are not evaluated, comments not excluded: more lines may be seen than count. */
bool include_next_line(strview text, size_t *at, struct include_line *line);

/* Is it `awaitc.h`, or another header of awaitc's that brings the keywords? */
bool include_is_keywords(strview operand);

#endif
