// A helper that counts, and one whose caller does or that is called once.
#include <awaitc.h>
#include <stdbool.h>

static int sessions, others;

async int session(int fd);
async void reporter(int fd);

static bool launch(int fd)
{
    if (sessions >= 500)
        return false;
    aw_task *t = spawn(session(fd));
    if (t == NULL)
        return false;
    sessions++;
    aw_detach(t);
    return true;
}

static void launch_other(int fd)
{
    aw_task *t = spawn(session(fd));
    if (t != NULL)
        aw_detach(t);
}

static void report_to(int fd)
{
    aw_task *t = spawn(reporter(fd));
    if (t != NULL)
        aw_detach(t);
}

async int serve(int listener)
{
    int fd;
    report_to(2);
    while ((fd = await aw_accept(listener, NULL, NULL)) >= 0) {
        if (!launch(fd))
            aw_close(fd);
    }
    return fd;
}

async int serve_others(int listener)
{
    int fd;
    while ((fd = await aw_accept(listener, NULL, NULL)) >= 0) {
        if (others >= 100) {
            aw_close(fd);
            continue;
        }
        others++;
        launch_other(fd);
    }
    return fd;
}
