/* SPDX-License-Identifier: MIT */
/*
 * Pieces are found by line and column in the file, up to where the next token begins. One that
 * ends before it begins, or is far longer than what the preprocessor left, is not trusted.
 */
#include "analyzer/diagram/source_text.h"

#include <ctype.h>
#include <stdint.h>

static void index_lines(arena *mem, struct source_text *file)
{
    VEC(uint32_t) starts = {0};
    VEC_PUSH(mem, &starts, 0u);
    for (size_t i = 0; i < file->text.len; i++) {
        if (file->text.at[i] == '\n')
            VEC_PUSH(mem, &starts, (uint32_t)i + 1);
    }
    file->line_start = starts.at;
    file->line_count = (uint32_t)starts.count;
}

/* Relative to the base, else the last two parts of an absolute path. */
static const char *shown_name(const source_table *table, const char *path)
{
    while (path[0] == '.' && path[1] == '/')
        path += 2;
    if (path[0] != '/')
        return path;
    size_t len = table->base == NULL ? 0 : strlen(table->base);
    if (len > 0 && strncmp(path, table->base, len) == 0 && path[len] == '/')
        return path + len + 1;
    const char *slash = strrchr(path, '/'), *from = slash;
    while (from > path && from[-1] != '/')
        from--;
    return from > path ? from : slash + 1;
}

const struct source_text *source_get(source_table *table, const char *path)
{
    if (path == NULL)
        path = "";
    for (size_t i = 0; i < table->files.count; i++) {
        if (strcmp(table->files.at[i].path, path) == 0)
            return &table->files.at[i];
    }
    struct source_text file = {.path = path, .shown = shown_name(table, path)};
    if (table->read != NULL && path[0] != '\0')
        file.text = table->read(table->context, path);
    if (file.text.at != NULL)
        index_lines(table->mem, &file);
    VEC_PUSH(table->mem, &table->files, file);
    return &VEC_LAST(&table->files);
}

strview source_line(const struct source_text *file, uint32_t line)
{
    if (line == 0 || line > file->line_count)
        return (strview){"", 0};
    uint32_t begin = file->line_start[line - 1];
    size_t end = line < file->line_count ? file->line_start[line] - 1u : file->text.len;
    if (end > begin && file->text.at[end - 1] == '\r')
        end--;
    return (strview){file->text.at + begin, end - begin};
}

static size_t offset_of(const struct source_text *file, struct diag_place at)
{
    strview line = source_line(file, at.line);
    if (at.line == 0 || at.column == 0 || at.line > file->line_count || at.column - 1 > line.len)
        return SIZE_MAX;
    return file->line_start[at.line - 1] + at.column - 1;
}

/* Behind a comment or literal that starts at i; i itself if none does. */
static size_t skip_unit(strview text, size_t i)
{
    char c = text.at[i];
    if (c == '"' || c == '\'') {
        for (i++; i < text.len && text.at[i] != c; i++)
            i += text.at[i] == '\\';
        return i < text.len ? i + 1 : text.len;
    }
    if (c != '/' || i + 1 >= text.len)
        return i;
    if (text.at[i + 1] == '/') {
        while (i < text.len && text.at[i] != '\n')
            i++;
    } else if (text.at[i + 1] == '*') {
        const char *end = memmem(text.at + i + 2, text.len - i - 2, "*/", 2);
        i = end == NULL ? text.len : (size_t)(end - text.at) + 2;
    }
    return i;
}

static bool is_blank(char c)
{
    return isspace((unsigned char)c) != 0;
}

static const char *one_line(arena *mem, strview text)
{
    strbuf out = strbuf_in(mem);
    bool gap = false;
    for (size_t i = 0; i < text.len;) {
        size_t next = skip_unit(text, i);
        bool comment = next > i && text.at[i] == '/';
        if (comment || is_blank(text.at[i]) ||
            (text.at[i] == '\\' && i + 1 < text.len && text.at[i + 1] == '\n')) {
            gap = true;
            i = comment ? next : i + 1;
            continue;
        }
        if (gap && out.len > 0)
            strbuf_char(&out, ' ');
        gap = false;
        next = next > i ? next : i + 1;
        strbuf_add(&out, text.at + i, next - i);
        i = next;
    }
    return strbuf_text(&out);
}

/* The keywords' prefixed names and what the preprocessor makes of them, as people know them. */
static const char *plain_keywords(arena *mem, const char *text)
{
    static const char *const words[][2] = {
        {"__awaitc_async__", "async"}, {"__awaitc_await__", "await"}, {"((void *)0)", "NULL"}};
    for (size_t w = 0; w < sizeof words / sizeof words[0]; w++) {
        strbuf out = strbuf_in(mem);
        size_t len = strlen(words[w][0]);
        for (const char *at; (at = strstr(text, words[w][0])) != NULL; text = at + len) {
            strbuf_add(&out, text, (size_t)(at - text));
            strbuf_str(&out, words[w][1]);
        }
        strbuf_str(&out, text);
        text = strbuf_text(&out);
    }
    return text;
}

const char *source_snippet(source_table *table, const struct machine_text *piece)
{
    if (piece->text.len == 0)
        return "";
    const char *expanded = plain_keywords(table->mem, one_line(table->mem, piece->text));
    if (piece->begin.file == NULL || piece->end.file == NULL ||
        strcmp(piece->begin.file, piece->end.file) != 0)
        return expanded;
    const struct source_text *file = source_get(table, piece->begin.file);
    size_t begin = offset_of(file, piece->begin), end = offset_of(file, piece->end);
    if (begin == SIZE_MAX || end == SIZE_MAX || end <= begin ||
        end - begin > 4 * piece->text.len + 400)
        return expanded;
    const char *own = one_line(table->mem, (strview){file->text.at + begin, end - begin});
    return own[0] != '\0' ? own : expanded;
}

const char *source_shorten(arena *mem, const char *text, size_t limit)
{
    size_t shown = 0, cut = 0;
    for (size_t i = 0; text[i] != '\0'; i++) {
        if (((unsigned char)text[i] & 0xc0) == 0x80)
            continue;
        if (++shown == limit)
            cut = i;
    }
    if (shown <= limit)
        return text;
    while (cut > 0 && is_blank(text[cut - 1]))
        cut--;
    return arena_printf(mem, "%.*s\u2026", (int)cut, text);
}
