#include <awaitc.h>

struct store;
async int store_put(struct store *s, int key);
async ssize_t push(int fd, const char *text);
async int64_t position(int fd);
int flush_blocks(struct store *s);

async int leaf(int fd)
{
    await aw_write(fd, "x", 1); // EXPECT: awaitc-unchecked-result
    return 0;
}

async int user_function(struct store *s)
{
    await store_put(s, 1); // EXPECT: awaitc-unchecked-result
    return 0;
}

async int wide_results(int fd)
{
    await push(fd, "x"); // EXPECT: awaitc-unchecked-result
    await position(fd); // EXPECT: awaitc-unchecked-result
    return 0;
}

async int in_branch(struct store *s, int key)
{
    if (key > 0)
        await store_put(s, key); // EXPECT: awaitc-unchecked-result
    return 0;
}

async void by_comma(struct store *s, int key)
{
    key > 0 ? await store_put(s, key) : 0; // EXPECT: awaitc-unchecked-result
}

async void forms(struct store *s, int id)
{
    int a = 0, b = 0;

    await aw_try_all(a = store_put(s, id), b = position(id)); // EXPECT: awaitc-unchecked-result
    await aw_timeout(50, a = store_put(s, a + b)); // EXPECT: awaitc-unchecked-result
}

async int connect_only(const char *host)
{
    await aw_tcp_connect(host, 80); // EXPECT: awaitc-unchecked-result
    return 0;
}

/* It fails as its body shows. */
static async int try_twice(struct store *s)
{
    int rc = await store_put(s, 1);

    if (rc < 0)
        rc = await store_put(s, 2);
    return rc;
}
static async int refuse(int key)
{
    await aw_sleep_ms(1);
    return key < 0 ? -EINVAL : key;
}
async void bodies(struct store *s, int key)
{
    if (key > 3)
        await try_twice(s); // EXPECT: awaitc-unchecked-result
    else
        await refuse(1); // EXPECT: awaitc-unchecked-result
}

/* The task's outcome, of which a result is expected. */
async int join_dropped(struct store *s)
{
    int x = 0;
    aw_task *t = spawn(store_put(s, 1));

    await aw_join(t, &x); // EXPECT: awaitc-unchecked-result
    return x;
}

async int by_pointer(async int (*put)(int), int key)
{
    await put(key); // EXPECT: awaitc-unchecked-result
    return key;
}
