/* SPDX-License-Identifier: MIT */
/*
 * Does any text crash the reader of the async IR, or anything behind it? What reads must print and
 * read again the same; what air_verify accepts must go through the analyses and the frame layout.
 * Seeds: tests/passes/air.
 */
#include <stddef.h>
#include <stdint.h>

#include "analyzer/base/check.h"
#include "analyzer/ir/air.h"
#include "transforms/frame_layout.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LARGEST_FUNCTION = 1 << 20, LARGEST_SIZE_BYTES = 1 << 30 };

static strview printed(arena *mem, const air_func *fn)
{
    strbuf out = strbuf_in(mem);
    air_print(fn, &out);
    return strbuf_view(&out);
}

static bool is_moderate(const air_func *fn)
{
    for (size_t i = 0; i < fn->locals.count; i++) {
        const struct air_local *local = &fn->locals.at[i];
        if (local->size_bytes > LARGEST_SIZE_BYTES || local->align_bytes > LARGEST_SIZE_BYTES)
            return false;
    }
    return (fn->blocks.count + fn->await_count) * fn->locals.count < LARGEST_FUNCTION;
}

static void analyse(arena *mem, const air_func *fn)
{
    const struct across_await *across = across_await_compute(mem, fn);
    for (int share = 0; share < 2; share++) {
        const struct frame_layout *layout = frame_layout_compute(mem, fn, across, 16, share != 0);
        uint64_t end = 16;
        for (uint32_t s = 0; s < layout->slot_count; s++) {
            AWC_ASSERT(layout->slots[s].offset_bytes >= end);
            end = layout->slots[s].offset_bytes + layout->slots[s].size_bytes;
        }
        AWC_ASSERT(layout->size_bytes >= end);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    arena *mem = arena_create();
    const char *error = NULL;
    strview text = {arena_copy(mem, data, size), size};
    const air_func *fn = air_read(mem, text, &error);
    if (fn == NULL) {
        AWC_ASSERT(error != NULL);
    } else {
        strview once = printed(mem, fn);
        const air_func *again = air_read(mem, once, &error);
        AWC_ASSERT(again != NULL);
        AWC_ASSERT(sv_equal(once, printed(mem, again)));
        if (air_verify(fn, mem) == NULL && is_moderate(fn))
            analyse(mem, fn);
    }
    arena_destroy(&mem);
    return 0;
}
