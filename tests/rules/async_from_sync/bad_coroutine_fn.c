// CONFIG: coroutine.yaml
#define coroutine_fn __attribute__((annotate("coroutine_fn")))

struct disk;
int coroutine_fn disk_co_flush(struct disk *d);
int coroutine_fn disk_co_read(struct disk *d, char *buf);
int qemu_in_coroutine(void);

static int coroutine_fn flush_twice(struct disk *d)
{
    int rc = disk_co_flush(d);

    return rc < 0 ? rc : disk_co_flush(d);
}

int disk_close(struct disk *d)
{
    return disk_co_flush(d); // EXPECT: awaitc-async-from-sync
}

static void on_timer(void *opaque)
{
    struct disk *d = opaque;

    flush_twice(d); // EXPECT: awaitc-async-from-sync
}

void start(void (*every)(void (*fn)(void *)))
{
    every(on_timer);
}
