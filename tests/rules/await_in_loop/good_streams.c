#include <awaitc.h>
#include <stddef.h>
#include <stdio.h>

struct conn {
    int fd;
    char buf[256];
};
struct frame {
    char text[128];
    size_t len;
};
struct queue;
struct job {
    int id;
};
async int send_frame(struct conn *c, const struct frame *f);
async struct job *queue_next(struct queue *q);
async int run_job(struct job *j);
async int fetch(int id);
async int step(void);
async int read_block(int fd, int number, char *out);
void show(FILE *to, int x);

/* One descriptor. */
async int64_t drain_to(int from, int to)
{
    char buf[4096];
    int64_t total = 0;
    ssize_t n;

    while ((n = await aw_read(from, buf, sizeof buf)) > 0) {
        if (await aw_write_all(to, buf, (size_t)n) < 0)
            return -1;
        total += n;
    }
    return total;
}

async int send_all(int fd, const struct frame *frames, int n)
{
    for (int i = 0; i < n; i++) {
        if (await aw_write_all(fd, frames[i].text, frames[i].len) < 0)
            return -1;
    }
    return 0;
}

/* A descriptor by the callee's body. */
static async int put(int where, const struct frame *f)
{
    return (int)await aw_write_all(where, f->text, f->len);
}
async int put_all(int where, const struct frame *frames, int n)
{
    int rc = 0;

    for (int i = 0; i < n && rc >= 0; i++)
        rc = await put(where, &frames[i]);
    return rc;
}

/* ... by its name. */
async int read_blocks(int fd, char out[][512], int n)
{
    for (int i = 0; i < n; i++) {
        int rc = await read_block(fd, i, out[i]);

        if (rc < 0)
            return rc;
    }
    return 0;
}

/* One object. */
async int send_frames(struct conn *c, const struct frame *frames, int n)
{
    for (int i = 0; i < n; i++) {
        if (await send_frame(c, &frames[i]) < 0)
            return -1;
    }
    return 0;
}

/* One buffer. */
async long sum_first_bytes(const int *fds, int n)
{
    char buf[64];
    long sum = 0;

    for (int i = 0; i < n; i++) {
        ssize_t k = await aw_read(fds[i], buf, sizeof buf);

        if (k > 0)
            sum += buf[0];
    }
    return sum;
}

/* A server. */
async void echo(int fd);
async int serve(int listener)
{
    for (;;) {
        int fd = await aw_accept(listener);

        if (fd < 0)
            return fd;
        await echo(fd);
    }
}

/* A consumer. */
async void consume(struct queue *q)
{
    struct job *j;

    while ((j = await queue_next(q)) != NULL)
        (void)await run_job(j);
}

/* Pacing. */
async int paced(const int *ids, int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++) {
        sum += await fetch(ids[i]);
        await aw_sleep_ms(20);
    }
    return sum;
}

/* Steps of something that is not named. */
async int steps(int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        sum += await step();
    return sum;
}

/* The output keeps the order. */
async void list(const int *ids, int n)
{
    for (int i = 0; i < n; i++) {
        int v = await fetch(ids[i]);

        printf("%d: %d\n", ids[i], v);
    }
}

async void list_to(FILE *out, const int *ids, int n)
{
    for (int i = 0; i < n; i++)
        show(out, await fetch(ids[i]));
}
