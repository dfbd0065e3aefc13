#include <awaitc.h>

async int f(int x)
{
    int r = aw_block_on(g(x)); // EXPECT: awaitc-nested-loop
    uv_run(uv_default_loop(), UV_RUN_DEFAULT); // EXPECT: awaitc-nested-loop
    return r + await g(x);
}

int main(void)
{
    uv_run(uv_default_loop(), UV_RUN_DEFAULT);
    return aw_block_on(f(1));
}
