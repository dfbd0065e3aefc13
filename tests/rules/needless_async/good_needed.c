#include <awaitc.h>
#include <fcntl.h>
#include <unistd.h>

struct ops {
    async int (*open)(const char *name);
    async int (*flush)(void);
};
async int fetch(int id);
async void on_event(int kind);
typedef async int (*handler)(int);
void set_handler(handler h);

/* In a table. */
static async int ram_open(const char *name)
{
    return name[0];
}
static async int ram_flush(void)
{
    return 0;
}
const struct ops ram = {ram_open, ram_flush};
const struct ops named = {.flush = ram_flush};

/* Given away as a pointer. */
static async int ignore(int kind)
{
    return kind;
}
void install(void)
{
    set_handler(ignore);
}

/* Assigned in a function. */
static async int quiet(void)
{
    return 0;
}
void silence(struct ops *o)
{
    o->flush = quiet;
}

/* Started as a task, or as a branch: it has to be async. */
static async int constant(int x)
{
    return x * 2;
}
async int branches(int id)
{
    int a, b;

    await aw_all(a = constant(id), b = fetch(id));
    return a + b;
}
static async void mark(int *done)
{
    *done = 1;
}
async int started(int *done)
{
    spawn(mark(done));
    return await fetch(1);
}
static async int in_scope(int x)
{
    return x;
}
async int scoped(void)
{
    aw_scope s;

    aw_scope_init(&s, 2);
    await aw_scope_spawn(&s, in_scope(1));
    await aw_scope_spawn(&s, fetch(2));
    return await aw_scope_wait(&s);
}
static async int driven(int x)
{
    return x + 1;
}
int from_plain(void)
{
    return aw_block_on(driven(1));
}

/* It awaits, by any form. */
async int waits(int id)
{
    return await fetch(id) + 1;
}
async void waits_by_form(int id)
{
    int a, b;

    await aw_all(a = fetch(id), b = fetch(id + 1));
    (void)a;
    (void)b;
}
int work(int x);
async int waits_for_pool(int x)
{
    return await aw_blocking(work(x));
}
async int waits_in_branch(int x)
{
    if (x > 0)
        return 0;
    return await fetch(x);
}
async int waits_in_macro(int x)
{
#define GET(n) (await fetch(n))
    return GET(x) + 1;
}
async void pauses(void)
{
    await aw_yield();
    await aw_sleep_ms(1);
}

/* A plain function need not be async. */
int plain(int x)
{
    return x;
}
