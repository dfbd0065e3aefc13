#include <awaitc.h>

struct node { struct node *left, *right, *next; int fd; };
struct session { int fd, failures; };
async int connect_to(struct session *s);
async int visit(int fd);

async int walk(struct node *n)
{
    if (n == NULL)
        return 0;
    int rc = await walk(n->left); // EXPECT: awaitc-async-recursion
    if (rc < 0)
        return rc;
    rc = await visit(n->fd);
    if (rc < 0)
        return rc;
    return await walk(n->right);
}

/* Tries again for ever, a frame each time. */
async int keep_connected(struct session *s)
{
    int rc = await connect_to(s);
    if (rc < 0) {
        await aw_sleep_ms(100);
        return await keep_connected(s); // EXPECT: awaitc-async-recursion
    }
    return rc;
}

/* One calls the other. */
async int read_body(struct session *s);

async int read_header(struct session *s)
{
    char c;
    if (await aw_read(s->fd, &c, 1) != 1)
        return -1;
    return c == '\n' ? await read_body(s) : c; // EXPECT: awaitc-async-recursion
}

async int read_body(struct session *s)
{
    char c;
    if (await aw_read(s->fd, &c, 1) != 1)
        return -1;
    if (c == 'x')
        return c;
    return await read_header(s);
}

/* Inside a form. */
async int both(struct node *n)
{
    int a = 0, b = 0;
    if (n == NULL)
        return 1;
    await aw_all(a = both(n->left), b = both(n->right)); // EXPECT: awaitc-async-recursion
    return a + b;
}

async int along(struct node *n)
{
    int rc = await visit(n->fd);
    if (rc < 0 || n->next == NULL)
        return rc;
    rc = await along(n->next); // EXPECT: awaitc-async-recursion
    return rc;
}

/* What was read decides, not a limit. */
async int packets(int fd)
{
    unsigned char len;
    if (await aw_read(fd, &len, 1) != 1 || len == 0)
        return 0;
    int rc = await visit(len);
    if (rc < 0)
        return rc;
    return await packets(fd); // EXPECT: awaitc-async-recursion
}
