#include <awaitc.h>
#include <stddef.h>

struct node {
    struct node *next;
    int id, fd;
    char name[16];
};
struct peer {
    int fd, alive;
};
struct row {
    int key;
    char text[32];
};
async int visit(struct node *n);
async int fetch(int id);
async int fetch_row(int key, struct row *out);
async int resolve(const char *name, char *out, size_t size);
int weigh(const struct row *r);

/* A list. */
async int visit_list(struct node *head)
{
    int sum = 0;

    for (struct node *n = head; n != NULL; n = n->next)
        sum += await visit(n); // EXPECT: awaitc-await-in-loop
    return sum;
}

async int visit_rest(struct node *n)
{
    int sum = 0;

    while (n) {
        sum += await fetch(n->id); // EXPECT: awaitc-await-in-loop
        n = n->next;
    }
    return sum;
}

/* A pointer that walks. */
async long walk(const int *id, const int *end)
{
    long sum = 0;

    for (; id != end; id++)
        sum += await fetch(*id); // EXPECT: awaitc-await-in-loop
    return sum;
}

/* One text to many descriptors. */
async void broadcast(struct peer *peers, int n, const char *text, size_t len)
{
    for (int i = 0; i < n; i++) {
        if (await aw_write_all(peers[i].fd, text, len) < 0) // EXPECT: awaitc-await-in-loop
            peers[i].alive = 0;
    }
}

/* A buffer of its own each round. */
async long weigh_all(const int *keys, int n)
{
    long sum = 0;

    for (int i = 0; i < n; i++) {
        struct row r;

        if (await fetch_row(keys[i], &r) < 0) // EXPECT: awaitc-await-in-loop
            return -1;
        sum += weigh(&r);
    }
    return sum;
}

/* Through a pointer to the element. */
async int resolve_all(struct node *nodes, int n, char out[][64])
{
    for (int i = 0; i < n; i++) {
        struct node *it = &nodes[i];
        int rc = await resolve(it->name, out[i], 64); // EXPECT: awaitc-await-in-loop

        if (rc != 0)
            return rc;
    }
    return 0;
}

/* Backwards, and by twos. */
async long odd(int last)
{
    long sum = 0;

    for (int i = last; i > 0; i -= 2)
        sum += await fetch(i); // EXPECT: awaitc-await-in-loop
    return sum;
}

/* do while. */
async long at_least_one(const int *ids, int n)
{
    long sum = 0;
    int i = 0;

    do {
        sum += await fetch(ids[i]); // EXPECT: awaitc-await-in-loop
    } while (++i < n);
    return sum;
}

/* The inner loop of two. */
async long table(int rows, int columns)
{
    long sum = 0;

    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns; c++)
            sum += await fetch(r * columns + c); // EXPECT: awaitc-await-in-loop
    }
    return sum;
}

/* Some are left out. */
async long alive_only(const struct peer *peers, int n)
{
    long sum = 0;

    for (int i = 0; i < n; i++) {
        if (!peers[i].alive)
            continue;
        sum += await fetch(peers[i].fd + i); // EXPECT: awaitc-await-in-loop
    }
    return sum;
}

/* Kinds of work, one a round. */
async long by_kind(const struct row *rows, int n)
{
    long sum = 0;

    for (int i = 0; i < n; i++) {
        switch (rows[i].key & 1) {
        case 0:
            sum += await fetch(rows[i].key); // EXPECT: awaitc-await-in-loop
            break;
        default:
            sum += await fetch(-rows[i].key);
            break;
        }
    }
    return sum;
}

/* A limit of time for each. */
async int slow_ones(const int *ids, int n)
{
    int late = 0;

    for (int i = 0; i < n; i++) {
        int v = 0;

        if (await aw_timeout(50, v = fetch(ids[i])) != 0) // EXPECT: awaitc-await-in-loop
            late++;
    }
    return late;
}

/* The pool, too, can do more than one. */
long file_checksum(const char *path);
async long checksums(char paths[][256], int n)
{
    long sum = 0;

    for (int i = 0; i < n; i++)
        sum ^= await aw_blocking(file_checksum(paths[i])); // EXPECT: awaitc-await-in-loop
    return sum;
}
