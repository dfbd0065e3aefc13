/* SPDX-License-Identifier: MIT */
#include "../loops.h"
int far_sync(void *ctx);

int far_sync(void *ctx)
{
    return g_main_context_iteration(ctx, TRUE);
}
