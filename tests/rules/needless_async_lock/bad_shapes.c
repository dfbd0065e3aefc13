#include <awaitc.h>

typedef struct aw_mutex aw_mutex;
async void aw_mutex_lock(aw_mutex *m);
void aw_mutex_unlock(aw_mutex *m);
int aw_mutex_trylock(aw_mutex *m);

struct stats {
    aw_mutex *lock;
    aw_mutex *other;
    unsigned long requests;
    int fd;
};

static aw_mutex *table_lock;
static int table[16];

async void count(struct stats *s)
{
    await aw_mutex_lock(s->lock); // EXPECT: awaitc-needless-async-lock
    s->requests++;
    aw_mutex_unlock(s->lock);
    await aw_sleep_ms(1);
}

async unsigned long read_count(struct stats *s)
{
    await aw_mutex_lock(s->lock); // EXPECT: awaitc-needless-async-lock
    unsigned long n = s->requests;
    aw_mutex_unlock(s->lock);
    return n;
}

async void reset(struct stats *s)
{
    if (!aw_mutex_trylock(s->lock)) // EXPECT: awaitc-needless-async-lock
        await aw_mutex_lock(s->lock); // EXPECT: awaitc-needless-async-lock
    s->requests = 0;
    aw_mutex_unlock(s->lock);
}

async int find(int key)
{
    int at = -1;
    await aw_mutex_lock(table_lock); // EXPECT: awaitc-needless-async-lock
    for (int i = 0; i < 16; i++) {
        if (table[i] == key) {
            at = i;
            break;
        }
    }
    aw_mutex_unlock(table_lock);
    return at;
}

async int with_defer(struct stats *s, int add)
{
    {
        await aw_mutex_lock(s->lock); // EXPECT: awaitc-needless-async-lock
        defer
        {
            aw_mutex_unlock(s->lock);
        }
        s->requests += (unsigned long)add;
    }
    return (int)await aw_write(s->fd, "x", 1);
}

/* Of the other one, a section holds an await. */
async int flush(struct stats *s)
{
    await aw_mutex_lock(s->other);
    int rc = (int)await aw_write(s->fd, "x", 1);
    aw_mutex_unlock(s->other);
    return rc;
}
