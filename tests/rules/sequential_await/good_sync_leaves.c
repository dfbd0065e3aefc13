#include <awaitc.h>
#include <stddef.h>
struct job { int id; };
struct chan_user { aw_chan *ch; aw_mutex *mu; aw_sem *sem; int n; };
async int work(struct job *j);
async int produce(struct chan_user *u, struct job *jobs, int n)
{
    for (int i = 0; i < n; i++) {
        if (await aw_chan_send(u->ch, &jobs[i]) < 0)
            return -1;
    }
    return 0;
}
async void consume(struct chan_user *u)
{
    struct job j;
    while (await aw_chan_recv(u->ch, &j) == 0)
        (void)await work(&j);
}
async int locked(struct chan_user *u, struct job *j)
{
    await aw_mutex_lock(u->mu);
    int rc = await work(j);
    aw_mutex_unlock(u->mu);
    return rc;
}
async int limited(struct chan_user *u, struct job *jobs, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        await aw_sem_acquire(u->sem, 1);
        sum += await work(&jobs[i]);
        aw_sem_release(u->sem, 1);
    }
    return sum;
}
async int file(const char *path, char *buf)
{
    int fd = await aw_open(path, 0, 0);
    if (fd < 0)
        return fd;
    defer { aw_close(fd); }
    ssize_t n = await aw_pread(fd, buf, 64, 0);
    ssize_t m = await aw_pread(fd, buf + 64, 64, 64);
    return (int)(n + m);
}
async int replace(const char *tmp, const char *path, int fd)
{
    int a = await aw_fsync(fd);
    int b = await aw_rename(tmp, path);
    return a < 0 ? a : b;
}
