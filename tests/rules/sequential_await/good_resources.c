#include <awaitc.h>
#include <pthread.h>

struct conn {
    int fd;
    char in[64];
    unsigned len;
};
struct db;
struct pool {
    struct db *db;
    int used;
};
async int send_header(struct conn *c);
async int send_body(struct conn *c, const char *text);
async int flush_out(int out_fd);
async int db_get(struct db *db, int key, int *out);
async int begin_tx(int fd);
async int commit_tx(int fd);
async int ping_peer(int id);
async int fetch(int id);

/* One object. */
async int respond(struct conn *c)
{
    int a = await send_header(c);
    int b = await send_body(c, "hello");

    return a < 0 ? a : b;
}

/* One object, once as itself and once by its descriptor. */
async ssize_t part_and_whole(struct conn *c)
{
    int a = await send_header(c);
    ssize_t n = await aw_read(c->fd, c->in, sizeof c->in);

    return a + n;
}

/* One connection to the database. */
async int two_keys(struct db *db)
{
    int x = 0, y = 0;
    int a = await db_get(db, 1, &x);
    int b = await db_get(db, 2, &y);

    return a + b + x + y;
}

async int two_keys_by_pool(struct pool *p)
{
    int x = 0, y = 0;
    struct db *db = p->db;
    int a = await db_get(db, 1, &x);
    int b = await db_get(p->db, 2, &y);

    return a + b + x + y;
}

/* One descriptor. */
async int two_lines(int fd)
{
    ssize_t a = await aw_write_all(fd, "a\n", 2);
    ssize_t b = await aw_write_all(fd, "b\n", 2);

    return a < 0 || b < 0 ? -1 : 0;
}

async int transaction(int fd)
{
    int a = await begin_tx(fd);
    int b = await commit_tx(fd);

    return a < 0 ? a : b;
}

/* A parameter that reaches a descriptor's leaf, whatever it is called. */
static async int put_line(int to, const char *text)
{
    return (int)await aw_write_all(to, text, 5);
}
async int two_puts(int where)
{
    int a = await put_line(where, "one..");
    int b = await put_line(where, "two..");

    return a < 0 ? a : b;
}

/* Standard output is a descriptor like any other. */
async int to_stdout(void)
{
    ssize_t a = await aw_write_all(1, "a", 1);
    ssize_t b = await aw_write_all(1, "b", 1);

    return a < 0 || b < 0 ? -1 : 0;
}

/* A request and its reply, on two pipes. */
async ssize_t ask_child(int to_child, int from_child, char *answer)
{
    ssize_t a = await aw_write_all(to_child, "?", 1);
    ssize_t n = await aw_read(from_child, answer, 64);

    return a < 0 ? a : n;
}

/* A lock between, or around. */
async int locked(pthread_mutex_t *m, int *shared)
{
    int x = await fetch(1);

    pthread_mutex_lock(m);
    *shared += x;
    pthread_mutex_unlock(m);
    return await fetch(2);
}

/* A pause between. */
async int paced(void)
{
    int a = await ping_peer(1);

    await aw_sleep_ms(100);
    int b = await ping_peer(2);
    return a + b;
}

async int fair(void)
{
    int a = await ping_peer(1);

    await aw_yield();
    return a + await ping_peer(2);
}

/* Both tasks run already. */
async int joined(void)
{
    int x = 0, y = 0;
    aw_task *a = spawn(fetch(1)), *b = spawn(fetch(2));
    int rc = await aw_join(a, &x);
    int other = await aw_join(b, &y);

    return rc + other + x + y;
}

/* Measured one by one. */
async uint64_t measured(void)
{
    uint64_t start = aw_now();
    int a = await ping_peer(1);
    uint64_t middle = aw_now();
    int b = await ping_peer(2);

    return a + b > 0 ? middle - start : aw_now() - middle;
}
