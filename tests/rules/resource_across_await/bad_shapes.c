// CONFIG: pairs.yaml
#include <awaitc.h>

struct buf;
struct db;
void *cache_pin(int key);
void cache_unpin(void *entry);
int slot_get(void);
void slot_put(int slot);
int txn_begin(struct db *d);
void txn_end(struct db *d);
char *buf_map(struct buf *b);
void buf_unmap(struct buf *b);
void rcu_read_lock(void);
void rcu_read_unlock(void);
async int send_entry(int fd, const void *entry);
async int save(struct db *d, int row);

async int pinned(int fd, int key)
{
    void *entry = cache_pin(key);
    int rc = await send_entry(fd, entry); // EXPECT: awaitc-resource-across-await
    cache_unpin(entry);
    return rc;
}

async int after_failure(int fd)
{
    int slot = slot_get();
    if (slot < 0)
        return slot;
    int rc = await send_entry(fd, &slot); // EXPECT: awaitc-resource-across-await
    slot_put(slot);
    return rc;
}

async int transaction(struct db *d)
{
    int rc = txn_begin(d);
    if (rc != 0)
        return rc;
    for (int i = 0; i < 3 && rc == 0; i++)
        rc = await save(d, i); // EXPECT: awaitc-resource-across-await
    txn_end(d);
    return rc;
}

async int mapped(struct buf *b, int fd)
{
    char *p = buf_map(b);
    if (!p)
        return -ENOMEM;
    defer
    {
        buf_unmap(b);
    }
    return await send_entry(fd, p); // EXPECT: awaitc-resource-across-await
}

async int reader(int fd, const int *shared)
{
    rcu_read_lock();
    int rc = await send_entry(fd, shared); // EXPECT: awaitc-resource-across-await
    rcu_read_unlock();
    return rc;
}

async int second_await_too(int fd, int key)
{
    int rc = await send_entry(fd, "head");
    void *entry = cache_pin(key);
    if (rc == 0)
        rc = await send_entry(fd, entry); // EXPECT: awaitc-resource-across-await
    await aw_sleep_ms(1); // EXPECT: awaitc-resource-across-await
    cache_unpin(entry);
    return rc;
}
