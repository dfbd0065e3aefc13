// CONFIG: coroutine.yaml
#include <pthread.h>

#define coroutine_fn __attribute__((annotate("coroutine_fn")))

struct disk {
    pthread_mutex_t lock;
    int reads;
};

int coroutine_fn disk_read(struct disk *d, long at, void *to);

int coroutine_fn disk_check(struct disk *d, void *to)
{
    pthread_mutex_lock(&d->lock);
    int rc = disk_read(d, 0, to); // EXPECT: awaitc-lock-across-await
    d->reads++;
    pthread_mutex_unlock(&d->lock);
    return rc;
}
