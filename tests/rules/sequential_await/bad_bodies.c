#include <awaitc.h>

/* The callees are in the file: neither touches what the other does. */
struct sensor {
    int fd, value;
};

async int measure(struct sensor *s)
{
    char text[16];
    ssize_t n = await aw_read(s->fd, text, sizeof text);

    if (n <= 0)
        return -1;
    s->value = text[0];
    return s->value;
}

async int spread(struct sensor *inside, struct sensor *outside)
{
    int a = await measure(inside);
    int b = await measure(outside); // EXPECT: awaitc-sequential-await

    return a - b;
}

/* The int is a number here, whatever it is called elsewhere. */
static async int wait_for(int milliseconds)
{
    await aw_sleep_ms((uint64_t)milliseconds);
    return milliseconds;
}
async int fetch(int id)
{
    return await wait_for(id) + 1;
}
async int two(int id)
{
    int a = await fetch(id);
    int b = await fetch(id + 1); // EXPECT: awaitc-sequential-await

    return a + b;
}

/* Two halves of a tree. */
struct tree {
    struct tree *left, *right;
    int key;
};
async int load_node(const struct tree *t);
async int sum_children(const struct tree *t)
{
    int l = await load_node(t->left);
    int r = await load_node(t->right); // EXPECT: awaitc-sequential-await

    return l + r;
}

/* Logging the first result does not make an order. */
void log_info(const char *format, ...);
async int logged(struct sensor *a, struct sensor *b)
{
    int x = await measure(a);

    log_info("inside: %d", x);
    int y = await measure(b); // EXPECT: awaitc-sequential-await
    return x + y;
}

/* The second await stands in a condition. */
async int check(struct sensor *a, struct sensor *b)
{
    int x = await measure(a);

    if (await measure(b) < 0) // EXPECT: awaitc-sequential-await
        return -1;
    return x;
}

/* Two handlers of one table. */
typedef async int (*source_fn)(int key);
async int from_both(source_fn cache, source_fn disk, int key)
{
    int hot = await cache(key);
    int cold = await disk(key); // EXPECT: awaitc-sequential-await

    return hot != 0 ? hot : cold;
}
