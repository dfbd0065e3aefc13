/* SPDX-License-Identifier: MIT */
/*
 * What do the sources look like with the findings mended? Of each finding the first fix is taken,
 * whole or not at all. A fix that touches what an earlier one changes, in the order of the list, is
 * left for the next run; the same edit twice, say of an #include, counts once. Line ends are kept:
 * text that goes into a file with CR LF gets CR LF.
 */
#ifndef AWAITC_REPORT_FIXER_H
#define AWAITC_REPORT_FIXER_H

#include "analyzer/report/render.h"

/* A file that changes. */
struct fixed_file {
    const char *path;
    strview before, after;
    VEC(struct finding_edit) edits; /* sorted, without overlaps, in bytes of `before` */
};

/* A fix that was not taken. */
struct fix_skip {
    const struct finding *finding;
    const char *reason; /* "overlaps another fix; run again to apply it" */
};

struct fix_plan {
    VEC(struct fixed_file) files; /* sorted by path */
    VEC(struct fix_skip) skipped;
    uint32_t applied; /* findings whose fix was taken */
};

/* Chooses the fixes of a sorted list and makes the new texts; nothing is written. All in `mem`. */
struct fix_plan *fix_plan_new(arena *mem, const finding_list *findings, source_cache *sources);

/* Writes a file whole or not at all, its mode kept; false with errno set. The tool's
 * process_write_file is one. */
typedef bool file_writer(arena *mem, const char *path, strview text);

/*
 * Writes the files. One that changed since it was read, or cannot be written, stays as it is and is
 * an error in `sink`. Returns the number of files written.
 */
size_t fix_plan_apply(const struct fix_plan *plan, arena *mem, file_writer *write, diag_sink *sink);

/* Prints the changes as a unified diff for `patch -p1` or `git apply`, in the folder cx->root. */
void fix_plan_print_diff(const struct fix_plan *plan, const struct render_context *cx, FILE *to);

#endif
