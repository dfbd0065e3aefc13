// CONFIG: pairs.yaml
#include <awaitc.h>
#include <string.h>

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

async int copied(int fd, int key)
{
    char copy[64];
    void *entry = cache_pin(key);
    memcpy(copy, entry, sizeof copy);
    cache_unpin(entry);
    return await send_entry(fd, copy);
}

async int failed(int fd)
{
    int slot = slot_get();
    if (slot < 0)
        return await send_entry(fd, "full");
    slot_put(slot);
    return await send_entry(fd, "ok");
}

async int try_again(struct db *d)
{
    while (txn_begin(d) != 0)
        await aw_sleep_ms(10);
    txn_end(d);
    return await save(d, 1);
}

async int not_mapped(struct buf *b, int fd)
{
    char head[16];
    char *p = buf_map(b);
    if (p == NULL) {
        (void)await send_entry(fd, "none");
        return -ENOMEM;
    }
    memcpy(head, p, sizeof head);
    buf_unmap(b);
    return await send_entry(fd, head);
}

async int in_block(int fd, int key)
{
    int sum = 0;
    {
        void *entry = cache_pin(key);
        defer
        {
            cache_unpin(entry);
        }
        sum = *(const int *)entry;
    }
    return await send_entry(fd, &sum);
}

async int reader(int fd, const int *shared)
{
    rcu_read_lock();
    int value = *shared;
    rcu_read_unlock();
    return await send_entry(fd, &value);
}

async int every_round(int fd)
{
    for (int i = 0; i < 10; i++) {
        int *entry = cache_pin(i);
        int value = *entry;
        cache_unpin(entry);
        int rc = await send_entry(fd, &value);
        if (rc < 0)
            return rc;
    }
    return 0;
}
