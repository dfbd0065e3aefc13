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

async int one_way(int fd, int key)
{
    struct entry *e = cache_pin(key);
    if (e->n > 0)
        cache_unpin(e);
    int rc = await send_text(fd, "x"); // EXPECT: awaitc-resource-across-await
    if (e->n <= 0)
        cache_unpin(e);
    return rc;
}
async int in_condition(int fd, struct pool *p)
{
    struct conn *c;
    if ((c = pool_get(p)) == NULL)
        return -1;
    int rc = await fetch(c->id); // EXPECT: awaitc-resource-across-await
    pool_put(p, c);
    return rc + fd;
}
async int deferred(int fd, int key)
{
    struct entry *e = cache_pin(key);
    defer { cache_unpin(e); }
    return await send_text(fd, e->text); // EXPECT: awaitc-resource-across-await
}
static struct entry *get(int key)
{
    return cache_pin(key);
}
async int helper(int fd, int key)
{
    struct entry *e = get(key);
    int rc = await send_text(fd, e->text); // EXPECT: awaitc-resource-across-await
    cache_unpin(e);
    return rc;
}
async int irq(volatile unsigned *r)
{
    irq_off();
    *r = 1;
    await aw_sleep_us(10); // EXPECT: awaitc-resource-across-await
    *r = 0;
    irq_on();
    return 0;
}
async int loop(int fd, struct txn *t, int n)
{
    if (txn_begin(t) != 0)
        return -1;
    for (int i = 0; i < n; i++)
        t->id += await fetch(fd); // EXPECT: awaitc-resource-across-await
    txn_end(t);
    return 0;
}
async int two(int fd, int a)
{
    int s = slot_take(a), rc;
    if (s < 0)
        return s;
    rc = await fetch(s); // EXPECT: awaitc-resource-across-await
    if (rc < 0)
        goto out;
    rc = await send_text(fd, "ok"); // EXPECT: awaitc-resource-across-await
out:
    slot_give(s);
    return rc;
}
async int all(int fd, int key)
{
    int x = 0, y = 0;
    struct entry *e = cache_pin(key);
    await aw_all(x = send_text(fd, e->text), y = fetch(e->n)); // EXPECT: awaitc-resource-across-await
    cache_unpin(e);
    return x + y;
}
