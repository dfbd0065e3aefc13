/* SPDX-License-Identifier: MIT */
/*
 * Where do arrays of variable size live that are in scope at an await? On the heap, from their
 * declaration to the end of their scope; the lowered code frees them by a clean-up. In front of
 * each stands the address that the allocator gave.
 */
#include "runtime/sys/sys_alloc.h"
#include "runtime/task/task_state.h"

void *awi_leaf_array_new(aw_cx *c, void *fp, size_t bytes, size_t align_bytes)
    AWI_LEAF(aw_array_new);

void *awi_leaf_array_new(aw_cx *c, void *fp, size_t bytes, size_t align_bytes)
{
    if (align_bytes < 16)
        align_bytes = 16;
    size_t extra = sizeof(void *) + align_bytes;
    void *memory = bytes > PTRDIFF_MAX - extra ? NULL : awi_alloc(bytes + extra);
    if (memory == NULL) {
        awi_strand_fail(c, fp, -ENOMEM);
        return NULL;
    }
    void **array = AW_ALIGN_UP((void **)memory + 1, align_bytes);
    array[-1] = memory;
    return array;
}

AWI_PUBLIC void aw_array_free(void *variable)
{
    void **at = *(void ***)variable;
    if (at != NULL)
        awi_free(at[-1]);
}
