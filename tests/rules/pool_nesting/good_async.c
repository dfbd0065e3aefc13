#include <awaitc.h>

int load_block(int block);
int check_part(int part);

async int one_block(int block, int fd)
{
    int rc = await aw_blocking(load_block(block));
    return rc < 0 ? rc : (int)await aw_write(fd, "k", 1);
}

/* In the caller, one after the other or at once. */
async int two_blocks(int first, int fd)
{
    int a = 0, b = 0;
    await aw_all(a = aw_blocking(load_block(first)), b = aw_blocking(load_block(first + 1)));
    return a + b < 0 ? -1 : (int)await aw_write(fd, "k", 1);
}

static int load_two(int first)
{
    int a = load_block(first);
    return a < 0 ? a : load_block(first + 1);
}

async int loaded(int first, int fd)
{
    int rc = await aw_blocking(load_two(first));
    return rc < 0 ? rc : (int)await aw_write(fd, "k", 1);
}

/* Two pools: neither waits for itself. */
static int check_loaded(int block)
{
    return aw_block_on(one_block(block, 1));
}

async int checked(int block, int fd)
{
    int rc = await aw_compute(check_loaded(block));
    return rc < 0 ? rc : (int)await aw_write(fd, "k", 1);
}

int main(void)
{
    return aw_block_on(two_blocks(0, 1));
}
