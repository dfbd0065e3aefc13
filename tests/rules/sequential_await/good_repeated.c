#include <awaitc.h>
#include <stddef.h>

struct node {
    struct node *left, *right, *next, *children;
    int value;
};
async int read_counter(void);
async int next_token(void);
async int sample(int channel);
async int load(struct node *n);

/* Two samples of one thing at two times. */
async int rate(void)
{
    int before = await read_counter();
    int after = await read_counter();

    return after - before;
}
async int drift(int channel)
{
    int a = await sample(channel);
    int b = await sample(channel);

    return b - a;
}

/* The next of a row that is kept elsewhere. */
async int pair_of_tokens(void)
{
    int name = await next_token();
    int value = await next_token();

    return name << 8 | value;
}

/* A recursion: how many wait at once would have no limit. */
async int sum(struct node *n, int depth)
{
    if (n == NULL || depth == 0)
        return 0;
    int l = await sum(n->left, depth - 1);
    int r = await sum(n->right, depth - 1);
    int own = await load(n);

    return own + l + r;
}
async int visit(struct node *n, int depth)
{
    int count = await load(n);

    if (depth == 0)
        return count;
    for (struct node *c = n->children; c != NULL; c = c->next)
        count += await visit(c, depth - 1);
    return count;
}
