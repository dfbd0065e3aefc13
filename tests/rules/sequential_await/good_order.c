#include <awaitc.h>

struct status;
struct light;
async void set_status(struct status *s, int state);
async void light_on(struct light *l);
async void light_wait(struct light *l);
async int fetch(int id);
async int fetch_other(int id);
async void trace_event(const char *what);
async void warm_up(int kind);
async int measure(int kind);

/* Enclosed by two that belong together. */
async int bracketed(struct status *s, int id)
{
    await set_status(s, 1);
    int x = await fetch(id);
    await set_status(s, 0);
    return x;
}
async int traced(int id)
{
    await trace_event("begin");
    int x = await fetch(id);
    await trace_event("end");
    return x;
}

/* A function that only waits for its turn is a pause. */
static async void nap(uint64_t ms)
{
    await aw_yield();
    await aw_sleep_ms(ms);
}
async int rested(int id)
{
    int a = await fetch(id);

    await nap(5);
    return a + await fetch_other(id);
}
async int gated(struct light *l, int id)
{
    await light_wait(l);
    return 1 + await fetch(id);
}

/* A step that prepares the same thing. */
async void prepare_kind(int kind);
async int prepared(int kind)
{
    await prepare_kind(kind);
    return 1 + await measure(kind);
}

/* Two effects of which nothing is known. */
async void enable_motor(int on);
async void open_valve(int percent);
async void machine(void)
{
    await enable_motor(1);
    await open_valve(40);
}

/* A static of the callee carries the order. */
static async int next_number(int step)
{
    static int last;

    await aw_yield();
    last += step;
    return last;
}
async int two_numbers(void)
{
    int a = await next_number(1);
    int b = await next_number(2);

    return a * 10 + b;
}

/* A module's name in front makes no two of a kind. */
async int tx_begin(int id);
async void tx_commit(int id);
async int db_create(int id);
async void db_enable(int id);
async int transaction(int id)
{
    int rc = await tx_begin(id);

    await tx_commit(id);
    return rc;
}
async int created(int id)
{
    int rc = await db_create(id);

    await db_enable(id);
    return rc;
}
