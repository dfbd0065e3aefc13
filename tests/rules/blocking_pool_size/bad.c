#include <awaitc.h>
#include <semaphore.h>
#include <sys/wait.h>

struct pair { sem_t full, empty; int item; };

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

static const aw_config narrow = {
    .workers = 1,
    .max_blocking_threads = 1, // EXPECT: awaitc-blocking-pool-size
};

int run_narrow(struct pair *p)
{
    aw_runtime *rt = aw_runtime_new(&narrow);
    if (rt == NULL)
        return -1;
    int rc = aw_runtime_block_on(rt, both(p));
    aw_runtime_free(rt);
    return rc;
}

int run(struct pair *p)
{
    aw_config config = AW_CONFIG_DEFAULT;
    config.max_blocking_threads = 1; // EXPECT: awaitc-blocking-pool-size
    aw_runtime *rt = aw_runtime_new(&config);
    if (rt == NULL)
        return -1;
    int rc = aw_runtime_block_on(rt, both(p));
    aw_runtime_free(rt);
    return rc;
}
