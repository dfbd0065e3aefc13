typedef struct uv_loop_s uv_loop_t;
typedef struct uv_work_s { void *data; } uv_work_t;
int uv_queue_work(uv_loop_t *loop, uv_work_t *req, void (*work)(uv_work_t *),
                  void (*after)(uv_work_t *, int));
typedef struct { long opaque[4]; } uv_sem_t;
int uv_sem_init(uv_sem_t *s, unsigned value);
void uv_sem_wait(uv_sem_t *s);
void uv_sem_post(uv_sem_t *s);

typedef struct { long opaque[6]; } uv_mutex_t;
typedef struct { long opaque[6]; } uv_cond_t;
void uv_mutex_lock(uv_mutex_t *m);
void uv_mutex_unlock(uv_mutex_t *m);
void uv_cond_wait(uv_cond_t *c, uv_mutex_t *m);
void uv_cond_signal(uv_cond_t *c);
struct part { uv_work_t req; struct sum *of; int from, to, result; };
struct sum { uv_loop_t *loop; struct part part[2]; uv_mutex_t mutex; uv_cond_t done; int left; };
struct once { uv_work_t req; uv_sem_t *done; };
int add_up(int from, int to);
void load(void);

static void one_part(uv_work_t *req)
{
    struct part *p = req->data;
    p->result = add_up(p->from, p->to);
    uv_mutex_lock(&p->of->mutex);
    if (--p->of->left == 0)
        uv_cond_signal(&p->of->done);
    uv_mutex_unlock(&p->of->mutex);
}

/* The wait stands in a function that the job calls. */
static void wait_for_parts(struct sum *s)
{
    uv_mutex_lock(&s->mutex);
    while (s->left > 0)
        uv_cond_wait(&s->done, &s->mutex); // EXPECT: awaitc-pool-nesting
    uv_mutex_unlock(&s->mutex);
}

static void whole_sum(uv_work_t *req)
{
    struct sum *s = req->data;
    s->left = 2;
    for (int i = 0; i < 2; i++) {
        s->part[i].req.data = &s->part[i];
        uv_queue_work(s->loop, &s->part[i].req, one_part, 0);
    }
    wait_for_parts(s);
}

static void run_once(uv_work_t *req)
{
    struct once *o = req->data;
    load();
    uv_sem_post(o->done);
}

static void loader(uv_work_t *req)
{
    uv_sem_t done;
    struct once o = { .done = &done };
    uv_sem_init(&done, 0);
    o.req.data = &o;
    uv_queue_work(req->data, &o.req, run_once, 0);
    uv_sem_wait(&done); // EXPECT: awaitc-pool-nesting
}

void start(uv_loop_t *loop, uv_work_t *a, uv_work_t *b)
{
    uv_queue_work(loop, a, whole_sum, 0);
    uv_queue_work(loop, b, loader, 0);
}
