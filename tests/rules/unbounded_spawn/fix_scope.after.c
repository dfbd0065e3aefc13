#include <awaitc.h>

async void serve(int fd);
async int work(int fd);

async int accepts(int listener)
{
    aw_scope children;
    aw_scope_init(&children, 1000);
    for (;;) {
        int fd = await aw_accept(listener);
        if (fd < 0)
            return fd;
        (void)await aw_scope_spawn(&children, serve(fd)); // EXPECT: awaitc-unbounded-spawn
    }
}

async int until_closed(int listener)
{
    int fd;
    aw_scope children;
    aw_scope_init(&children, 1000);
    while ((fd = await aw_accept(listener)) >= 0)
        (void)await aw_scope_spawn(&children, serve(fd));
    (void)await aw_scope_wait(&children); // EXPECT: awaitc-unbounded-spawn
    return fd;
}

/* A result below zero would cancel the others: no fix. */
async int with_result(int listener)
{
    int fd;
    while ((fd = await aw_accept(listener)) >= 0)
        spawn(work(fd)); // EXPECT: awaitc-unbounded-spawn
    return fd;
}
