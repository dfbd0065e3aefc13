#include <pthread.h>
#include <stddef.h>
typedef struct uv_loop_s uv_loop_t;
typedef struct uv_work_s { void *data; } uv_work_t;
int uv_queue_work(uv_loop_t *loop, uv_work_t *req, void (*work)(uv_work_t *),
                  void (*after)(uv_work_t *, int));
typedef struct { long opaque[4]; } uv_sem_t;
int uv_sem_init(uv_sem_t *s, unsigned value);
void uv_sem_wait(uv_sem_t *s);
void uv_sem_post(uv_sem_t *s);

struct lookup { uv_loop_t *loop; uv_work_t inner; uv_sem_t done; int result; };
struct worker { pthread_mutex_t mutex; pthread_cond_t go; int stop; uv_sem_t ready; };
int resolve(int id);
void use(int result);

/* One behind the other, through the loop. */
static void inner_work(uv_work_t *req)
{
    struct lookup *l = req->data;
    l->result = resolve(1);
}

static void inner_done(uv_work_t *req, int status)
{
    struct lookup *l = req->data;
    use(status < 0 ? status : l->result);
}

static void outer_work(uv_work_t *req)
{
    struct lookup *l = req->data;
    l->result = resolve(0);
}

static void outer_done(uv_work_t *req, int status)
{
    struct lookup *l = req->data;
    if (status == 0)
        uv_queue_work(l->loop, &l->inner, inner_work, inner_done);
}

/* A job that queues and goes. */
static void starts_more(uv_work_t *req)
{
    struct lookup *l = req->data;
    uv_queue_work(l->loop, &l->inner, inner_work, inner_done);
}

/* A thread of its own may wait for a job. */
static void posts(uv_work_t *req)
{
    struct lookup *l = req->data;
    l->result = resolve(2);
    uv_sem_post(&l->done);
}

static void *waiter(void *arg)
{
    struct lookup *l = arg;
    uv_queue_work(l->loop, &l->inner, posts, 0);
    uv_sem_wait(&l->done);
    return NULL;
}

/* A job may wait for a thread. */
static void *helper(void *arg)
{
    struct worker *w = arg;
    uv_sem_post(&w->ready);
    return NULL;
}

static void starts_helper(uv_work_t *req)
{
    struct worker *w = req->data;
    pthread_t t;
    pthread_create(&t, NULL, helper, w);
    uv_sem_wait(&w->ready);
}

void start(uv_loop_t *loop, uv_work_t *a, uv_work_t *b, uv_work_t *c, struct lookup *l)
{
    pthread_t t;
    uv_queue_work(loop, a, outer_work, outer_done);
    uv_queue_work(loop, b, starts_more, 0);
    uv_queue_work(loop, c, starts_helper, 0);
    pthread_create(&t, NULL, waiter, l);
}
