#include <awaitc.h>
#include <stdbool.h>

#define MAX_CLIENTS 512
typedef struct aw_sem aw_sem;
struct server { int listener; unsigned clients, limit; aw_sem *slots; };
struct limiter;
bool limiter_allow(struct limiter *l);
async int serve(int fd);
async void serve_counted(struct server *s, int fd);
async int fetch(const char *url);
async void refresh(int id);
async int aw_sem_acquire(aw_sem *s, int n);
async void wait_for_slot(struct server *s);

async int scoped(int listener)
{
    aw_scope s;
    aw_scope_init(&s, MAX_CLIENTS);
    for (;;) {
        int fd = await aw_accept(listener);
        if (fd < 0)
            break;
        if (await aw_scope_spawn(&s, serve(fd)) < 0)
            break;
    }
    return await aw_scope_wait(&s);
}

async int with_semaphore(struct server *s)
{
    for (;;) {
        int rc = await aw_sem_acquire(s->slots, 1);
        if (rc < 0)
            return rc;
        int fd = await aw_accept(s->listener);
        if (fd < 0)
            return fd;
        spawn(serve_counted(s, fd));
    }
}

async int refuses(struct server *s)
{
    for (;;) {
        int fd = await aw_accept(s->listener);
        if (fd < 0)
            return fd;
        if (s->clients >= s->limit) {
            aw_close(fd);
            continue;
        }
        s->clients++;
        spawn(serve_counted(s, fd));
    }
}

async int waits(struct server *s)
{
    for (;;) {
        while (s->clients == MAX_CLIENTS)
            await wait_for_slot(s);
        int fd = await aw_accept(s->listener);
        if (fd < 0)
            return fd;
        s->clients++;
        spawn(serve_counted(s, fd));
    }
}

async int asks(int listener, struct limiter *l)
{
    int fd;
    while ((fd = await aw_accept(listener)) >= 0) {
        if (!limiter_allow(l))
            aw_close(fd);
        else
            spawn(serve(fd));
    }
    return fd;
}

/* One after the other. */
async int in_turn(int listener)
{
    int fd;
    while ((fd = await aw_accept(listener)) >= 0) {
        aw_task *t = spawn(serve(fd));
        int rc, result;
        rc = await aw_join(t, &result);
        if (rc < 0)
            return rc;
    }
    return fd;
}

/* As many as the program says, not the other side. */
async int fixed(const char *const *urls, int n)
{
    aw_task *t[8];
    int bad = 0;
    for (int i = 0; i < n && i < 8; i++)
        t[i] = spawn(fetch(urls[i]));
    for (int i = 0; i < n && i < 8; i++) {
        int result = 0;
        if (await aw_join(t[i], &result) < 0 || result < 0)
            bad++;
    }
    return bad;
}

async void every_minute(void)
{
    for (;;) {
        await aw_sleep_ms(60000);
        spawn(refresh(1));
    }
}

async int first_ten(int listener)
{
    for (int i = 0; i < 10; i++) {
        int fd = await aw_accept(listener);
        if (fd < 0)
            return fd;
        spawn(serve(fd));
    }
    return 0;
}
