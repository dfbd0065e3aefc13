#include <awaitc.h>

struct req {
    int id, fd;
};
struct ops {
    async int (*get)(int id, char *out);
};
async int fetch(int id, char *out);
async int fetch_with(int id, char *out, int flags);
async long fetch_long(int id, char *out);
async int fetch_const(int id, const char *out);
async void notify(struct req *r);

/* Another order, another number of arguments, a constant. */
async int with_default(int id, char *out)
{
    return await fetch_with(id, out, 0);
}
async int turned(char *out, int id)
{
    return await fetch(id, out);
}
async int offset(int id, char *out)
{
    return await fetch(id + 1, out);
}
async ssize_t of_object(struct req *r, char *out)
{
    return await aw_read(r->fd, out, 16);
}

/* Another type. */
async int narrower(int id, char *out)
{
    return (int)await fetch_long(id, out);
}
async long wider(int id, char *out)
{
    return await fetch(id, out);
}
async int converted(int id, char *out)
{
    return await fetch_const(id, out);
}

/* Something is done before or after. */
async int counted(int id, char *out)
{
    static int calls;

    calls++;
    return await fetch(id, out);
}
async int checked(int id, char *out)
{
    int rc = await fetch(id, out);

    return rc < 0 ? -1 : rc;
}
async int negated(int id, char *out)
{
    return -await fetch(id, out);
}
async int tells(struct req *r)
{
    await notify(r);
    return 0;
}

/* The address is taken: a table needs a function of this name. */
static async int net_get(int id, char *out)
{
    return await fetch(id, out);
}
const struct ops net = {.get = net_get};

/* Through a pointer. */
async int dispatch(struct ops *o, int id, char *out)
{
    return await o->get(id, out);
}

/* One of two. */
async int chosen(int id, char *out)
{
    return id > 0 ? await fetch(id, out) : -1;
}
async int limited(int id, char *out)
{
    int rc = 0;

    return await aw_timeout(100, rc = fetch(id, out)) != 0 ? -1 : rc;
}
int parse(int id, char *out);
async int on_pool(int id, char *out)
{
    return await aw_blocking(parse(id, out));
}
