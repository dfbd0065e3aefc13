#include <awaitc.h>
#include <mqueue.h>

async int consume(mqd_t q, char *buf, size_t n)
{
    return (int)await aw_blocking(mq_receive(q, buf, n, NULL));
}

async int both(mqd_t a, mqd_t b, char *x, char *y, size_t n)
{
    int ra = 0, rb = 0;
    await aw_all(ra = consume(a, x, n), rb = consume(b, y, n));
    return ra < rb ? ra : rb;
}

int start(mqd_t a, mqd_t b, char *x, char *y, size_t n)
{
    aw_config cfg = AW_CONFIG_DEFAULT;
    cfg.max_blocking_threads = 2;
    aw_runtime *rt = aw_runtime_new(&cfg);
    if (rt == NULL)
        return -1;
    int rc = aw_runtime_block_on(rt, both(a, b, x, y, n));
    aw_runtime_free(rt);
    return rc;
}
