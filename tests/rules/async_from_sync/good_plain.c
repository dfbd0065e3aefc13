#include <awaitc.h>
#include <stddef.h>

struct conn {
    int fd;
    async int (*close)(struct conn *c);
};
async int fetch(int id);
async int conn_close(struct conn *c);
typedef async int (*handler)(int);
void set_handler(handler h);

int driven(int id)
{
    return aw_block_on(fetch(id));
}
int on_runtime(aw_runtime *rt, int id)
{
    return aw_runtime_block_on(rt, fetch(id));
}
int started(int id)
{
    return spawn(fetch(id)) == NULL ? -1 : 0;
}
int started_on(aw_runtime *rt, int id)
{
    aw_task *t = aw_spawn_on(rt, fetch(id));

    aw_detach(t);
    return t != NULL;
}
void named(struct conn *c)
{
    c->close = conn_close;
    set_handler(fetch);
}
size_t unevaluated(void)
{
    return sizeof(fetch(1));
}
int plain(int x)
{
    return x;
}
int calls_plain(int x)
{
    return plain(x) + aw_close(x);
}
async int awaited(int id)
{
    return await fetch(id) + calls_plain(id);
}
void both(struct conn *c)
{
    if (c->close == conn_close)
        named(c);
}
