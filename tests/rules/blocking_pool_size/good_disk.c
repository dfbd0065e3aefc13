#include <awaitc.h>
#include <unistd.h>

static int save(int fd, const char *p, size_t n)
{
    return write(fd, p, n) < 0 ? -1 : fsync(fd);
}

async int saved(int fd, const char *p, size_t n, int reply)
{
    int rc = await aw_blocking(save(fd, p, n));
    return rc < 0 ? rc : (int)await aw_write(reply, "k", 1);
}

/* Two at a time are enough for one disk. */
int run(int fd, int reply)
{
    aw_config config = { .max_blocking_threads = 2 };
    aw_runtime *rt = aw_runtime_new(&config);
    if (rt == NULL)
        return -1;
    int rc = aw_runtime_block_on(rt, saved(fd, "x", 1, reply));
    aw_runtime_free(rt);
    return rc;
}
