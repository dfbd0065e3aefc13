#include <awaitc.h>
#include <pthread.h>
#include <stdio.h>

struct ctx {
    int depth, id;
    char name[32];
};
struct request;
static __thread struct ctx tls_ctx;
static _Thread_local struct ctx *current;
static __thread char scratch[256];
static __thread int nesting;
static __thread struct request *active;
extern pthread_key_t key;
void account(struct ctx *c, long n);
void note(pthread_t who);
void log_request(struct request *r);
async int send_text(int fd, const char *text);

async int address(int fd, char *to, size_t size)
{
    struct ctx *c = &tls_ctx;
    c->depth++;
    long n = await aw_read(fd, to, size);
    account(c, n); // EXPECT: awaitc-thread-local-across-await
    return (int)n;
}

async int pointer_from_it(int fd, char *to, size_t size)
{
    struct ctx *c = current;
    long n = await aw_read(fd, to, size);
    if (n > 0)
        c->id = (int)n; // EXPECT: awaitc-thread-local-across-await
    return (int)n;
}

async int specific(int fd)
{
    struct ctx *c = pthread_getspecific(key);
    int rc = await send_text(fd, "hello");
    c->depth = rc; // EXPECT: awaitc-thread-local-across-await
    return rc;
}

async void thread_id(int fd)
{
    pthread_t self = pthread_self();
    (void)await send_text(fd, "hello");
    note(self); // EXPECT: awaitc-thread-local-across-await
}

async int member_address(int fd)
{
    char *name = tls_ctx.name;
    int rc = await send_text(fd, "hello");
    name[0] = 0; // EXPECT: awaitc-thread-local-across-await
    return rc;
}

async int through_copy(int fd)
{
    struct ctx *c = &tls_ctx;
    int *depth = &c->depth;
    await aw_sleep_ms(1);
    (*depth)++; // EXPECT: awaitc-thread-local-across-await
    return fd;
}

static struct ctx *ctx_get(void)
{
    return &tls_ctx;
}

async int through_helper(int fd)
{
    struct ctx *c = ctx_get();
    int rc = await send_text(fd, "hello");
    c->depth--; // EXPECT: awaitc-thread-local-across-await
    return rc;
}

async int in_loop(int fd)
{
    struct ctx *c = current;
    for (int i = 0; i < 10; i++) {
        c->depth = i; // EXPECT: awaitc-thread-local-across-await
        await aw_sleep_ms(1);
    }
    return fd;
}

async int given_to_await(int fd)
{
    snprintf(scratch, sizeof scratch, "%d", fd);
    return await send_text(fd, scratch); // EXPECT: awaitc-thread-local-across-await
}

async int counted(int fd)
{
    nesting++;
    int rc = await send_text(fd, "hello");
    nesting--; // EXPECT: awaitc-thread-local-across-await
    return rc;
}

async int given_value(int fd, struct request *r)
{
    active = r;
    int rc = await send_text(fd, "hello");
    log_request(active); // EXPECT: awaitc-thread-local-across-await
    return rc;
}

/* One finding, where what the await left there is read. */
async int read_into(int fd)
{
    long n = await aw_read(fd, scratch, sizeof scratch);
    return n > 0 ? scratch[0] : (int)n; // EXPECT: awaitc-thread-local-across-await
}
