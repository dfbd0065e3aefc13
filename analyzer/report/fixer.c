/* SPDX-License-Identifier: MIT */
/*
 * Edits of a file are kept sorted by begin, then end; an insertion at the first byte of a
 * replacement so comes before it, one at its end behind it, and neither is an overlap. Files are
 * told apart by their real paths, since two units may spell one header in two ways.
 */
#include "analyzer/report/fixer.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "analyzer/base/strbuf.h"
#include "analyzer/base/text_map.h"
#include "analyzer/report/fix_diff.h"

struct plan_build {
    arena *mem;
    source_cache *sources;
    struct fix_plan *plan;
    text_map by_real_path; /* to struct pending */
    VEC(struct pending *) pending;
};

/* A file with the edits that are chosen so far. */
struct pending {
    const char *path;
    strview before;
    bool has_crlf;
    VEC(struct finding_edit) edits; /* sorted */
};

static bool has_crlf(strview text)
{
    const char *newline = memchr(text.at, '\n', text.len);
    return newline != NULL && newline > text.at && newline[-1] == '\r';
}

/* The file with this path, NULL if it cannot be read. */
static struct pending *pending_of(struct plan_build *b, const char *path)
{
    char real[PATH_MAX];
    strview text;
    if (realpath(path, real) == NULL || !source_cache_text(b->sources, path, &text))
        return NULL;
    void **known = text_map_at(&b->by_real_path, real);
    if (*known == NULL) {
        struct pending *file = ARENA_NEW(b->mem, struct pending);
        file->path = path;
        file->before = text;
        file->has_crlf = has_crlf(text);
        VEC_PUSH(b->mem, &b->pending, file);
        *known = file;
    }
    return *known;
}

static bool is_same(const struct finding_edit *a, const struct finding_edit *b)
{
    return a->begin == b->begin && a->end == b->end && strcmp(a->text, b->text) == 0;
}

static bool overlap(const struct finding_edit *a, const struct finding_edit *b)
{
    bool both_insert_here = a->begin == a->end && b->begin == b->end && a->begin == b->begin;
    return both_insert_here || (a->begin < b->end && b->begin < a->end);
}

enum verdict { EDIT_FREE, EDIT_KNOWN, EDIT_OVERLAPS };

static enum verdict compare_with(const struct finding_edit *edits, size_t count,
                                 const struct finding_edit *edit)
{
    for (size_t i = 0; i < count; i++) {
        if (is_same(&edits[i], edit))
            return EDIT_KNOWN;
        if (overlap(&edits[i], edit))
            return EDIT_OVERLAPS;
    }
    return EDIT_FREE;
}

/* Text with the file's line ends. */
static const char *with_line_ends(struct plan_build *b, const struct pending *file,
                                  const char *text)
{
    if (!file->has_crlf || strchr(text, '\n') == NULL)
        return text;
    strbuf out = strbuf_in(b->mem);
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '\n' && (at == text || at[-1] != '\r'))
            strbuf_char(&out, '\r');
        strbuf_char(&out, *at);
    }
    return strbuf_text(&out);
}

/* Why a fix cannot be taken, NULL if it can. */
static const char *objection(struct plan_build *b, const struct finding_fix *fix)
{
    for (size_t i = 0; i < fix->edits.count; i++) {
        struct finding_edit edit = fix->edits.at[i];
        const struct pending *file = pending_of(b, edit.file);
        if (file == NULL)
            return "its file cannot be read";
        if (edit.begin > edit.end || edit.end > file->before.len)
            return "it does not fit the file";
        edit.text = with_line_ends(b, file, edit.text);
        if (compare_with(file->edits.at, file->edits.count, &edit) == EDIT_OVERLAPS)
            return "it overlaps another fix; run again to apply it";
        for (size_t k = 0; k < i; k++) {
            if (pending_of(b, fix->edits.at[k].file) == file && overlap(&fix->edits.at[k], &edit))
                return "its own edits overlap";
        }
    }
    return fix->edits.count == 0 ? "it has no edits" : NULL;
}

static void insert_edit(struct plan_build *b, struct pending *file, struct finding_edit edit)
{
    edit.text = with_line_ends(b, file, edit.text);
    if (compare_with(file->edits.at, file->edits.count, &edit) == EDIT_KNOWN)
        return;
    VEC_PUSH(b->mem, &file->edits, edit);
    size_t i = file->edits.count - 1;
    for (; i > 0; i--) {
        const struct finding_edit *before = &file->edits.at[i - 1];
        if (before->begin < edit.begin || (before->begin == edit.begin && before->end <= edit.end))
            break;
        file->edits.at[i] = *before;
    }
    file->edits.at[i] = edit;
}

static void choose(struct plan_build *b, const struct finding *f)
{
    const struct finding_fix *fix = &f->fixes.at[0];
    const char *reason = objection(b, fix);
    if (reason != NULL) {
        VEC_PUSH(b->mem, &b->plan->skipped, (struct fix_skip){f, reason});
        return;
    }
    for (size_t i = 0; i < fix->edits.count; i++)
        insert_edit(b, pending_of(b, fix->edits.at[i].file), fix->edits.at[i]);
    b->plan->applied++;
}

static void add_changed_file(struct plan_build *b, const struct pending *from)
{
    struct fixed_file file = {.path = from->path, .before = from->before};
    strbuf after = strbuf_in(b->mem);
    size_t at = 0;
    for (size_t i = 0; i < from->edits.count; i++) {
        const struct finding_edit *edit = &from->edits.at[i];
        strbuf_add(&after, from->before.at + at, edit->begin - at);
        strbuf_str(&after, edit->text);
        at = edit->end;
        VEC_PUSH(b->mem, &file.edits, *edit);
    }
    strbuf_add(&after, from->before.at + at, from->before.len - at);
    file.after = strbuf_view(&after);
    if (!sv_equal(file.before, file.after))
        VEC_PUSH(b->mem, &b->plan->files, file);
}

static int compare_files(const void *left, const void *right)
{
    const struct fixed_file *a = left, *b = right;
    return strcmp(a->path, b->path);
}

struct fix_plan *fix_plan_new(arena *mem, const finding_list *findings, source_cache *sources)
{
    struct plan_build b = {.mem = mem, .sources = sources, .by_real_path = text_map_in(mem)};
    b.plan = ARENA_NEW(mem, struct fix_plan);
    for (size_t i = 0; i < findings->all.count; i++) {
        if (findings->all.at[i]->fixes.count > 0)
            choose(&b, findings->all.at[i]);
    }
    for (size_t i = 0; i < b.pending.count; i++)
        add_changed_file(&b, b.pending.at[i]);
    if (b.plan->files.count > 1)
        qsort(b.plan->files.at, b.plan->files.count, sizeof *b.plan->files.at, compare_files);
    return b.plan;
}

static bool write_fixed(const struct fixed_file *file, arena *mem, file_writer *write,
                        diag_sink *sink)
{
    struct diag_place place = {file->path, 0, 0};
    strview now;
    if (!source_cache_text(source_cache_new(mem), file->path, &now) ||
        !sv_equal(now, file->before)) {
        diag_report(sink, DIAG_INPUT, place,
                    "the file has changed since it was checked: it is not fixed; run again");
        return false;
    }
    if (!write(mem, file->path, file->after)) {
        diag_report(sink, DIAG_INPUT, place, "the fixed file cannot be written: %s",
                    strerror(errno));
        return false;
    }
    return true;
}

size_t fix_plan_apply(const struct fix_plan *plan, arena *mem, file_writer *write, diag_sink *sink)
{
    size_t written = 0;
    for (size_t i = 0; i < plan->files.count; i++)
        written += write_fixed(&plan->files.at[i], mem, write, sink);
    return written;
}

void fix_plan_print_diff(const struct fix_plan *plan, const struct render_context *cx, FILE *to)
{
    for (size_t i = 0; i < plan->files.count; i++)
        fix_diff_print(cx->mem, &plan->files.at[i], render_path(cx, plan->files.at[i].path), to);
}
