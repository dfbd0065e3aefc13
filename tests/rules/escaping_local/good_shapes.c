#include <awaitc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct request {
    int fd, result;
    struct request *next, **prev;
    char data[32];
};
struct queue {
    struct request *head;
    char *scratch;
    int count;
};
typedef struct timer timer;
static struct request *current;
static char shared[64];
async int fill(int fd, char *to, int size);
async int work(struct request *r);
async int compute(int i, int *result);
async int by_value(struct request r);
void timer_start(timer *t, int ms, void (*fn)(void *), void *data);
void timer_stop(timer *t, void *data);
void on_timer(void *data);
void for_each(struct queue *q, void (*fn)(void *), void *data);
int use(struct request *r);

async int together(int fd, int other)
{
    char first[64], second[64];
    int a, b;
    await aw_all(a = fill(fd, first, 64), b = fill(other, second, 64));
    return a < 0 || b < 0 ? -1 : first[0] + second[0];
}

async int raced(int fd)
{
    char line[64];
    int n = 0;
    int rc = await aw_timeout(100, n = fill(fd, line, 64));
    return rc < 0 ? rc : n + line[0];
}

async int joined_next(int fd)
{
    struct request r = {.fd = fd};
    aw_task *t = spawn(work(&r));
    r.data[0] = 'x';
    int rc = await aw_join(t, NULL);
    return rc < 0 ? rc : r.result;
}

async int join_checked(int fd)
{
    struct request r = {.fd = fd};
    aw_task *t = spawn(work(&r));
    if (t == NULL)
        return -ENOMEM;
    int rc = await aw_join(t, NULL);
    return rc < 0 ? rc : r.result;
}

async int joined_at_once(int fd)
{
    struct request r = {.fd = fd};
    int rc = await aw_join(spawn(work(&r)), NULL);
    return rc < 0 ? rc : r.result;
}

async int joined_together(int fd)
{
    int a = 0, b = 0, x, y;
    aw_task *first = spawn(compute(fd, &a));      // ALLOW: awaitc-fine-grained-task
    aw_task *second = spawn(compute(fd + 1, &b)); // ALLOW: awaitc-fine-grained-task
    await aw_all(x = aw_join(first, NULL), y = aw_join(second, NULL));
    return x < 0 || y < 0 ? -1 : a + b;
}

async int in_scope(int n)
{
    int results[16];
    aw_scope s;
    aw_scope_init(&s, 4);
    for (int i = 0; i < n && i < 16; i++) {
        int rc = await aw_scope_spawn(&s, compute(i, &results[i]));
        if (rc < 0)
            break;
    }
    int rc = await aw_scope_wait(&s);
    return rc < 0 ? rc : results[0];
}

async int values(int fd)
{
    struct request r = {.fd = fd};
    spawn(by_value(r));
    await aw_sleep_ms(1);
    return 0;
}

async int on_heap(int fd)
{
    struct request *r = calloc(1, sizeof *r);
    if (r == NULL)
        return -ENOMEM;
    r->fd = fd;
    spawn(work(r));
    await aw_sleep_ms(1);
    return 0;
}

async int static_storage(int fd)
{
    static char buffer[64];
    spawn(fill(fd, buffer, sizeof buffer));
    spawn(fill(fd, shared, sizeof shared));
    await aw_sleep_ms(1);
    return 0;
}

async int callers_object(struct request *r, char *to)
{
    spawn(work(r));
    spawn(fill(r->fd, to, 10));
    spawn(fill(r->fd, r->data, sizeof r->data));
    await aw_sleep_ms(1);
    return 0;
}

int store_undone(struct queue *q)
{
    struct request r = {.fd = 1};
    q->head = &r;
    int rc = use(q->head);
    q->head = NULL;
    return rc;
}

async int store_deferred(int fd)
{
    struct request r = {.fd = fd};
    current = &r;
    defer
    {
        current = NULL;
    }
    return (int)await aw_read(fd, r.data, sizeof r.data);
}

int in_local_object(int fd)
{
    char line[64];
    struct queue q = {0};
    struct queue *p = &q;
    struct request r = {.fd = fd};
    q.scratch = line;
    p->head = &r;
    memset(line, 0, sizeof line);
    return q.head->fd;
}

static void queue_put(struct queue *q, struct request *r)
{
    r->next = q->head;
    q->head = r;
}

int helper_with_local(int fd)
{
    struct queue q = {0};
    struct request r = {.fd = fd};
    queue_put(&q, &r);
    return use(q.head);
}

void callback_stopped(timer *t)
{
    int state = 0;
    timer_start(t, 100, on_timer, &state);
    timer_stop(t, &state);
}

void callback_inline(struct queue *q)
{
    int sum = 0;
    for_each(q, on_timer, &sum);
}

static void *run(void *arg)
{
    return arg;
}

int thread_joined(void)
{
    pthread_t t;
    struct request r = {.fd = 1};
    if (pthread_create(&t, NULL, run, &r) != 0)
        return -1;
    pthread_join(t, NULL);
    return r.result;
}

#define LIST_ADD(q, r)                                                                             \
    do {                                                                                           \
        (r)->next = (q)->head;                                                                     \
        if ((r)->next)                                                                             \
            (r)->next->prev = &(r)->next;                                                          \
        (q)->head = (r);                                                                           \
        (r)->prev = &(q)->head;                                                                    \
    } while (0)
#define LIST_REMOVE(r)                                                                             \
    do {                                                                                           \
        if ((r)->next)                                                                             \
            (r)->next->prev = (r)->prev;                                                           \
        *(r)->prev = (r)->next;                                                                    \
    } while (0)

async int waits_in_list(struct queue *q)
{
    struct request me = {.fd = 1};
    LIST_ADD(q, &me);
    defer
    {
        LIST_REMOVE(&me);
    }
    await aw_park();
    return me.result;
}

async int freed_holder(int fd)
{
    char line[64];
    struct queue *q = calloc(1, sizeof *q);
    if (q == NULL)
        return -ENOMEM;
    defer
    {
        free(q);
    }
    q->scratch = line;
    return await fill(fd, line, sizeof line);
}

async int on_pool(int fd)
{
    struct request r = {.fd = fd};
    return await aw_blocking(use(&r));
}

typedef struct uv_loop_s uv_loop_t;
typedef struct uv_timer_s {
    void *data;
} uv_timer_t;
int uv_timer_init(uv_loop_t *loop, uv_timer_t *t);
int uv_timer_start(uv_timer_t *t, void (*fn)(uv_timer_t *), unsigned long ms, unsigned long again);
int uv_run(uv_loop_t *loop, int mode);
static void tick(uv_timer_t *t)
{
    t->data = NULL;
}

int loop_runs_here(uv_loop_t *loop)
{
    uv_timer_t t;
    int rounds = 3;
    uv_timer_init(loop, &t);
    t.data = &rounds;
    uv_timer_start(&t, tick, 10, 10);
    return uv_run(loop, 0);
}

async int all_in_scope(int n)
{
    struct request r[8];
    int rc = 0;
    aw_scope s;
    aw_scope_init(&s, 0);
    memset(r, 0, sizeof r);
    for (int i = 0; i < n && i < 8 && rc == 0; i++)
        rc = await aw_scope_spawn(&s, work(&r[i]));
    return rc < 0 ? rc : await aw_scope_wait(&s);
}

async int park_with_callback(timer *t)
{
    struct request r = {.fd = 1};
    timer_start(t, 100, on_timer, &r);
    await aw_park();
    return r.result;
}

int out_parameter(struct request **to, int fd)
{
    struct request *r = calloc(1, sizeof *r);
    if (r == NULL)
        return -1;
    r->fd = fd;
    *to = r;
    return 0;
}

struct parser {
    void *arg;
};
void parser_set_callback(struct parser *p, void (*fn)(void *), void *data);
int parser_feed(struct parser *p, const char *text, size_t size);

async int local_parser(int fd)
{
    struct parser p;
    int lines = 0;
    char text[64];
    parser_set_callback(&p, on_timer, &lines);
    for (;;) {
        ssize_t n = await aw_read(fd, text, sizeof text);
        if (n <= 0)
            return lines;
        if (parser_feed(&p, text, (size_t)n) < 0)
            return -1;
    }
}

async int main(void)
{
    struct queue q = {0};
    int listener = await aw_tcp_listen("::", 80);
    if (listener < 0)
        return 1;
    for (;;) {
        int fd = await aw_accept(listener);
        if (fd < 0)
            continue;
        q.count++;
        spawn(fill(fd, q.scratch, q.count)); // ALLOW: awaitc-unbounded-spawn
    }
}
