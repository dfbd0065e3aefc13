#include <awaitc.h>
#include <string.h>

struct user {
    int id, quota;
    char name[32];
};
struct blob {
    char *data;
    size_t len;
};
async int login(const char *name);
async int fetch_quota(int id);
async int fetch_name(int id, char *out);
async int send_greeting(const char *name);
async int load(const char *path, struct blob *out);
async int store_copy(const struct blob *b);

/* The second one's argument is the first one's result. */
async int chain(const char *name)
{
    int id = await login(name);
    int quota = await fetch_quota(id);

    return quota;
}

/* ... through arithmetic and another variable. */
async int computed(const char *name)
{
    int id = await login(name);
    int shifted = id << 4 | 1;
    int quota = await fetch_quota(shifted);

    return quota;
}

/* ... through an out-parameter. */
async int by_pointer(int id)
{
    char name[32];

    (void)await fetch_name(id, name);
    return await send_greeting(name);
}

/* ... through a field. */
async int by_field(struct user *u, const char *name)
{
    u->id = await login(name);
    u->quota = await fetch_quota(u->id);
    return u->quota;
}

/* ... through an alias of the object. */
async int by_alias(struct blob *b)
{
    struct blob *same = b;

    (void)await load("/in", b);
    return await store_copy(same);
}

/* ... as the argument itself. */
async int nested(const char *name)
{
    return await fetch_quota(await login(name));
}

/* What the first one still reads must not be changed before it is done. */
struct message {
    int kind;
    char text[16];
};
async int post(const struct message *m);
async int two_messages(void)
{
    struct message m = {1, "one"};
    int a = await post(&m);

    m.kind = 2;
    strcpy(m.text, "two");
    int b = await post(&m);
    return a + b;
}

/* One buffer for both. */
async ssize_t through_one_buffer(int a_fd, int b_fd, char *buf)
{
    ssize_t n = await aw_read(a_fd, buf, 64);
    ssize_t m = await aw_read(b_fd, buf, 64);

    return n + m;
}

/* A copy: what was read is written. */
async ssize_t copy(int from, int to)
{
    char buf[256];
    ssize_t n = await aw_read(from, buf, sizeof buf);

    return await aw_write_all(to, buf, (size_t)n);
}

/* A loop counts what came, the next await needs the count. */
async int count_zeros(int fd, int out_fd, char *buf)
{
    ssize_t n = await aw_read(fd, buf, 64);
    size_t zeros = 0;

    for (ssize_t i = 0; i < n; i++)
        zeros += buf[i] == 0;
    return (int)await aw_write_all(out_fd, "0000000000", zeros);
}

/* A global carries the result. */
static int session;
async int open_session(const char *name)
{
    await aw_sleep_ms(1);
    session = name[0];
    return session;
}
async int use_session(int key)
{
    await aw_sleep_ms(1);
    return session + key;
}
async int by_global(void)
{
    int a = await open_session("root");
    int b = await use_session(7);

    return a + b;
}
