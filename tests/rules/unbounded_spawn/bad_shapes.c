#include <awaitc.h>
#include <stdlib.h>
#include <stdbool.h>
struct ctx { int fd; bool stop; int active; aw_scope scope; };
typedef struct aw_chan aw_chan;
async int aw_chan_recv(aw_chan *c, void *item);
async int serve(int fd);
async void run_job(void *job);
async void handle_line(char *line);
async char *read_line(int fd);
async int aw_recvfrom(int fd, void *b, size_t n, int flags);
async int listen_loop(struct ctx *c)
{
    while (!c->stop) {
        int fd = await aw_accept(c->fd);
        if (fd == -EMFILE || fd == -ENFILE) {
            await aw_sleep_ms(100);
            continue;
        }
        if (fd < 0)
            return fd;
        spawn(serve(fd)); // EXPECT: awaitc-unbounded-spawn
    }
    return 0;
}
async void dispatcher(aw_chan *jobs)
{
    void *job;
    while (await aw_chan_recv(jobs, &job) == 0)
        spawn(run_job(job)); // EXPECT: awaitc-unbounded-spawn
}
async void lines(int fd)
{
    char *l;
    while ((l = await read_line(fd))) {
        if (l[0] == '#') {
            free(l);
            continue;
        }
        aw_detach(spawn(handle_line(l))); // EXPECT: awaitc-unbounded-spawn
    }
}
async int scoped(struct ctx *c)
{
    aw_scope_init(&c->scope, 0);
    for (;;) {
        int fd = await aw_accept(c->fd);
        if (fd < 0)
            break;
        if (await aw_scope_spawn(&c->scope, serve(fd)) < 0) // EXPECT: awaitc-unbounded-spawn
            break;
    }
    return await aw_scope_wait(&c->scope);
}
