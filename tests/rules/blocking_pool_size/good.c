#include <awaitc.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <unistd.h>

struct pair { sem_t full, empty; int item; };
int compress_file(const char *path);
async int run_one(int i);

static int produce(struct pair *p)
{
    sem_wait(&p->empty);
    p->item = 1;
    return sem_post(&p->full);
}

static int consume(struct pair *p)
{
    sem_wait(&p->full);
    int item = p->item;
    sem_post(&p->empty);
    return item;
}

async int both(struct pair *p)
{
    int a = 0, b = 0;
    await aw_all(a = aw_blocking(produce(p)), b = aw_blocking(consume(p)));
    return a + b;
}

static int save(int fd, const char *p, size_t n)
{
    return write(fd, p, n) < 0 ? -1 : fsync(fd);
}

async int saved(int fd, const char *p, size_t n, int reply)
{
    int rc = await aw_blocking(save(fd, p, n));
    return rc < 0 ? rc : (int)await aw_write(reply, "k", 1);
}

/* Enough for those that wait; few for the disk is a choice. */
int run(struct pair *p)
{
    aw_config config = AW_CONFIG_DEFAULT;
    config.max_blocking_threads = 4;
    config.compute_threads = 1;
    aw_runtime *rt = aw_runtime_new(&config);
    if (rt == NULL)
        return -1;
    int rc = aw_runtime_block_on(rt, both(p));
    aw_runtime_free(rt);
    return rc;
}

static int child_status(int pid)
{
    int status = 0;
    return waitpid(pid, &status, 0) < 0 ? -1 : status;
}

async int child(int pid)
{
    return await aw_blocking(child_status(pid));
}

async int children(const int *pids, int n)
{
    aw_scope s;
    aw_scope_init(&s, 2);
    for (int i = 0; i < n; i++) {
        if (await aw_scope_spawn(&s, child(pids[i])) < 0)
            break;
    }
    return await aw_scope_wait(&s);
}

async void pack(const char *path, int out)
{
    int rc = await aw_blocking(compress_file(path));
    if (await aw_write(out, &rc, sizeof rc) < 0)
        aw_close(out);
}

async int pack_all(const char *const *paths, int n, int out)
{
    for (int i = 0; i < n; i++)
        spawn(pack(paths[i], out));
    return (int)await aw_write(out, "k", 1);
}
