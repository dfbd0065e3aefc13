#include <awaitc.h>
#include <stddef.h>

struct dev {
    async int (*reset)(struct dev *d);
};
async int fetch(int id);
async int dev_down(struct dev *d);
async void work(int id);
int plain(int id);
typedef async int (*handler)(int);
void set_handler(handler h);

async int awaited(int id)
{
    return 1 + await fetch(id);
}
async int in_parentheses(int id)
{
    return 2 * await(fetch(id));
}
async int by_pointer(struct dev *d, handler h)
{
    int rc = await d->reset(d);

    if (rc < 0)
        rc = await h(1);
    return rc == 0 ? 0 : await(*h)(2);
}
async int branches(int id)
{
    int a, b;

    await aw_all(a = fetch(id), b = fetch(id + 1));
    int rc = await aw_try_all(a = fetch(id), b = fetch(id + 1));
    int late = await aw_timeout(10, a = fetch(id));
    int which = await aw_race(a = fetch(id), aw_sleep_ms(5));

    return a + b + rc + late + which;
}
async int nested(int id)
{
    int a, b;

    return await aw_timeout(500, a = aw_try_all(a = fetch(id), b = fetch(id + 1)));
}
async int driven(int id)
{
    spawn(work(id));
    spawn(fetch(id));
    return await fetch(id);
}
int from_plain(int id)
{
    return aw_block_on(fetch(id));
}
async int unevaluated(int id)
{
    return (int)sizeof(fetch(id)) + await fetch(id);
}
typeof(fetch(1)) result;

async int as_value(void)
{
    handler h = fetch;

    set_handler(fetch);
    return await h(1);
}
async int plain_calls(int id)
{
    plain(id);
    return await aw_blocking(plain(id));
}
async int scoped(int n)
{
    aw_scope s;

    aw_scope_init(&s, 4);
    for (int i = 0; i < n; i++)
        await aw_scope_spawn(&s, fetch(i));
    return await aw_scope_wait(&s);
}
