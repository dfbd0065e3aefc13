/* SPDX-License-Identifier: MIT */
/*
 * What does the output of a compiler's `-E -dD` run say? Which file and line each of its lines
 * comes from, through which includes; which macros were defined, where; and where the fences are
 * that expand.c put around the regions:
 *
 *     # 12 "foo.c"                 a mark: the next line is foo.c:12
 *     #pragma awaitc begin 0
 *     # 12 "foo.c"
 *     int f(void) { ... }          the expanded text of fence 0
 *     #define N 3                  a definition inside (from -dD)
 *     #pragma awaitc end 0
 */
#ifndef AWAITC_PARSE_CPP_OUTPUT_H
#define AWAITC_PARSE_CPP_OUTPUT_H

#include "analyzer/base/vec.h"
#include "analyzer/base/word_set.h"
#include "analyzer/diag/diag.h"

#define CPP_NO_MARK UINT32_MAX

/* A line marker. Lines of output after it count up from `line`. */
struct cpp_mark {
    uint32_t offset;  /* of the first byte that it speaks of */
    const char *file; /* unquoted; equal names are one pointer */
    uint32_t line;
    uint32_t includer; /* the mark that was current at the #include; CPP_NO_MARK in the source */
};

struct cpp_macro {
    strview name;
    strview text;     /* what stands behind the name, parameters included */
    const char *file; /* of the last definition */
    uint32_t offset;  /* of the first definition */
};

/* Lines next to each other: [begin, end), from a line's start to a line's start. */
struct cpp_run {
    uint32_t begin, end;
};

struct cpp_fence {
    bool begun, ended;
    uint32_t begin, end;        /* the lines between the two pragmas */
    uint32_t begin_line, after; /* the begin pragma's line itself; behind the end pragma's */
    struct diag_place begin_at, end_at;
    uint32_t begin_mark;
};

struct cpp_output {
    arena *mem;
    strview text;
    VEC(struct cpp_mark) marks;
    VEC(struct cpp_macro) macros;
    word_set macro_index; /* value: index into macros */
    struct cpp_fence *fences;
    uint32_t fence_count;
    VEC(struct cpp_run) directives; /* stretches of lines that are no text of the program */
    word_set files;                 /* file names seen; value: 1 + index of first mark */
};

/* Reads `text` (borrowed); fences are numbered 0 .. fence_count-1. */
struct cpp_output *cpp_output_read(arena *mem, strview text, uint32_t fence_count);

/* The mark that holds at an offset, or CPP_NO_MARK. */
uint32_t cpp_output_mark(const struct cpp_output *out, uint32_t offset);

/* File and line (no column) of an offset. */
struct diag_place cpp_output_place(const struct cpp_output *out, uint32_t offset);

/* The macro of this name if it was ever defined before `offset`, else NULL. */
const struct cpp_macro *cpp_output_macro(const struct cpp_output *out, strview name,
                                         uint32_t offset);

/* What kind of line starts at `line`? */
enum cpp_line { CPP_TEXT, CPP_MARKER, CPP_DEFINE, CPP_UNDEF, CPP_FENCE, CPP_PRAGMA, CPP_DIRECTIVE };
enum cpp_line cpp_line_kind(strview line);

/* Reads `# N "file" flags`; false if it is malformed. *enters, *leaves: flags 1 and 2. */
bool cpp_read_marker(arena *mem, strview line, uint32_t *number, const char **file, bool *enters,
                     bool *leaves);

/* The line that starts at *at, without its line end; *at moves behind it. */
strview cpp_next_line(strview text, uint32_t *at);

#endif
