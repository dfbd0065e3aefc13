#include <awaitc.h>

async int serve(int fd);

async int listen_all(int listener)
{
    int fd;

next:
    fd = await aw_accept(listener);
    if (fd < 0)
        return fd;
    spawn(serve(fd)); // EXPECT: awaitc-unbounded-spawn
    goto next;
}
