#include <awaitc.h>

#define MAX_DEPTH 16
struct node { struct node *left, *right, *next; int fd; };
struct session { int fd, failures; unsigned depth; };
async int connect_to(struct session *s);
async int visit(int fd);

/* A depth that is limited. */
async int walk(struct node *n, int depth)
{
    if (n == NULL || depth > MAX_DEPTH)
        return 0;
    int rc = await walk(n->left, depth + 1);
    if (rc < 0)
        return rc;
    rc = await visit(n->fd);
    if (rc < 0)
        return rc;
    return await walk(n->right, depth + 1);
}

async int tries(struct session *s, int left)
{
    int rc = await connect_to(s);
    if (rc >= 0 || left == 0)
        return rc;
    await aw_sleep_ms(100);
    return await tries(s, left - 1);
}

async int sum(int n)
{
    if (n <= 0)
        return 0;
    int rc = await visit(n);
    return rc < 0 ? rc : n + await sum(n - 1);
}

async int nested(struct session *s)
{
    int rc;
    if (s->depth >= MAX_DEPTH)
        return -1;
    s->depth++;
    rc = await visit(s->fd);
    if (rc > 0)
        rc = await nested(s);
    s->depth--;
    return rc;
}

/* The limit is the other one's. */
async int pong(int fd, int left);

async int ping(int fd, int left)
{
    if (left == 0)
        return 0;
    int rc = await visit(fd);
    return rc < 0 ? rc : await pong(fd, left - 1);
}

async int pong(int fd, int left)
{
    int rc = await visit(fd);
    return rc < 0 ? rc : await ping(fd, left);
}

/* Halves. */
async int parts(int *v, int n)
{
    if (n < 2)
        return n;
    int half = n / 2, a = 0, b = 0;
    await aw_all(a = parts(v, half), b = parts(v + half, n - half));
    return a + b;
}

/* A loop; a plain function; one that starts a task. */
async int along(struct node *n, int out)
{
    for (; n != NULL; n = n->next) {
        if (await aw_write(out, n, sizeof *n) < 0)
            return -1;
    }
    return 0;
}

static int depth_of(const struct node *n)
{
    return n == NULL ? 0 : 1 + depth_of(n->left);
}

async int deep(struct node *n)
{
    int rc = await visit(n->fd);
    return rc < 0 ? rc : depth_of(n);
}

async void ticker(int fd)
{
    await aw_sleep_ms(1000);
    if (await aw_write(fd, "t", 1) == 1)
        spawn(ticker(fd));
}
