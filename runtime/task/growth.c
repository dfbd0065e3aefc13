/* SPDX-License-Identifier: MIT */
/*
 * What if a call finds no room? The frame stack grows by a chunk from the heap; if the C stack is
 * low, the call is bounced: its arguments are stored in its frame, and the trampoline begins it
 * again from the bottom of the C stack.
 *
 *     ... caller | (rest unused)        chunk: | aw_chunk | callee | its child | ...
 *                                                ^ head: a frame between callee and caller
 *
 * While the callee is suspended, the chunk's own head stands in the chain of frames; when the
 * callee finishes it is resumed, pops the chunk, and the caller goes on. A growing call pops
 * exactly the chunk that it pushed. The chunk popped last is kept, for the next growth and because
 * c->ret points into it until the caller has read the result.
 */
#include "runtime/sys/sys_alloc.h"
#include "runtime/task/task_state.h"

enum { HINT_MAX_BYTES = 4096 };

static void chunk_resume(aw_cx *c, aw_frame *frame, unsigned state);

static const aw_site chunk_site = {
    .resume = chunk_resume, .flags = AW_SITE_CHUNK, .func = "chunk", .file = "awaitc"};

static aw_chunk *chunk_alloc(awi_host *h, size_t bytes)
{
    if (bytes == AWI_CHUNK_MIN_BYTES && h != NULL && h->chunks != NULL) {
        aw_chunk *chunk = h->chunks;
        h->chunks = chunk->cached;
        h->chunk_count--;
        AWI_UNPOISON(chunk + 1, chunk->bytes - sizeof *chunk);
        return chunk;
    }
    aw_chunk *chunk = awi_alloc(bytes);
    if (chunk != NULL)
        chunk->bytes = bytes;
    return chunk;
}

static void chunk_free(awi_host *h, aw_chunk *chunk)
{
    if (chunk == NULL)
        return;
    if (chunk->bytes == AWI_CHUNK_MIN_BYTES && h != NULL && h->chunk_count < AWI_CHUNKS_CACHED) {
        chunk->cached = h->chunks;
        h->chunks = chunk;
        h->chunk_count++;
        AWI_POISON(chunk + 1, chunk->bytes - sizeof *chunk);
    } else {
        awi_free(chunk);
    }
}

void awi_chunks_free_cached(awi_host *h)
{
    while (h->chunks != NULL) {
        aw_chunk *next = h->chunks->cached;
        AWI_UNPOISON(h->chunks + 1, h->chunks->bytes - sizeof *next);
        awi_free(h->chunks);
        h->chunks = next;
    }
    h->chunk_count = 0;
}

/* Chunks double, up to a limit; one that must hold more is as large as that. */
static size_t next_chunk_bytes(const aw_cx *c, size_t least)
{
    size_t bytes = AWI_CHUNK_MIN_BYTES;
    if (c->chunk != NULL && c->chunk->bytes >= AWI_CHUNK_MIN_BYTES) {
        bytes = c->chunk->bytes * 2;
        if (bytes > AWI_CHUNK_MAX_BYTES)
            bytes = AWI_CHUNK_MAX_BYTES;
    }
    if (bytes >= least)
        return bytes;
    return least + (-least & 15);
}

static aw_chunk *chunk_push(aw_cx *c, size_t least)
{
    if (least < sizeof(aw_chunk)) /* the sum has wrapped around */
        return NULL;
    aw_chunk *chunk = c->spare;
    if (chunk != NULL && chunk->bytes >= least) {
        c->spare = NULL;
    } else {
        chunk = chunk_alloc(awi_self.host, next_chunk_bytes(c, least));
        if (chunk == NULL)
            return NULL;
    }
    chunk->below = c->chunk;
    chunk->below_lim = c->lim;
    c->chunk = chunk;
    c->lim = (char *)chunk + chunk->bytes;
    return chunk;
}

static void chunk_pop(aw_cx *c, aw_chunk *chunk)
{
    chunk_free(awi_self.host, c->spare);
    c->spare = chunk;
    c->chunk = chunk->below;
    c->lim = chunk->below_lim;
}

bool awi_chunk_push_first(aw_cx *c, size_t bytes)
{
    return chunk_push(c, sizeof(aw_chunk) + bytes) != NULL;
}

void awi_chunks_drop(aw_cx *c)
{
    while (c->chunk != NULL)
        chunk_pop(c, c->chunk);
    chunk_free(awi_self.host, c->spare);
    c->spare = NULL;
}

static void chunk_resume(aw_cx *c, aw_frame *frame, unsigned state)
{
    (void)state;
    chunk_pop(c, (aw_chunk *)(void *)frame);
}

/* A task whose first growth comes this early would rather have had the room from the start. */
static void learn_need(const aw_cx *c, const char *fp, size_t need_bytes)
{
    const aw_task *t = c->task;
    size_t *hint = t->site->hint;
    if (hint == NULL || c->group != NULL || c->chunk != NULL)
        return;
    size_t need = (size_t)(fp - ((const char *)t + t->room_at)) + need_bytes;
    if (need <= HINT_MAX_BYTES && need > __atomic_load_n(hint, __ATOMIC_RELAXED))
        __atomic_store_n(hint, need, __ATOMIC_RELAXED);
}

AWI_PUBLIC int aw_grow_begin(aw_cx *c, void *fp, size_t need_bytes, size_t align_bytes,
                             aw_growth *g)
{
    bool bounce = AW_STACK_POINTER() < c->stk;
    if (need_bytes < AW_LEAF_ROOM)
        need_bytes = AW_LEAF_ROOM;
    if (align_bytes < 16)
        align_bytes = 16;
    g->chunk = NULL;
    g->room = AW_ALIGN_UP(fp, align_bytes);
    size_t skipped = (size_t)((char *)g->room - (char *)fp);
    size_t left = (size_t)(c->lim - (char *)fp);
    if (left < skipped || left - skipped < need_bytes) {
        learn_need(c, fp, need_bytes + skipped);
        g->chunk = chunk_push(c, sizeof(aw_chunk) + align_bytes + need_bytes);
        if (g->chunk == NULL) {
            awi_strand_fail(c, fp, -ENOMEM);
            return AW_GROW_FAILED;
        }
        g->room = AW_ALIGN_UP(g->chunk + 1, align_bytes);
    }
    return bounce ? AW_GROW_BOUNCE : AW_GROW_RUN;
}

AWI_PUBLIC void aw_bounce(aw_cx *c, aw_frame *frame, const aw_site *site)
{
    awi_leaf_suspend(c, frame, site);
    c->now = 1;
}

AWI_PUBLIC void aw_grow_end(aw_cx *c, aw_growth *g)
{
    if (g->chunk == NULL)
        return;
    if (c->pending == NULL)
        chunk_pop(c, g->chunk);
    else
        AW_LINK(c, &g->chunk->head, &chunk_site);
}
