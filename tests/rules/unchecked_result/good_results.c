#include <awaitc.h>
#include <stdbool.h>

struct store;
async int store_put(struct store *s, int key);
async void store_sync(struct store *s);
async struct store *store_open(const char *name);
async unsigned store_count(struct store *s);
async bool store_has(struct store *s, int key);
async double store_load(struct store *s);
void *work(struct store *s);

async int tested(struct store *s)
{
    if (await store_put(s, 1) < 0)
        return -1;
    int rc = await store_put(s, 2);

    return rc < 0 ? rc : await store_put(s, 3);
}
async void meant(struct store *s)
{
    (void)await store_put(s, 1);
    await aw_yield();
    (void)await aw_write(1, "x", 1);
}
async void no_integer(void)
{
    await store_open("x");
    await aw_yield();
}
async void cannot_fail(struct store *s)
{
    await store_sync(s);
    await aw_yield();
    await aw_sleep_ms(1);
    await aw_sleep_until(0);
    await aw_park();
}
async void no_integers(struct store *s)
{
    await store_count(s);
    await store_has(s, 1);
    await store_load(s);
    await aw_blocking(work(s));
}
async int plain_branches(struct store *a, struct store *b)
{
    await aw_all(store_put(a, 1), store_put(b, 1));
    return 0;
}
async int used(struct store *s)
{
    int sum = 0;

    sum += await store_put(s, 1);
    sum = sum * 2 + await store_put(s, sum);
    return sum;
}
static async int always_ready(int x)
{
    await aw_sleep_ms(1);
    return x > 3 ? 1 : 0;
}
static async int counter(const int *x)
{
    await aw_yield();
    return *x;
}
async void bodies(int x)
{
    await always_ready(x);
    await aw_yield();
    await counter(&x);
}
async int tasks(struct store *s)
{
    aw_task *t = spawn(store_put(s, 1));

    await aw_join(t, NULL);
    aw_scope scope;
    aw_scope_init(&scope, 4);
    for (int i = 0; i < 4; i++)
        await aw_scope_spawn(&scope, always_ready(i));
    await aw_scope_wait(&scope);
    return 0;
}
async int race(struct store *s)
{
    int n = 0;

    await aw_race(n = store_put(s, 1), aw_sleep_ms(5));
    return n;
}
async int as_value(struct store *s)
{
    return ({
        (void)0;
        await store_put(s, 1);
    });
}
