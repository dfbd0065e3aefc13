#include <awaitc.h>
#include <string.h>

struct file {
    int64_t size, hole;
};
struct stats {
    unsigned long hits, misses;
};
async int save(const struct stats *s);

/* Arithmetic. */
async int64_t file_length(const struct file *f) // EXPECT: awaitc-needless-async
{
    return f->size - f->hole;
}

/* A constant. */
static async int version(void) // EXPECT: awaitc-needless-async
{
    return 3;
}

/* Stores only. */
static async void count_hit(struct stats *s) // EXPECT: awaitc-needless-async
{
    s->hits++;
}

/* Plain calls that do not wait. */
static async size_t name_length(const char *name) // EXPECT: awaitc-needless-async
{
    return strlen(name);
}

/* A loop over a few. */
async int largest(const int *v) // EXPECT: awaitc-needless-async
{
    int max = v[0];

    for (int i = 1; i < 8; i++)
        max = v[i] > max ? v[i] : max;
    return max;
}

/* Nothing at all. */
async void nothing(void) // EXPECT: awaitc-needless-async
{
}

/* It starts a task, but waits for none. */
async void save_later(struct stats *s) // EXPECT: awaitc-needless-async
{
    spawn(save(s));
}

async int64_t sum(struct file *f, struct stats *s)
{
    await count_hit(s);
    await nothing();
    await save_later(s);
    int rc = await save(s);

    return rc + await file_length(f) + await version() + (int64_t)await name_length("x") +
           await largest((const int[8]){1});
}
