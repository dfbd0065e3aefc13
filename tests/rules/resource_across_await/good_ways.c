// CONFIG: more_pairs.yaml
#include <awaitc.h>
#include <string.h>
struct entry { char text[64]; int n; };
struct pool; struct conn { int id; };
struct txn { int id; };
struct entry *cache_pin(int key);
void cache_unpin(struct entry *e);
struct conn *pool_get(struct pool *p);
void pool_put(struct pool *p, struct conn *c);
int slot_take(int bank);
void slot_give(int slot);
void irq_off(void);
void irq_on(void);
int txn_begin(struct txn *t);
void txn_end(struct txn *t);
async int send_text(int fd, const char *text);
async int fetch(int id);

/* released on both ways before the await */
async int branches(int fd, int key)
{
    struct entry *e = cache_pin(key);
    char copy[64];
    if (e->n == 0) {
        cache_unpin(e);
        return await send_text(fd, "none");
    }
    memcpy(copy, e->text, sizeof copy);
    cache_unpin(e);
    return await send_text(fd, copy);
}
/* nothing was got */
async int failed(int fd, struct pool *p)
{
    struct conn *c = pool_get(p);
    if (c == NULL)
        return await send_text(fd, "busy");
    int id = c->id;
    pool_put(p, c);
    return await fetch(id);
}
async int failed_slot(int fd, int bank)
{
    int s = slot_take(bank);
    if (s < 0) {
        int rc = await send_text(fd, "full");
        return rc < 0 ? rc : s;
    }
    slot_give(s);
    return 0;
}
async int failed_txn(int fd, struct txn *t)
{
    int rc = txn_begin(t);
    if (rc != 0)
        return await send_text(fd, "locked");
    t->id++;
    txn_end(t);
    return await fetch(t->id);
}
/* by a helper */
static void put_back(struct entry *e)
{
    e->n--;
    cache_unpin(e);
}
async int helper(int fd, int key)
{
    struct entry *e = cache_pin(key);
    int n = e->n;
    put_back(e);
    return n > 0 ? await send_text(fd, "some") : 0;
}
/* held in a plain function only */
static int peek(int key)
{
    struct entry *e = cache_pin(key);
    int n = e->n;
    cache_unpin(e);
    return n;
}
async int plain(int fd, int key)
{
    return peek(key) > 0 ? await send_text(fd, "yes") : await send_text(fd, "no");
}
/* taken and given in each round, the await between rounds */
async int rounds(int fd, const int *keys, int n)
{
    for (int i = 0; i < n; i++) {
        struct entry *e = cache_pin(keys[i]);
        int k = e->n;
        cache_unpin(e);
        if (k == 0)
            continue;
        if (await send_text(fd, "x") < 0)
            return -1;
    }
    return 0;
}
/* off and on around a register only */
async int registers(int fd, volatile unsigned *r)
{
    int rc = await fetch(fd);
    irq_off();
    *r |= 1;
    irq_on();
    return rc < 0 ? rc : await fetch(fd + 1);
}
/* goto to the release, the await behind it */
async int jumps(int fd, int key)
{
    int rc = -1;
    struct entry *e = cache_pin(key);
    if (e->n < 0)
        goto out;
    rc = e->n;
out:
    cache_unpin(e);
    return rc < 0 ? await send_text(fd, "bad") : rc;
}
/* handed to the caller: not held here */
struct entry *cache_pin_checked(int key)
{
    struct entry *e = cache_pin(key);
    if (e->n == 0) {
        cache_unpin(e);
        return NULL;
    }
    return e;
}
async int switched(int fd, int op, struct pool *p)
{
    struct conn *c;
    switch (op) {
    case 0:
        c = pool_get(p);
        if (c != NULL)
            pool_put(p, c);
        break;
    case 1:
        return await fetch(fd);
    default:
        break;
    }
    return await send_text(fd, "done");
}
