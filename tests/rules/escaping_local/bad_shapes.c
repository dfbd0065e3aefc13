#include <awaitc.h>
#include <pthread.h>
#include <stdlib.h>

struct request {
    int fd, result;
    struct request *next;
    char data[32];
};
struct queue {
    struct request *head;
    char *scratch;
    int count;
};
typedef struct timer timer;
static struct request *current;
async int fill(int fd, char *to, int size);
async int work(struct request *r);
async int compute(int i, int *result);
void timer_start(timer *t, int ms, void (*fn)(void *), void *data);
void on_timer(void *data);

async int detached(int fd)
{
    char buffer[512];
    spawn(fill(fd, buffer, sizeof buffer)); // EXPECT: awaitc-escaping-local
    await aw_sleep_ms(10);
    return buffer[0];
}

async int late_join(int fd)
{
    struct request r = {.fd = fd};
    aw_task *t = spawn(work(&r)); // EXPECT: awaitc-escaping-local
    await aw_sleep_ms(10);
    (void)await aw_join(t, NULL);
    return r.result;
}

async int early_return(int fd, int stop)
{
    struct request r = {.fd = fd};
    aw_task *t = spawn(work(&r)); // EXPECT: awaitc-escaping-local
    if (stop) {
        aw_detach(t);
        return 0;
    }
    return await aw_join(t, NULL);
}

async int second_of_two(int fd)
{
    int a = 0, b = 0;
    aw_task *first = spawn(compute(fd, &a)); // ALLOW: awaitc-fine-grained-task
    aw_task *second = spawn(compute(fd + 1, &b)); // EXPECT: awaitc-escaping-local
    (void)await aw_join(first, NULL);
    (void)await aw_join(second, NULL);
    return a + b;
}

async int member(int fd)
{
    struct request r;
    r.fd = fd;
    spawn(fill(fd, r.data, sizeof r.data)); // EXPECT: awaitc-escaping-local
    await aw_yield();
    return r.data[0];
}

async int through_pointer(int fd)
{
    struct request r = {.fd = fd};
    struct request *p = &r;
    spawn(work(p)); // EXPECT: awaitc-escaping-local
    await aw_sleep_ms(1);
    return r.result;
}

async int parameter(int fd)
{
    spawn(compute(1, &fd)); // EXPECT: awaitc-escaping-local
    await aw_sleep_ms(1);
    return fd;
}

int stored_in_object(struct queue *q)
{
    struct request r = {.fd = 1};
    q->head = &r; // EXPECT: awaitc-escaping-local
    q->count++;
    return 0;
}

async int stored_in_global(int fd)
{
    struct request r = {.fd = fd};
    current = &r; // EXPECT: awaitc-escaping-local
    return (int)await aw_read(fd, r.data, sizeof r.data);
}

async int array_stored(struct queue *q, int fd)
{
    char line[128];
    q->scratch = line; // EXPECT: awaitc-escaping-local
    return await fill(fd, line, sizeof line);
}

static void queue_put(struct queue *q, struct request *r)
{
    r->next = q->head;
    q->head = r;
}

int stored_by_helper(struct queue *q, int fd)
{
    struct request r = {.fd = fd};
    queue_put(q, &r); // EXPECT: awaitc-escaping-local
    return 0;
}

void callback(timer *t)
{
    int state = 0;
    timer_start(t, 100, on_timer, &state); // EXPECT: awaitc-escaping-local
}

static void *run(void *arg)
{
    return arg;
}

int thread(void)
{
    pthread_t t;
    struct request r = {.fd = 1};
    return pthread_create(&t, NULL, run, &r); // EXPECT: awaitc-escaping-local
}

async int inner_block(int n)
{
    aw_scope s;
    aw_scope_init(&s, 4);
    for (int i = 0; i < n; i++) {
        struct request r = {.fd = i};
        (void)await aw_scope_spawn(&s, work(&r)); // EXPECT: awaitc-escaping-local
    }
    return await aw_scope_wait(&s);
}

struct request *heap_object(int fd)
{
    int flag = fd;
    struct queue *q = malloc(sizeof *q);
    if (q == NULL)
        return NULL;
    q->scratch = (char *)&flag; // EXPECT: awaitc-escaping-local
    return q->head;
}

typedef struct uv_loop_s uv_loop_t;
typedef struct uv_work_s {
    void *data;
} uv_work_t;
typedef struct uv_timer_s {
    void *data;
} uv_timer_t;
int uv_queue_work(uv_loop_t *loop, uv_work_t *req, void (*work)(uv_work_t *),
                  void (*after)(uv_work_t *, int));
int uv_timer_start(uv_timer_t *t, void (*fn)(uv_timer_t *), unsigned long ms, unsigned long again);
static void hash(uv_work_t *req)
{
    req->data = NULL;
}
static void hashed(uv_work_t *req, int status)
{
    req->data = status == 0 ? req : NULL;
}
static void tick(uv_timer_t *t)
{
    t->data = NULL;
}

void request_on_stack(uv_loop_t *loop)
{
    uv_work_t req;
    uv_queue_work(loop, &req, hash, hashed); // EXPECT: awaitc-escaping-local
}

void data_on_stack(uv_timer_t *t)
{
    int rounds = 3;
    t->data = &rounds; // EXPECT: awaitc-escaping-local
    uv_timer_start(t, tick, 10, 10);
}

async int handle_in_object(struct queue *q, aw_task **to)
{
    struct request r = {.fd = q->count};
    *to = spawn(work(&r)); // EXPECT: awaitc-escaping-local
    await aw_sleep_ms(1);
    return 0;
}

async int foreign_scope(aw_scope *s, int fd)
{
    struct request r = {.fd = fd};
    return await aw_scope_spawn(s, work(&r)); // EXPECT: awaitc-escaping-local
}
