/* SPDX-License-Identifier: MIT */
/* The runtime's memory: malloc behind a hook. */
#include "runtime/sys/sys_alloc.h"

#include <stdlib.h>

bool (*awi_alloc_hook)(size_t bytes);

void *awi_alloc(size_t bytes)
{
    if (awi_alloc_hook != NULL && !awi_alloc_hook(bytes))
        return NULL;
    return malloc(bytes);
}

void awi_free(void *memory)
{
    free(memory);
}
