/* SPDX-License-Identifier: MIT */
/*
 * Files are asked for in runs, so the last one is tried first.
 */
#include "analyzer/source/source_cache.h"

#include <stdio.h>
#include <sys/stat.h>

#include "analyzer/base/check.h"
#include "analyzer/base/text_map.h"
#include "analyzer/base/vec.h"

struct source {
    const char *path;
    strview text;
    bool readable;
    VEC(size_t) starts; /* of the lines, in bytes */
};

struct source_cache {
    arena *mem;
    struct source *last;
    text_map sources; /* path -> struct source */
};

source_cache *source_cache_new(arena *mem)
{
    source_cache *cache = ARENA_NEW(mem, source_cache);
    cache->mem = mem;
    cache->sources = text_map_in(mem);
    return cache;
}

static bool read_regular_file(arena *mem, const char *path, strview *text)
{
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return false;
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return false;
    char *bytes = arena_alloc(mem, (size_t)st.st_size + 1);
    size_t len = fread(bytes, 1, (size_t)st.st_size, f);
    bool whole = !ferror(f);
    fclose(f);
    *text = (strview){bytes, len};
    return whole;
}

static void find_lines(arena *mem, struct source *s)
{
    const char *at = s->text.at, *end = at + s->text.len;
    while (at < end) {
        VEC_PUSH(mem, &s->starts, (size_t)(at - s->text.at));
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        at = newline == NULL ? end : newline + 1;
    }
}

static struct source *source_of(source_cache *cache, const char *path)
{
    if (cache->last != NULL && strcmp(cache->last->path, path) == 0)
        return cache->last;
    void **known = text_map_at(&cache->sources, path);
    struct source *s = *known;
    if (s == NULL) {
        s = ARENA_NEW(cache->mem, struct source);
        s->path = arena_strndup(cache->mem, path, strlen(path));
        s->text = SV("");
        s->readable = read_regular_file(cache->mem, path, &s->text);
        find_lines(cache->mem, s);
        *known = s;
    }
    cache->last = s;
    return s;
}

bool source_cache_text(source_cache *cache, const char *path, strview *text)
{
    const struct source *s = source_of(cache, path);
    if (s->readable)
        *text = s->text;
    return s->readable;
}

bool source_cache_line(source_cache *cache, const char *path, uint32_t number, strview *line)
{
    const struct source *s = source_of(cache, path);
    if (number == 0 || number > s->starts.count)
        return false;
    size_t begin = s->starts.at[number - 1];
    size_t end = number < s->starts.count ? s->starts.at[number] : s->text.len;
    *line = (strview){s->text.at + begin, end - begin};
    if (sv_ends(*line, "\n"))
        line->len--;
    if (sv_ends(*line, "\r"))
        line->len--;
    return true;
}

uint32_t source_cache_line_count(source_cache *cache, const char *path)
{
    return (uint32_t)source_of(cache, path)->starts.count;
}

size_t source_cache_line_start(source_cache *cache, const char *path, uint32_t number)
{
    const struct source *s = source_of(cache, path);
    AWC_ASSERT(number >= 1 && number <= s->starts.count);
    return s->starts.at[number - 1];
}

uint32_t source_cache_line_at(source_cache *cache, const char *path, size_t offset)
{
    const struct source *s = source_of(cache, path);
    size_t low = 0, high = s->starts.count; /* the line is in [low, high) */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (s->starts.at[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low + 1;
}
