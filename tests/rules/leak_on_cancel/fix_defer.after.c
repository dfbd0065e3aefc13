#include <awaitc.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct job { int id; char *text; };
struct out { char *kept; };
async int run_job(struct job *j);
async int send_frame(int fd, const char *p, size_t n);
async int wait_reply(int fd, void *buf, size_t n);
int open_probe(void);

/* Behind the check; the release goes, and its line with it. */
async int checked(int to, size_t n)
{
    char *line = malloc(n + 1); // EXPECT: awaitc-leak-on-cancel
    if (line == NULL)
        return -1;
    defer { free(line); }
    memset(line, ' ', n);
    int rc = await send_frame(to, line, n);
    return rc;
}

/* One release for several ends. */
async int jumps(int to, const char *text)
{
    int rc;
    char *copy = strdup(text); // EXPECT: awaitc-leak-on-cancel
    defer { free(copy); }

    rc = await send_frame(to, copy, strlen(copy));
    if (rc < 0)
        goto out;
    rc = await send_frame(to, "\n", 1);
out:
    return rc;
}

/* In a loop, and on several ways. */
async int retried(int id)
{
    for (int i = 0; i < 3; i++) {
        struct job *j = calloc(1, sizeof *j); // EXPECT: awaitc-leak-on-cancel
        if (j == NULL)
            return -1;
        defer { free(j); }
        j->id = id;
        int rc = await run_job(j);
        if (rc < 0) {
            return rc;
        }
        if (rc == 0)
            return 0;
    }
    return -1;
}

async int descriptor(const char *path, void *buf, size_t n)
{
    int fd = await aw_tcp_connect(path, 7); // EXPECT: awaitc-leak-on-cancel
    int got;
    if (fd < 0)
        return fd;
    defer { aw_close(fd); }
    got = await wait_reply(fd, buf, n);
    return got;
}

/* An await behind the release: the block would live longer. No fix. */
async int early(int to, size_t n)
{
    char *line = malloc(n + 1); // EXPECT: awaitc-leak-on-cancel
    if (line == NULL)
        return -1;
    int rc = await send_frame(to, line, n);
    free(line);
    if (rc < 0)
        return rc;
    return await send_frame(to, "\n", 1);
}

/* The peer must see the end before the answer is made. No fix. */
async int in_order(const char *path, void *buf, size_t n)
{
    int fd = await aw_tcp_connect(path, 7); // EXPECT: awaitc-leak-on-cancel
    if (fd < 0)
        return fd;
    int got = await wait_reply(fd, buf, n);
    aw_close(fd);
    if (got > 0)
        got = open_probe();
    return got;
}

/* Handed on in one case: it is not only this function's. No fix. */
async int handed_on(struct out *o, int to, size_t n)
{
    char *line = malloc(n + 1); // EXPECT: awaitc-leak-on-cancel
    if (line == NULL)
        return -1;
    int rc = await send_frame(to, line, n);
    if (rc < 0) {
        free(line);
        return rc;
    }
    o->kept = line;
    return 0;
}

/* A jump from in front of it would lead over the defer. No fix for the second. */
async int two(int to, size_t n)
{
    int rc = -1;
    char *a = NULL, *b = NULL;
    a = malloc(n); // EXPECT: awaitc-leak-on-cancel
    if (a == NULL)
        goto out;
    b = malloc(n); // EXPECT: awaitc-leak-on-cancel
    if (b == NULL)
        goto out;
    memset(a, ' ', n);
    memset(b, ' ', n);
    rc = await send_frame(to, a, n);
    if (rc >= 0)
        rc = await send_frame(to, b, n);
out:
    free(b);
    free(a);
    return rc;
}
