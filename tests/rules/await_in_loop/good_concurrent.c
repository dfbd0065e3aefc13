#include <awaitc.h>

struct item {
    int id, value;
};
async int fetch(int id);
async int work(struct item *it);
long tiny(long x);

/* A scope. */
async int fan_out(struct item *items, int n)
{
    aw_scope s;

    aw_scope_init(&s, 8);
    for (int i = 0; i < n; i++)
        await aw_scope_spawn(&s, work(&items[i]));
    return await aw_scope_wait(&s);
}

/* Some at a time. */
async long by_four(const int *ids, int n)
{
    long sum = 0;

    for (int i = 0; i + 3 < n; i += 4) {
        int a, b, c, d;

        await aw_all(a = fetch(ids[i]), b = fetch(ids[i + 1]), c = fetch(ids[i + 2]),
                     d = fetch(ids[i + 3]));
        sum += a + b + c + d;
    }
    return sum;
}

/* Waiting for what runs already. */
async int join_all(aw_task **tasks, int n)
{
    int failed = 0;

    for (int i = 0; i < n; i++) {
        int rc = 0;

        if (await aw_join(tasks[i], &rc) != 0 || rc < 0)
            failed++;
    }
    return failed;
}

/* No await in it. */
async long after(const long *x, int n)
{
    long sum = 0;

    for (int i = 0; i < n; i++)
        sum += tiny(x[i]);
    return sum + await fetch(1);
}

/* An await in the head is waited for once. */
async long bounded_by(const long *x)
{
    long sum = 0;

    for (int i = 0, n = await fetch(1); i < n; i++)
        sum += tiny(x[i]);
    return sum;
}

/* A callee that never waits. */
struct ops {
    async int (*get)(int i);
};
static async int constant(int i)
{
    return i;
}
const struct ops constants = {constant};
async long constants_of(int n)
{
    long sum = await fetch(n);

    for (int i = 0; i < n; i++)
        sum += await constant(i);
    return sum;
}
