#include <awaitc.h>

struct request { int fd; char text[512]; };
struct server { int listener; int running; };
struct request *request_new(void);
async int serve(int fd);
async void answer(struct request *r);
async struct request *next_request(struct server *s);
async int aw_recvfrom(int fd, void *p, size_t n);

async int accepts(int listener)
{
    for (;;) {
        int fd = await aw_accept(listener);
        if (fd < 0)
            return fd;
        spawn(serve(fd)); // EXPECT: awaitc-unbounded-spawn
    }
}

async void accepts_while_running(struct server *s)
{
    while (s->running) {
        int fd = await aw_accept(s->listener);
        if (fd < 0)
            continue;
        aw_task *t = spawn(serve(fd)); // EXPECT: awaitc-unbounded-spawn
        if (t == NULL)
            aw_close(fd);
        aw_detach(t);
    }
}

async void requests(struct server *s)
{
    struct request *r;
    while ((r = await next_request(s)) != NULL)
        spawn(answer(r)); // EXPECT: awaitc-unbounded-spawn
}

async int packets(int fd)
{
    for (;;) {
        struct request *r = request_new();
        int n = await aw_recvfrom(fd, r->text, sizeof r->text);
        if (n < 0)
            return n;
        if (n == 0)
            continue;
        r->fd = fd;
        spawn(answer(r)); // EXPECT: awaitc-unbounded-spawn
    }
}

/* A scope without a limit is none. */
async int scoped(int listener)
{
    aw_scope s;
    int fd;
    aw_scope_init(&s, 0);
    while ((fd = await aw_accept(listener)) >= 0) {
        int rc = await aw_scope_spawn(&s, serve(fd)); // EXPECT: awaitc-unbounded-spawn
        if (rc < 0)
            break;
    }
    return await aw_scope_wait(&s);
}

/* What a read gave, piece by piece: the reads are without limit. */
async int batches(int fd)
{
    struct request *batch[16];
    for (;;) {
        ssize_t n = await aw_read(fd, batch, sizeof batch);
        if (n <= 0)
            return (int)n;
        for (size_t i = 0; i < (size_t)n / sizeof batch[0]; i++)
            spawn(answer(batch[i])); // EXPECT: awaitc-unbounded-spawn
    }
}
