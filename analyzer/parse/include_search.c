/* SPDX-License-Identifier: MIT */
/*
 * How does the tool follow #include without a preprocessor? By the rule of gcc and clang: a quoted
 * name is looked for beside the file that includes it, then in -iquote, then as a bracketed one.
 * Every line that looks like an #include counts, whatever conditions it stands in.
 */
#include "analyzer/parse/include_search.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

include_search include_search_in(arena *mem)
{
    return (include_search){.mem = mem, .texts = word_set_in(mem)};
}

static strview read_file(arena *mem, const char *path)
{
    strview none = {NULL, 0};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat st;
    if (fd < 0)
        return none;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size > INT32_MAX) {
        close(fd);
        return none;
    }
    size_t size = (size_t)st.st_size, got = 0;
    char *text = arena_alloc(mem, size + 1);
    while (got < size) {
        ssize_t n = read(fd, text + got, size - got);
        if (n <= 0)
            break;
        got += (size_t)n;
    }
    close(fd);
    return (strview){text, got};
}

strview include_text(include_search *search, const char *path)
{
    struct word_entry *entry = word_set_find(&search->texts, sv_from(path));
    if (entry != NULL)
        return search->loaded.at[entry->value];
    strview text = read_file(search->mem, path);
    char *name = arena_strndup(search->mem, path, strlen(path));
    word_set_add(&search->texts, sv_from(name))->value = (uint32_t)search->loaded.count;
    VEC_PUSH(search->mem, &search->loaded, text);
    return text;
}

const char *include_plain_path(arena *mem, const char *path)
{
    if (strncmp(path, "./", 2) != 0 && strstr(path, "/./") == NULL && strstr(path, "//") == NULL)
        return path;
    char *out = arena_strndup(mem, path, strlen(path));
    size_t len = 0;
    for (const char *p = path; *p != '\0';) {
        bool starts = len == 0 || out[len - 1] == '/';
        if (starts && p[0] == '.' && p[1] == '/')
            p += 2;
        else if (starts && len > 0 && *p == '/')
            p++;
        else
            out[len++] = *p++;
    }
    out[len] = '\0';
    return out;
}

strview include_dir_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return (strview){path, slash != NULL ? (size_t)(slash - path) + 1 : 0};
}

/* dir/name if it can be read. */
static const char *try_dir(include_search *search, strview dir, strview name)
{
    bool slash = dir.len > 0 && dir.at[dir.len - 1] != '/';
    char path[4096];
    if (dir.len + name.len + 2 > sizeof path)
        return NULL;
    memcpy(path, dir.at, dir.len);
    size_t at = dir.len;
    if (slash)
        path[at++] = '/';
    memcpy(path + at, name.at, name.len);
    path[at + name.len] = '\0';
    strview text = include_text(search, path);
    return text.at != NULL ? arena_strndup(search->mem, path, at + name.len) : NULL;
}

const char *include_find(include_search *search, strview name, bool quoted, const char *from,
                         int after_index)
{
    const char *found;
    if (name.len > 0 && name.at[0] == '/')
        return try_dir(search, (strview){"", 0}, name);
    if (quoted && after_index < 0) {
        if ((found = try_dir(search, include_dir_of(from), name)) != NULL)
            return found;
        for (size_t i = 0; i < search->quote.count; i++) {
            if ((found = try_dir(search, sv_from(search->quote.at[i]), name)) != NULL)
                return found;
        }
    }
    size_t first = after_index < 0 ? 0 : (size_t)after_index;
    for (size_t i = first; i < search->bracket.count; i++) {
        if ((found = try_dir(search, sv_from(search->bracket.at[i]), name)) != NULL)
            return found;
    }
    return NULL;
}

/* ---- the lines ---------------------------------------------------------------------------- */

static size_t over_blanks(strview text, size_t p)
{
    for (;;) {
        if (p < text.len && (text.at[p] == ' ' || text.at[p] == '\t')) {
            p++;
        } else if (p + 1 < text.len && text.at[p] == '\\' && text.at[p + 1] == '\n') {
            p += 2;
        } else if (p + 1 < text.len && text.at[p] == '/' && text.at[p + 1] == '*') {
            const char *end = memmem(text.at + p + 2, text.len - p - 2, "*/", 2);
            if (end == NULL)
                return p;
            p = (size_t)(end - text.at) + 2;
        } else {
            return p;
        }
    }
}

/* Can a directive start here: are there only blanks, or a comment's end, before the '#'? */
static bool starts_line(strview text, size_t hash)
{
    size_t p = hash;
    while (p > 0 && (text.at[p - 1] == ' ' || text.at[p - 1] == '\t'))
        p--;
    return p == 0 || text.at[p - 1] == '\n' || (p >= 2 && memcmp(text.at + p - 2, "*/", 2) == 0);
}

static bool read_operand(strview text, size_t p, struct include_line *line)
{
    p = over_blanks(text, p);
    if (p >= text.len)
        return false;
    char open = text.at[p], close = open == '<' ? '>' : '"';
    const char *eol = memchr(text.at + p, '\n', text.len - p);
    line->end = eol != NULL ? (size_t)(eol - text.at) : text.len;
    line->quoted = open == '"';
    line->computed = open != '"' && open != '<';
    if (line->computed) {
        size_t end = p;
        while (end < line->end && strchr(" \t\r(/", text.at[end]) == NULL)
            end++;
        line->operand = (strview){text.at + p, end - p};
        return end > p;
    }
    const char *end = memchr(text.at + p + 1, close, line->end - p - 1);
    if (end == NULL)
        return false;
    line->operand = (strview){text.at + p + 1, (size_t)(end - text.at) - p - 1};
    return true;
}

bool include_next_line(strview text, size_t *at, struct include_line *line)
{
    while (*at < text.len) {
        const char *hash = memchr(text.at + *at, '#', text.len - *at);
        if (hash == NULL)
            break;
        size_t begin = (size_t)(hash - text.at);
        *at = begin + 1;
        size_t p = over_blanks(text, begin + 1);
        bool include = text.len - p > 7 && memcmp(text.at + p, "include", 7) == 0;
        bool import = text.len - p > 6 && memcmp(text.at + p, "import", 6) == 0;
        if (!(include || import) || !starts_line(text, begin))
            continue;
        *line = (struct include_line){.begin = begin};
        p += include ? 7 : 6;
        if (include && text.len - p > 5 && memcmp(text.at + p, "_next", 5) == 0) {
            line->next = true;
            p += 5;
        }
        if (read_operand(text, p, line)) {
            *at = line->end;
            return true;
        }
    }
    *at = text.len;
    return false;
}

bool include_is_keywords(strview operand)
{
    if (sv_is(operand, "awaitc/plain.h") || sv_is(operand, "awaitc/abi.h"))
        return false;
    return sv_is(operand, "awaitc.h") || sv_starts(operand, "awaitc/") ||
           sv_ends(operand, "/awaitc.h");
}
