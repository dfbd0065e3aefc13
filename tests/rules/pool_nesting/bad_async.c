#include <awaitc.h>

int load_block(int block);
int check_part(int part);

async int one_block(int block)
{
    return await aw_blocking(load_block(block));
}

/* A job of the blocking pool drives what needs the blocking pool. */
static int load_two(int first)
{
    int a = aw_block_on(one_block(first)); // EXPECT: awaitc-pool-nesting
    return a < 0 ? a : load_block(first + 1);
}

async int loaded(int first, int fd)
{
    int rc = await aw_blocking(load_two(first));
    return rc < 0 ? rc : (int)await aw_write(fd, "k", 1);
}

async int one_part(int part)
{
    int rc = await aw_compute(check_part(part));
    return rc < 0 ? -1 : rc;
}

async int all_parts(void)
{
    int a = 0, b = 0;
    await aw_all(a = one_part(0), b = one_part(1));
    return a + b;
}

static int check_all(int unused)
{
    (void)unused;
    return aw_block_on(all_parts()); // EXPECT: awaitc-pool-nesting
}

async int checked(int fd)
{
    int rc = await aw_compute(check_all(0));
    return rc < 0 ? rc : (int)await aw_write(fd, "k", 1);
}
