// CONFIG: coroutine.yaml
#define coroutine_fn __attribute__((annotate("coroutine_fn")))

struct disk;
typedef void coroutine_fn coroutine_entry(void *opaque);
int coroutine_fn disk_co_flush(struct disk *d);
int disk_flush_blocking(struct disk *d);
int qemu_in_coroutine(void);
void *coroutine_create(coroutine_entry *entry, void *opaque);

/* They call each other plainly. */
static int coroutine_fn flush_twice(struct disk *d)
{
    int rc = disk_co_flush(d);

    return rc < 0 ? rc : disk_co_flush(d);
}

/* Their results may be dropped, and they need not wait. */
static void coroutine_fn flush_entry(void *opaque)
{
    flush_twice(opaque);
    disk_co_flush(opaque);
}
int coroutine_fn disk_size(struct disk *d)
{
    return d != 0;
}

/* Code for both. */
int disk_flush(struct disk *d)
{
    if (qemu_in_coroutine())
        return disk_co_flush(d);
    return disk_flush_blocking(d);
}

void *disk_start(struct disk *d)
{
    return coroutine_create(flush_entry, d);
}
