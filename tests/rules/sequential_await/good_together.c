#include <awaitc.h>

async int fetch(int id);
async int other(int id);
async void warm(const char *name);
async int setup(void);
async int run_all(void);

/* As it should be. */
async int together(int id)
{
    int a, b;

    await aw_all(a = fetch(id), b = other(id));
    return a + b;
}

/* Stages: the second group needs the first. */
async int stages(int id)
{
    int a, b, c, d;

    await aw_all(a = fetch(id), b = other(id));
    await aw_all(c = fetch(a), d = other(b));
    return c + d;
}

async int first_of_two(int id)
{
    int a = 0, b = 0;

    switch (await aw_race(a = fetch(id), b = other(id))) {
    case 0:
        return a;
    default:
        return b;
    }
}

/* The effects of functions without arguments may be an order. */
async int steps(void)
{
    (void)await setup();
    return await run_all();
}

/* A callee that never waits adds nothing. */
struct file {
    int64_t size;
};
struct ops {
    async int64_t (*size)(struct file *f);
};
static async int64_t cached_size(struct file *f)
{
    return f->size;
}
const struct ops ram = {cached_size};
async int64_t known(struct file *f, int id)
{
    int x = await fetch(id);

    return x + await cached_size(f);
}

/* The second one is for what a spawned task does meanwhile. */
async int background(int id)
{
    int a = await fetch(id);

    spawn(warm("cache"));
    int b = await other(id);
    return a + b;
}

/* A single one. */
async int one(int id)
{
    return await fetch(id) + 1;
}

/* A resource is taken between, with its clean-up. */
async int two_files(const char *a, const char *b)
{
    int x = await aw_tcp_connect(a, 1);
    defer
    {
        aw_close(x);
    }
    int y = await aw_tcp_connect(b, 2);
    defer
    {
        aw_close(y);
    }
    return x + y;
}

/* A step of the protocol for one thing. */
async void create_account(int id);
async int enable_account(int id);
async int provision(int id)
{
    await create_account(id);
    return await enable_account(id);
}

/* Effects between that others wait for. */
void notify_ready(void);
async int announced(int id)
{
    int a = await fetch(id);

    notify_ready();
    int b = await other(id);
    return a + b;
}
