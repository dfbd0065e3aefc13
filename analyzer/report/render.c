/* SPDX-License-Identifier: MIT */
/*
 * What the formats share: the table, and how paths, texts and columns are shown. Paths are tidied
 * as text, without asking the file system: what a link leads to is nothing for a report.
 */
#include "analyzer/report/render.h"

#include <string.h>

#include "analyzer/base/check.h"
#include "analyzer/base/strbuf.h"
#include "analyzer/base/utf8.h"

static const struct renderer renderers[] = {
#define RENDERER(name) {#name, render_##name},
#include "analyzer/report/renderers.def"
#undef RENDERER
};

const struct renderer *renderer_find(const char *name)
{
    for (size_t i = 0; i < COUNTOF(renderers); i++) {
        if (strcmp(renderers[i].name, name) == 0)
            return &renderers[i];
    }
    return NULL;
}

const char *renderer_names(arena *mem)
{
    strbuf names = strbuf_in(mem);
    for (size_t i = 0; i < COUNTOF(renderers); i++)
        strbuf_fmt(&names, "%s%s", i == 0 ? "" : "|", renderers[i].name);
    return strbuf_text(&names);
}

/* Appends a part of a path, or takes the last one back for "..", if there is one. */
static void add_part(strbuf *path, strview part, size_t fixed_len)
{
    if (part.len == 0 || sv_is(part, "."))
        return;
    const char *last = path->len > fixed_len ? strrchr(strbuf_text(path), '/') : NULL;
    size_t last_begin = last == NULL ? fixed_len : (size_t)(last - path->at) + 1;
    bool is_up = sv_is(part, "..");
    if (is_up && path->len > fixed_len && strcmp(path->at + last_begin, "..") != 0) {
        path->len = last_begin > fixed_len ? last_begin - 1 : fixed_len;
        path->at[path->len] = '\0';
        return;
    }
    if (is_up && fixed_len == 1)
        return; /* the root is its own parent */
    if (path->len > fixed_len)
        strbuf_char(path, '/');
    strbuf_sv(path, part);
}

static const char *tidied(arena *mem, const char *file)
{
    strbuf path = strbuf_in(mem);
    size_t fixed_len = file[0] == '/' ? 1 : 0;
    if (fixed_len == 1)
        strbuf_char(&path, '/');
    while (*file != '\0') {
        size_t len = strcspn(file, "/");
        add_part(&path, (strview){file, len}, fixed_len);
        file += len + (file[len] == '/');
    }
    return path.len == 0 ? "." : strbuf_text(&path);
}

const char *render_path(const struct render_context *cx, const char *file)
{
    const char *path = tidied(cx->mem, file);
    size_t root_len = cx->root == NULL ? 0 : strlen(cx->root);
    if (root_len > 0 && strncmp(path, cx->root, root_len) == 0 && path[root_len] == '/')
        return path + root_len + 1;
    return path;
}

const char *render_utf8(const struct render_context *cx, const char *text)
{
    strview clean = utf8_clean(cx->mem, sv_from(text));
    return clean.at; /* ends in NUL: it is `text` itself, or a strbuf's */
}

size_t render_count(const finding_list *findings, enum diag_severity severity)
{
    size_t count = 0;
    for (size_t i = 0; i < findings->all.count; i++)
        count += findings->all.at[i]->severity == severity;
    return count;
}

uint32_t render_char_column(const struct render_context *cx, const struct diag_place *place,
                            uint32_t column)
{
    strview line;
    if (column == 0 || !source_cache_line(cx->sources, place->file, place->line, &line))
        return column;
    if (column - 1 > line.len)
        return (uint32_t)(utf8_count(line) + (column - line.len));
    return (uint32_t)utf8_count((strview){line.at, column - 1}) + 1;
}
