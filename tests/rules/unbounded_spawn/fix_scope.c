#include <awaitc.h>

async void serve(int fd);
async int work(int fd);

async int accepts(int listener)
{
    for (;;) {
        int fd = await aw_accept(listener);
        if (fd < 0)
            return fd;
        spawn(serve(fd)); // EXPECT: awaitc-unbounded-spawn
    }
}

async int until_closed(int listener)
{
    int fd;
    while ((fd = await aw_accept(listener)) >= 0)
        spawn(serve(fd)); // EXPECT: awaitc-unbounded-spawn
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
