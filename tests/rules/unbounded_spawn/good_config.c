#include <awaitc.h>

async int serve(int fd);

/* Spawn refuses above max_tasks. */
async int accepts(int listener)
{
    for (;;) {
        int fd = await aw_accept(listener);
        if (fd < 0)
            return fd;
        aw_task *t = spawn(serve(fd));
        if (t == NULL)
            aw_close(fd);
        aw_detach(t);
    }
}

static const aw_config config = { .workers = 4, .max_tasks = 10000 };

int run(int listener)
{
    aw_runtime *rt = aw_runtime_new(&config);
    if (rt == NULL)
        return -1;
    int rc = aw_runtime_block_on(rt, accepts(listener));
    aw_runtime_free(rt);
    return rc;
}
