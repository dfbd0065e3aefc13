#include <awaitc.h>
#include <stdbool.h>

struct host {
    char name[64];
    int up, latency;
};
struct item {
    int id, value;
};
async int fetch(int id);
async int ping(const char *name);
async void refresh(struct item *it);
async bool is_up(const char *name);
async int update(struct host *h);

/* Results add up. */
async long total(const int *ids, int n)
{
    long sum = 0;

    for (int i = 0; i < n; i++)
        sum += await fetch(ids[i]); // EXPECT: awaitc-await-in-loop
    return sum;
}

/* Each into its own place. */
async void all_values(struct item *items, int n)
{
    for (int i = 0; i < n; i++)
        items[i].value = await fetch(items[i].id); // EXPECT: awaitc-await-in-loop
}

async void into_array(int *out, const int *ids, int n)
{
    int i = 0;

    while (i < n) {
        out[i] = await fetch(ids[i]); // EXPECT: awaitc-await-in-loop
        i++;
    }
}

/* Objects of an array. */
async void refresh_all(struct item *items, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        await refresh(&items[i]); // EXPECT: awaitc-await-in-loop
}

/* Leaving on failure is no early exit. */
async int ping_all(struct host *hosts, int n)
{
    for (int i = 0; i < n; i++) {
        int rc = await ping(hosts[i].name); // EXPECT: awaitc-await-in-loop

        if (rc < 0)
            return rc;
    }
    return 0;
}

async int update_all(struct host *hosts, int n)
{
    int rc = 0;

    for (int i = 0; i < n && rc == 0; i++)
        rc = await update(&hosts[i]); // EXPECT: awaitc-await-in-loop
    return rc;
}

/* Counting what came. */
async int count_up(const struct host *hosts, int n)
{
    int up = 0;

    for (int i = 0; i < n; i++) {
        if (await is_up(hosts[i].name)) // EXPECT: awaitc-await-in-loop
            up++;
    }
    return up;
}

/* Two awaits a round, the second needs the first. */
async int find_latency(const char *name);
async void measure_all(struct host *hosts, int n)
{
    for (int i = 0; i < n; i++) {
        int up = await is_up(hosts[i].name); // EXPECT: awaitc-await-in-loop

        if (!up)
            continue;
        hosts[i].latency = await find_latency(hosts[i].name);
    }
}

/* The largest one. */
async int largest(const int *ids, int n)
{
    int max = 0;

    for (int i = 0; i < n; i++) {
        int v = await fetch(ids[i]); // EXPECT: awaitc-await-in-loop

        if (v > max)
            max = v;
    }
    return max;
}

/* Several in one round, all independent: the loop is the finding. */
async void pairs(int *a, int *b, const int *ids, int n)
{
    for (int i = 0; i < n; i++) {
        a[i] = await fetch(ids[i]); // EXPECT: awaitc-await-in-loop
        b[i] = await fetch(ids[i] + 1);
    }
}
