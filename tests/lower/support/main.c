/* SPDX-License-Identifier: MIT */
/* Runs a test's test_main() to its end, or to where LEAF_CANCEL says, and prints how it ended. */
#include "leaf.h"

#include <stdlib.h>
#include <string.h>

static int ended;

static async int watched(void)
{
    int status = await test_main();
    __atomic_store_n(&ended, 1, __ATOMIC_RELEASE);
    return status;
}

/* Wakes whatever parks, in the order in which it parked; cancels at the leaf that it was told. */
static async int drive(void)
{
    int status = 0;
    aw_task *t = spawn(watched());
#ifndef T_ERASED
    while (!__atomic_load_n(&ended, __ATOMIC_ACQUIRE)) {
        aw_waker w;
        int number;
        if (t_next_parked(&w, &number)) {
            if (number == t_cancel_at()) {
                aw_cancel(t);
                break;
            }
            aw_wake(&w);
        }
        if (aw_task_self() != NULL)
            await aw_yield();
    }
#endif
    int rc = await aw_join(t, &status);
    if (rc == AW_ECANCELED)
        say("cancelled");
    else if (rc != 0)
        say("join gave %d", rc);
    else
        say("returned %d", status);
    return 0;
}

/* With self-cancel there is nobody to wake: only wait. */
static async int wait_for(void)
{
    int status = 0;
    aw_task *t = spawn(watched());
    int rc = await aw_join(t, &status);
    if (rc == AW_ECANCELED)
        say("cancelled");
    else if (rc != 0)
        say("join gave %d", rc);
    else
        say("returned %d", status);
    return 0;
}

static async int top(int how)
{
    if (how == 2)
        return await drive();
    if (how == 1)
        return await wait_for();
    return await test_main();
}

int main(void)
{
    t_init();
    const char *mode = getenv("LEAF_MODE");
    int how = t_cancel_at() > 0;
    if (mode != NULL && strcmp(mode, "park") == 0)
        how = 2;
    int status;
    errno = 0;
    if (t_workers() == 0) {
        status = aw_block_on(top(how));
    } else {
        aw_config config = AW_CONFIG_DEFAULT;
        config.workers = (unsigned)t_workers();
        aw_runtime *rt = aw_runtime_new(&config);
        if (rt == NULL) {
            perror("aw_runtime_new");
            return 3;
        }
        status = aw_runtime_block_on(rt, top(how));
        aw_runtime_free(rt);
    }
    t_finish();
    return status;
}
