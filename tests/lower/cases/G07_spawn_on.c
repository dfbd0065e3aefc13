/* SPDX-License-Identifier: MIT */
/* 4: aw_spawn_on from another thread's view: plain code hands a call to a runtime. */
// erased: none
// own-main
#include "leaf.h"

static async int work(int v)
{
    return await t_int(v * 2);
}

static async int joins(aw_task *t)
{
    int r = 0, rc = await aw_join(t, &r);
    return rc == 0 ? r : rc;
}

static async int spawns_in_helper(void);
static aw_task *helper(int v)
{
    return spawn(work(v)); /* a runtime is current when a task calls this */
}

static async int spawns_in_helper(void)
{
    int r = 0;
    await aw_join(helper(21), &r);
    return r;
}

int main(void)
{
    t_init();
    errno = 0;
    aw_task *none = spawn(work(1)); /* no runtime is current */
    say("%d %d", none == NULL, errno == ENODEV);
    aw_config config = AW_CONFIG_DEFAULT;
    config.workers = 1;
    aw_runtime *rt = aw_runtime_new(&config);
    aw_task *t = aw_spawn_on(rt, work(20));
    say("%d", aw_runtime_block_on(rt, joins(t)));
    say("%d", aw_runtime_block_on(rt, spawns_in_helper()));
    aw_spawn_on(rt, work(1));
    aw_detach(aw_spawn_on(rt, work(2)));
    aw_runtime_free(rt);
    t_finish();
    return 0;
}
