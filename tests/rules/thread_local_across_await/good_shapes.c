#include <awaitc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ctx {
    int depth, id;
    char name[32];
};
struct request;
static __thread struct ctx tls_ctx;
static __thread struct ctx *current;
static __thread char scratch[256];
static __thread unsigned long served;
static __thread struct request *active;
static __thread char *cache;
static int plain_global;
extern pthread_key_t key;
void account(struct ctx *c, long n);
void note(pthread_t who);
void log_request(struct request *r);
async int send_text(int fd, const char *text);

async int taken_again(int fd, char *to, size_t size)
{
    struct ctx *c = &tls_ctx;
    c->depth++;
    long n = await aw_read(fd, to, size);
    c = &tls_ctx;
    account(c, n);
    return (int)n;
}

async int used_before(int fd)
{
    struct ctx *c = current;
    c->depth++;
    account(c, 1);
    return await send_text(fd, "hello");
}

async int copied(int fd)
{
    int id = tls_ctx.id;
    char name[32];
    memcpy(name, tls_ctx.name, sizeof name);
    (void)await send_text(fd, name);
    return id;
}

async int copied_whole(int fd)
{
    struct ctx mine = tls_ctx;
    int rc = await send_text(fd, mine.name);
    mine.depth = rc;
    return mine.depth;
}

async void statistics(int fd)
{
    served++;
    (void)await send_text(fd, "hello");
    served++;
}

async void anew(int fd)
{
    note(pthread_self());
    (void)await send_text(fd, "hello");
    note(pthread_self());
}

async int formatted_again(int fd)
{
    char text[64];
    snprintf(scratch, sizeof scratch, "%d", fd);
    memcpy(text, scratch, sizeof text);
    int rc = await send_text(fd, text);
    snprintf(scratch, sizeof scratch, "%d", rc);
    return rc < 0 ? rc : (int)strlen(scratch);
}

async int tested_again(int fd)
{
    if (cache == NULL)
        cache = calloc(1, 64);
    int rc = await send_text(fd, "hello");
    if (cache != NULL)
        cache[0] = 'x';
    return rc;
}

async int set_again(int fd, struct request *r)
{
    active = r;
    log_request(active);
    int rc = await send_text(fd, "hello");
    active = r;
    log_request(active);
    return rc;
}

async int other_way(int fd, int fast)
{
    struct ctx *c = &tls_ctx;
    if (fast) {
        c->depth++;
        return 0;
    }
    return await send_text(fd, "hello");
}

async int in_each_round(int fd)
{
    int rc = 0;
    for (int i = 0; i < 3 && rc == 0; i++) {
        struct ctx *c = pthread_getspecific(key);
        c->depth++;
        rc = await send_text(fd, "hello");
    }
    return rc;
}

static struct ctx *ctx_get(void)
{
    return current;
}

async int through_helper(int fd)
{
    ctx_get()->depth++;
    int rc = await send_text(fd, "hello");
    ctx_get()->depth = 0;
    return rc;
}

async int global(int fd)
{
    int *p = &plain_global;
    int rc = await send_text(fd, "hello");
    *p = rc;
    return rc;
}

void plain(void)
{
    struct ctx *c = &tls_ctx;
    c->depth++;
}
