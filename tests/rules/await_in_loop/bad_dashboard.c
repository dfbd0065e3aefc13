#include <awaitc.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct weather { int temp, wind; };
struct stock { char sym[8]; long price; };
struct dash { struct weather w; struct stock s[3]; int unread; };
async int get_weather(const char *city, struct weather *out);
async int get_price(const char *sym, long *out);
async int get_unread(const char *user);
async char *read_config(const char *path);
async bool verify(const char *sig);
async double rate(const char *from, const char *to);

async int dashboard(struct dash *d, const char *user)
{
    int a = await get_weather("Oslo", &d->w);
    int b = await get_price("ACME", &d->s[0].price); // EXPECT: awaitc-sequential-await
    d->unread = await get_unread(user);
    return a < 0 || b < 0 ? -1 : 0;
}
async int load_configs(char **sys, char **user)
{
    *sys = await read_config("/etc/x.conf");
    *user = await read_config("~/.x.conf"); // EXPECT: awaitc-sequential-await
    return *sys && *user ? 0 : -1;
}
async bool verify_both(const char *a, const char *b)
{
    bool x = await verify(a);
    bool y = await verify(b); // EXPECT: awaitc-sequential-await
    return x && y;
}
async double cross(void)
{
    double eur = await rate("USD", "EUR");
    double yen = await rate("USD", "JPY"); // EXPECT: awaitc-sequential-await
    return yen / eur;
}
struct replica { int fd; unsigned long lag; };
async unsigned long replica_lag(struct replica *r);
async unsigned long worst(struct replica *a, struct replica *b)
{
    unsigned long x = await replica_lag(a), y = await replica_lag(b); // EXPECT: awaitc-sequential-await
    return x > y ? x : y;
}
async void close_conn(struct replica *r);
async void close_both(struct replica *a, struct replica *b)
{
    await close_conn(a);
    await close_conn(b); // EXPECT: awaitc-sequential-await
}
async ssize_t log_and_metrics(int log_fd, int metrics_fd, const char *l, const char *m)
{
    ssize_t a = await aw_write(log_fd, l, strlen(l));
    ssize_t b = await aw_write(metrics_fd, m, strlen(m)); // EXPECT: awaitc-sequential-await
    return a < b ? a : b;
}
async int prices(struct dash *d)
{
    for (size_t i = 0; i < 3; i++) {
        int rc = await get_price(d->s[i].sym, &d->s[i].price); // EXPECT: awaitc-await-in-loop
        if (rc != 0)
            return rc;
    }
    return 0;
}
async int verify_all(const char *const *sigs, size_t n)
{
    int bad = 0;
    for (size_t i = 0; i < n; i++)
        if (!await verify(sigs[i])) // EXPECT: awaitc-await-in-loop
            bad++;
    return bad;
}
async bool all_valid(const char *const *sigs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!await verify(sigs[i])) // EXPECT: awaitc-await-in-loop
            return false;
    }
    return true;
}
async long files(const char **names)
{
    long total = 0;
    for (const char **p = names; *p != NULL; p++) {
        char *c = await read_config(*p); // EXPECT: awaitc-await-in-loop
        if (c == NULL)
            return -1;
        total += (long)strlen(c);
    }
    return total;
}
async void close_all(struct replica *r, int n)
{
    while (n-- > 0)
        await close_conn(&r[n]); // EXPECT: awaitc-await-in-loop
}
async int connect_all(const char *const hosts[], int *fds, int n)
{
    int rc = 0;
    for (int i = 0; i < n; ++i) {
        fds[i] = await aw_tcp_connect(hosts[i], 5000); // EXPECT: awaitc-await-in-loop
        if (fds[i] < 0) {
            rc = fds[i];
            goto fail;
        }
    }
    return 0;
fail:
    return rc;
}
enum kind { K_A, K_B };
struct task { enum kind kind; int id; int result; };
async int run_a(int id);
async int run_b(int id);
async int run_tasks(struct task *t, size_t n)
{
    size_t i = 0;
    for (; i < n; i++) {
        struct task *cur = t + i;
        cur->result = cur->kind == K_A ? await run_a(cur->id) : await run_b(cur->id); // EXPECT: awaitc-await-in-loop
    }
    return 0;
}
async int max_lag(struct replica *const *rs, int n)
{
    unsigned long max = 0;
    for (int i = 0; i < n; i++) {
        unsigned long l = await replica_lag(rs[i]); // EXPECT: awaitc-await-in-loop
        max = l > max ? l : max;
    }
    return (int)max;
}
struct list { struct list *next; struct replica r; };
async unsigned long lag_of_list(struct list *head)
{
    unsigned long sum = 0;
    struct list *it = head;
    while (it != NULL) {
        sum += await replica_lag(&it->r); // EXPECT: awaitc-await-in-loop
        it = it->next;
    }
    return sum;
}
async int notify_all(const int *subs, int n, const char *msg)
{
    int failed = 0;
    for (int i = 0; i < n; i++) {
        ssize_t k = await aw_write_all(subs[i], msg, strlen(msg)); // EXPECT: awaitc-await-in-loop
        if (k < 0) {
            failed++;
            continue;
        }
    }
    return failed;
}
async int stat_one(const char *path, long *size);
async long tree_size(const char *const *paths, int n)
{
    long total = 0;
    for (int i = 0; i < n; i++) {
        long size = 0;
        if (await stat_one(paths[i], &size) == 0) // EXPECT: awaitc-await-in-loop
            total += size;
    }
    return total;
}
