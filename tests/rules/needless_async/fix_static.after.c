#include <awaitc.h>

async int fetch(int id);

static int twice(int x) // EXPECT: awaitc-needless-async
{
    return 2 * x;
}

async int sum(int id)
{
    int x = await fetch(id);

    return twice(x) + (twice(id));
}
