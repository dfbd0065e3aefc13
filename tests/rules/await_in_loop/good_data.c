#include <awaitc.h>
#include <stddef.h>

struct page {
    int count, next;
    int items[32];
};
struct node {
    struct node *next;
    int id;
};
async int fetch_page(int cursor, struct page *out);
async int next_of(int id);
async int mix(int state, int key);
async int fetch(int id);
async struct node *load_next(struct node *n);
async int link_to(struct node *before, struct node *n);
async int predict(const int *history, int n);
async int hash_block(unsigned char *state, const char *block);
int use(int x);

/* Paging. */
async int pages(void)
{
    struct page p = {0, 0, {0}};
    int sum = 0, cursor = 0;

    do {
        int rc = await fetch_page(cursor, &p);

        if (rc < 0)
            return rc;
        sum += p.count;
        cursor = p.next;
    } while (cursor != 0);
    return sum;
}

async int pages_by_number(int max)
{
    int sum = 0;

    for (int i = 0; i < max; i++) {
        struct page p;

        if (await fetch_page(i, &p) < 0)
            return -1;
        sum += p.count;
        if (p.count < 32)
            break;
    }
    return sum;
}

/* A chain of ids. */
async int chain(int id, int n)
{
    for (int i = 0; i < n; i++)
        id = await next_of(id);
    return id;
}

/* What one round gives feeds the next. */
async int fold(const int *keys, int n)
{
    int state = 0;

    for (int i = 0; i < n; i++)
        state = await mix(state, keys[i]);
    return state;
}

async int fold_by_pointer(unsigned char *state, char blocks[][64], int n)
{
    int rc = 0;

    for (int i = 0; i < n && rc >= 0; i++)
        rc = await hash_block(state, blocks[i]);
    return rc;
}

async int from_last(int *out, int n)
{
    for (int i = 1; i < n; i++)
        out[i] = await fetch(out[i - 1]);
    return out[n - 1];
}

async int from_history(int *out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = await predict(out, i);
    return out[n - 1];
}

/* The list grows by what is loaded. */
async int load_list(struct node *n)
{
    int count = 0;

    while (n != NULL) {
        n = await load_next(n);
        count++;
    }
    return count;
}

/* Each round works on the last one's object, too. */
async int link_all(struct node *nodes, int n)
{
    struct node *before = NULL;

    for (int i = 0; i < n; i++) {
        if (await link_to(before, &nodes[i]) < 0)
            return -1;
        before = &nodes[i];
    }
    return 0;
}

/* Enough is enough. */
async int enough(const int *ids, int n, int wanted)
{
    int have = 0;

    for (int i = 0; i < n && have < wanted; i++)
        have += await fetch(ids[i]);
    return have;
}

async int budget(const int *ids, int n, int limit)
{
    int spent = 0;

    for (int i = 0; i < n; i++) {
        spent += await fetch(ids[i]);
        if (spent >= limit)
            break;
    }
    return spent;
}

/* Only while the last one said so. */
async int while_asked(const int *ids, int n)
{
    int go_on = 1, sum = 0;

    for (int i = 0; i < n; i++) {
        if (go_on)
            go_on = await fetch(ids[i]);
        sum += use(go_on);
    }
    return sum;
}
