#include <sys/socket.h>
#include <unistd.h>
typedef struct uv_loop_s uv_loop_t;
typedef struct uv_work_s { void *data; } uv_work_t;
int uv_queue_work(uv_loop_t *loop, uv_work_t *req, void (*work)(uv_work_t *),
                  void (*after)(uv_work_t *, int));
typedef struct { long opaque[4]; } uv_sem_t;
int uv_sem_init(uv_sem_t *s, unsigned value);
void uv_sem_wait(uv_sem_t *s);
void uv_sem_post(uv_sem_t *s);

struct conn { uv_work_t work; int fd; };
struct conn *next_conn(uv_loop_t *loop);
void answer(struct conn *c, const char *p, ssize_t n);

static void serve(uv_work_t *req)
{
    struct conn *c = req->data;
    char buf[1024];
    ssize_t n;
    while ((n = recv(c->fd, buf, sizeof buf, 0)) > 0)
        answer(c, buf, n);
}

static void tick(uv_work_t *req)
{
    (void)req;
    for (;;)
        sleep(1);
}

void serve_all(uv_loop_t *loop)
{
    struct conn *c;
    while ((c = next_conn(loop)) != NULL)
        uv_queue_work(loop, &c->work, serve, 0); // EXPECT: awaitc-blocking-pool-size
}

void tick_all(uv_loop_t *loop, uv_work_t *req)
{
    for (int i = 0; i < 8; i++)
        uv_queue_work(loop, &req[i], tick, 0); // EXPECT: awaitc-blocking-pool-size
}
