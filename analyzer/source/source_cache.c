/* SPDX-License-Identifier: MIT */
/*
 * Files are few and asked for in runs, so the last one is tried first; others are found by a hash
 * of the path (open addressing, linear probing).
 */
#include "analyzer/source/source_cache.h"

#include <stdio.h>
#include <sys/stat.h>

#include "analyzer/base/check.h"
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
    struct source **slots; /* a power of two of them */
    size_t slot_count, count;
};

source_cache *source_cache_new(arena *mem)
{
    source_cache *cache = ARENA_NEW(mem, source_cache);
    cache->mem = mem;
    cache->slot_count = 64;
    cache->slots = ARENA_ARRAY(mem, struct source *, cache->slot_count);
    return cache;
}

static size_t hash_of(const char *path)
{
    uint64_t h = 1469598103934665603u; /* FNV-1a */
    for (; *path != '\0'; path++)
        h = (h ^ (unsigned char)*path) * 1099511628211u;
    return (size_t)(h ^ h >> 32);
}

static struct source **slot_of(source_cache *cache, const char *path)
{
    size_t i = hash_of(path) & (cache->slot_count - 1);
    while (cache->slots[i] != NULL && strcmp(cache->slots[i]->path, path) != 0)
        i = (i + 1) & (cache->slot_count - 1);
    return &cache->slots[i];
}

static void grow(source_cache *cache)
{
    struct source **old = cache->slots;
    size_t old_count = cache->slot_count;
    cache->slot_count *= 2;
    cache->slots = ARENA_ARRAY(cache->mem, struct source *, cache->slot_count);
    for (size_t i = 0; i < old_count; i++) {
        if (old[i] != NULL)
            *slot_of(cache, old[i]->path) = old[i];
    }
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
    struct source **slot = slot_of(cache, path);
    if (*slot == NULL) {
        struct source *s = ARENA_NEW(cache->mem, struct source);
        s->path = arena_strndup(cache->mem, path, strlen(path));
        s->text = SV("");
        s->readable = read_regular_file(cache->mem, path, &s->text);
        find_lines(cache->mem, s);
        *slot = s;
        if (++cache->count * 2 > cache->slot_count)
            grow(cache);
        cache->last = s;
        return s;
    }
    return cache->last = *slot;
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
