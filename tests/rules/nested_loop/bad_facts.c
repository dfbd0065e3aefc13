/* SPDX-License-Identifier: MIT */
/* CONFIG: coroutine.yaml */
/* A synchronous wrapper that the project's facts name. */
#include "../loops.h"
#define coroutine_fn __attribute__((annotate("coroutine_fn")))
int bdrv_commit_sync(int id);

static int finish(int id)
{
    return id < 0 ? -1 : bdrv_commit_sync(id); /* LEAF */
}

int coroutine_fn job_co_run(int id)
{
    return finish(id); // EXPECT: awaitc-nested-loop
}
