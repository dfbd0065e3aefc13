/* A job that lasts as long as its connection; two that last until they are stopped. */
#include <awaitc.h>
#include <unistd.h>

#include "../loops.h"

struct follower {
    uv_work_t job;
    int log, out;
    char buf[512];
};
struct follower *follower_new(uv_stream_t *server);
void followed(uv_work_t *w, int status);
struct port {
    int fd;
    volatile int stop;
    unsigned char buf[64];
    unsigned long got;
};

static void follow(uv_work_t *w)
{
    struct follower *f = w->data;
    for (;;) {
        ssize_t n = read(f->log, f->buf, sizeof f->buf);
        if (n == 0)
            sleep(1);
        else if (n < 0 || write(f->out, f->buf, (size_t)n) < 0)
            break;
    }
}

static void on_connection(uv_stream_t *server, int status)
{
    struct follower *f = status == 0 ? follower_new(server) : NULL;
    if (!f)
        return;
    f->job.data = f;
    uv_queue_work(0, &f->job, follow, followed); // EXPECT: awaitc-blocking-pool-size
}

int tail_serve(uv_stream_t *server)
{
    return uv_listen(server, 16, on_connection);
}

static int pump(struct port *p)
{
    ssize_t n = 0;
    while (!p->stop && (n = read(p->fd, p->buf, sizeof p->buf)) > 0)
        p->got += (unsigned long)n;
    return n < 0 ? -1 : 0;
}

static async int both(struct port *audio, struct port *midi)
{
    int a = 0, m = 0;
    await aw_all(a = aw_blocking(pump(audio)), m = aw_blocking(pump(midi)));
    return a | m;
}

int run(struct port *audio, struct port *midi)
{
    aw_config config = AW_CONFIG_DEFAULT;
    config.max_blocking_threads = 1; // EXPECT: awaitc-blocking-pool-size
    return aw_runtime_block_on(aw_runtime_new(&config), both(audio, midi));
}
