#include <awaitc.h>
#include <sys/wait.h>

static int child_status(int pid)
{
    int status = 0;
    return waitpid(pid, &status, 0) < 0 ? -1 : status;
}

async int child(int pid)
{
    return await aw_blocking(child_status(pid));
}

async int children(const int *pids)
{
    aw_scope s;
    aw_scope_init(&s, 0);
    for (int i = 0; i < 16; i++) {
        if (await aw_scope_spawn(&s, child(pids[i])) < 0)
            break;
    }
    return await aw_scope_wait(&s);
}

int run(const int *pids)
{
    aw_config config = { .workers = 2, .max_blocking_threads = 4 }; // EXPECT: awaitc-blocking-pool-size
    aw_runtime *rt = aw_runtime_new(&config);
    if (rt == NULL)
        return -1;
    int rc = aw_runtime_block_on(rt, children(pids));
    aw_runtime_free(rt);
    return rc;
}

async void watch(int pid, int out)
{
    int status = await aw_blocking(child_status(pid));
    if (await aw_write(out, &status, sizeof status) < 0)
        aw_close(out);
}

/* As many threads as there are children, however many. */
async int watch_all(int from, int out)
{
    int pid;
    for (;;) {
        if (await aw_read(from, &pid, sizeof pid) <= 0)
            return -1;
        spawn(watch(pid, out)); // EXPECT: awaitc-blocking-pool-size, awaitc-unbounded-spawn
    }
}

async int watch_list(const int *pids, int n, int out)
{
    for (int i = 0; i < n; i++)
        spawn(watch(pids[i], out)); // EXPECT: awaitc-blocking-pool-size
    return (int)await aw_write(out, "k", 1);
}
