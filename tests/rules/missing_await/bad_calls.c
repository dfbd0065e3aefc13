#include <awaitc.h>

struct dev {
    int up;
    async int (*reset)(struct dev *d);
};
async int dev_down(struct dev *d);
async int dev_up(struct dev *d, const char *name);
async int fetch(int id);
async struct dev *find(int id);
typedef async int (*handler)(int);

async int forgotten(struct dev *d)
{
    dev_down(d); // EXPECT: awaitc-missing-await
    return await dev_up(d, "a");
}

async int kept(int id)
{
    int x = fetch(id); // EXPECT: awaitc-missing-await

    return x + await fetch(1);
}

async int returned(int id)
{
    if (id == 0)
        return await fetch(id);
    return fetch(id); // EXPECT: awaitc-missing-await
}

async int tested(int id)
{
    if (fetch(id) < 0) // EXPECT: awaitc-missing-await
        return -1;
    return await fetch(id);
}

async int as_argument(int id)
{
    return await fetch(fetch(id)); // EXPECT: awaitc-missing-await
}

async int by_pointer(struct dev *d, handler h)
{
    d->reset(d); // EXPECT: awaitc-missing-await
    int x = h(1); // EXPECT: awaitc-missing-await

    return x + await h(2);
}

async int leaf(int fd, char *buf)
{
    aw_sleep_ms(5); // EXPECT: awaitc-missing-await
    return (int)await aw_read(fd, buf, 16);
}

async int member(int id)
{
    int up = find(id)->up; // EXPECT: awaitc-missing-await

    return up + await fetch(id);
}

async int in_void(int id)
{
    (void)fetch(id); // EXPECT: awaitc-missing-await
    return await fetch(id);
}

async int form(int id)
{
    int a = 0, b = 0;

    aw_all(a = fetch(id), b = fetch(id + 1)); // EXPECT: awaitc-missing-await
    return a + b + await fetch(2);
}

async int argument_of_spawn(int id)
{
    spawn(fetch(fetch(id))); // EXPECT: awaitc-missing-await
    return await fetch(id);
}

async int in_loop(const int *ids, int n)
{
    for (int i = 0; i < n; i++)
        fetch(ids[i]); // EXPECT: awaitc-missing-await
    return await fetch(0);
}
