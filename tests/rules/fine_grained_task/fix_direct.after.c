#include <awaitc.h>

static int square(int x)
{
    return x * x;
}

async int squares(int *v, int n, int fd)
{
    for (int i = 0; i < n; i++)
        v[i] = square(v[i]); // EXPECT: awaitc-fine-grained-task
    return (int)await aw_write(fd, v, sizeof *v);
}
