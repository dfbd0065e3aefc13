#include <awaitc.h>

struct conn {
    int fd;
    async int (*close)(struct conn *c);
};
async int fetch(int id);
async int conn_flush(struct conn *c);

int called(int id)
{
    return fetch(id); // EXPECT: awaitc-async-from-sync
}

void dropped(struct conn *c)
{
    conn_flush(c); // EXPECT: awaitc-async-from-sync
}

int awaited(int id)
{
    int x = await fetch(id); // EXPECT: awaitc-async-from-sync

    return x;
}

static void by_pointer(struct conn *c)
{
    c->close(c); // EXPECT: awaitc-async-from-sync
}

int form(int id)
{
    int a = 0, b = 0;

    aw_all(a = fetch(id), b = fetch(2)); // EXPECT: awaitc-async-from-sync
    return a + b;
}

void leaf(void)
{
    aw_sleep_ms(10); // EXPECT: awaitc-async-from-sync
}

void on_timer(void *arg)
{
    struct conn *c = arg;

    if (conn_flush(c) < 0) // EXPECT: awaitc-async-from-sync
        by_pointer(c);
}
