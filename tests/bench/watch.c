/* SPDX-License-Identifier: MIT */
/*
 * What does an await cost in memory? The linker's --wrap leads the calls here that the program and
 * libawaitc.a make: the allocator's, which are counted, and the spawn, whose site says how much
 * frame stack the spawned call needs, children included: the room that the runtime lays out for it.
 * Plain C: the file is not lowered.
 */
#include <stdatomic.h>

#include <awaitc/abi.h>

#include "common.h"

static atomic_uint_least64_t calls;
static size_t room_bytes;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *p, size_t size);
void *__real_aligned_alloc(size_t align, size_t size);
int __real_posix_memalign(void **p, size_t align, size_t size);
void *__real_mmap(void *at, size_t size, int prot, int flags, int fd, off_t offset);
aw_task *__real_aw_spawn_task(aw_runtime *rt, const aw_spawn_site *site, const void *args);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size);
int __wrap_posix_memalign(void **p, size_t align, size_t size);
void *__wrap_mmap(void *at, size_t size, int prot, int flags, int fd, off_t offset);
aw_task *__wrap_aw_spawn_task(aw_runtime *rt, const aw_spawn_site *site, const void *args);

static void count(void)
{
    atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
}

void *__wrap_malloc(size_t size)
{
    count();
    return __real_malloc(size);
}

void *__wrap_calloc(size_t members, size_t size)
{
    count();
    return __real_calloc(members, size);
}

void *__wrap_realloc(void *p, size_t size)
{
    count();
    return __real_realloc(p, size);
}

void *__wrap_aligned_alloc(size_t align, size_t size)
{
    count();
    return __real_aligned_alloc(align, size);
}

int __wrap_posix_memalign(void **p, size_t align, size_t size)
{
    count();
    return __real_posix_memalign(p, align, size);
}

void *__wrap_mmap(void *at, size_t size, int prot, int flags, int fd, off_t offset)
{
    count();
    return __real_mmap(at, size, prot, flags, fd, offset);
}

aw_task *__wrap_aw_spawn_task(aw_runtime *rt, const aw_spawn_site *site, const void *args)
{
    room_bytes = site->need_bytes;
    return __real_aw_spawn_task(rt, site, args);
}

uint64_t heap_calls(void)
{
    return atomic_load_explicit(&calls, memory_order_relaxed);
}

size_t spawned_room_bytes(void)
{
    return room_bytes;
}
