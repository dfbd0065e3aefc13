/* SPDX-License-Identifier: MIT */
/*
 * The bump allocator: a list of blocks, the newest first; a request that does not fit opens a
 * block that is at least twice as large as the one before, up to 1 MiB.
 */
#include "analyzer/base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BLOCK_BYTES = 64 * 1024, LARGEST_BLOCK_BYTES = 1024 * 1024 };

struct block {
    struct block *next;
    size_t size_bytes; /* of `bytes` */
    size_t used_bytes;
    alignas(max_align_t) char bytes[];
};

struct arena {
    struct block *top;
    size_t used_bytes;
};

static void out_of_memory(void)
{
    fputs("awaitc: error: out of memory\n", stderr);
    exit(2);
}

arena *arena_create(void)
{
    arena *a = calloc(1, sizeof *a);
    if (a == NULL)
        out_of_memory();
    return a;
}

void arena_destroy(arena **a)
{
    if (*a == NULL)
        return;
    for (struct block *b = (*a)->top, *next; b != NULL; b = next) {
        next = b->next;
        free(b);
    }
    free(*a);
    *a = NULL;
}

static void push_block(arena *a, size_t at_least_bytes)
{
    size_t size = a->top == NULL ? FIRST_BLOCK_BYTES : a->top->size_bytes * 2;
    if (size > LARGEST_BLOCK_BYTES)
        size = LARGEST_BLOCK_BYTES;
    if (size < at_least_bytes)
        size = at_least_bytes;
    struct block *b = calloc(1, sizeof *b + size);
    if (b == NULL)
        out_of_memory();
    b->size_bytes = size;
    b->next = a->top;
    a->top = b;
}

void *arena_alloc(arena *a, size_t size)
{
    const size_t align = alignof(max_align_t);
    if (size > SIZE_MAX / 2)
        out_of_memory();
    size_t rounded = (size + align - 1) & ~(align - 1);
    if (a->top == NULL || a->top->size_bytes - a->top->used_bytes < rounded)
        push_block(a, rounded);
    void *p = a->top->bytes + a->top->used_bytes;
    a->top->used_bytes += rounded;
    a->used_bytes += rounded;
    return p;
}

void arena_trim(arena *a, const void *p, size_t size, size_t needed)
{
    const size_t align = alignof(max_align_t);
    size_t rounded = (size + align - 1) & ~(align - 1), kept = (needed + align - 1) & ~(align - 1);
    struct block *b = a->top;
    bool is_latest = b != NULL && b->used_bytes >= rounded &&
                     (const char *)p == b->bytes + b->used_bytes - rounded;
    if (!is_latest || kept >= rounded)
        return;
    b->used_bytes -= rounded - kept;
    a->used_bytes -= rounded - kept;
}

void *arena_copy(arena *a, const void *bytes, size_t size)
{
    void *p = arena_alloc(a, size);
    if (size != 0)
        memcpy(p, bytes, size);
    return p;
}

char *arena_strndup(arena *a, const char *text, size_t len)
{
    char *p = arena_alloc(a, len + 1);
    if (len != 0)
        memcpy(p, text, len);
    return p;
}

char *arena_printf(arena *a, const char *format, ...)
{
    char guess[256];
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(guess, sizeof guess, format, args);
    va_end(args);
    if (len < 0)
        out_of_memory();
    char *p = arena_alloc(a, (size_t)len + 1);
    if ((size_t)len < sizeof guess)
        memcpy(p, guess, (size_t)len);
    else
        vsnprintf(p, (size_t)len + 1, format, again);
    va_end(again);
    return p;
}

char *arena_join(arena *a, const strview *parts, size_t count)
{
    size_t len = 0, at = 0;
    for (size_t i = 0; i < count; i++)
        len += parts[i].len;
    char *p = arena_alloc(a, len + 1);
    for (size_t i = 0; i < count; i++) {
        if (parts[i].len != 0)
            memcpy(p + at, parts[i].at, parts[i].len);
        at += parts[i].len;
    }
    return p;
}

size_t arena_used_bytes(const arena *a)
{
    return a->used_bytes;
}
