// The task starts in a helper, the loop that nothing holds back is its caller's.
#include <awaitc.h>
#include <stdbool.h>

async int session(int fd);

static bool launch(int fd)
{
    aw_task *t = spawn(session(fd)); // EXPECT: awaitc-unbounded-spawn
    if (t == NULL)
        return false;
    aw_detach(t);
    return true;
}

async int serve(int listener)
{
    int fd;
    while ((fd = await aw_accept(listener, NULL, NULL)) >= 0) {
        if (!launch(fd))
            aw_close(fd);
    }
    return fd;
}
