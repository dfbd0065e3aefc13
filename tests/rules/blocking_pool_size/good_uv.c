#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
typedef struct uv_loop_s uv_loop_t;
typedef struct uv_work_s { void *data; } uv_work_t;
int uv_queue_work(uv_loop_t *loop, uv_work_t *req, void (*work)(uv_work_t *),
                  void (*after)(uv_work_t *, int));
typedef struct { long opaque[4]; } uv_sem_t;
int uv_sem_init(uv_sem_t *s, unsigned value);
void uv_sem_wait(uv_sem_t *s);
void uv_sem_post(uv_sem_t *s);

struct job { uv_work_t work; const char *path; };
struct job *next_job(uv_loop_t *loop);

static void load(uv_work_t *req)
{
    struct job *j = req->data;
    FILE *f = fopen(j->path, "r");
    if (f)
        fclose(f);
}

static void tick(uv_work_t *req)
{
    (void)req;
    for (;;)
        sleep(1);
}

static void *ticker(void *arg)
{
    (void)arg;
    for (;;)
        sleep(1);
    return NULL;
}

void load_all(uv_loop_t *loop)
{
    struct job *j;
    while ((j = next_job(loop)) != NULL)
        uv_queue_work(loop, &j->work, load, 0);
}

/* One long job is one thread; a thread of its own is better. */
void start(uv_loop_t *loop, uv_work_t *req)
{
    pthread_t t;
    uv_queue_work(loop, req, tick, 0);
    pthread_create(&t, NULL, ticker, NULL);
}
