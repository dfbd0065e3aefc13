#include <awaitc.h>

struct user {
    int id, quota, mail;
};
async int fetch_quota(int id);
async int fetch_mail(int id);
async long count_rows(const char *table);
async int probe(const char *host, uint16_t port);

/* Into locals, added up later. */
async long total(void)
{
    long users = await count_rows("users");
    long orders = await count_rows("orders"); // EXPECT: awaitc-sequential-await

    return users + orders;
}

/* Three of a kind are one finding. */
async int three(int id)
{
    int a = await fetch_quota(id);
    int b = await fetch_quota(id + 1); // EXPECT: awaitc-sequential-await
    int c = await fetch_quota(id + 2);

    return a + b + c;
}

/* Into fields of one object. */
async int fill(struct user *u)
{
    u->quota = await fetch_quota(u->id);
    u->mail = await fetch_mail(u->id); // EXPECT: awaitc-sequential-await
    return 0;
}

/* Both in one expression. */
async long difference(void)
{
    return await count_rows("in") - await count_rows("out"); // EXPECT: awaitc-sequential-await
}

/* As arguments of one call. */
int pick(int a, int b);
async int best(void)
{
    return pick(await probe("a.example", 80), await probe("b.example", 80)); // EXPECT: awaitc-sequential-await
}

/* The first result is used, but not by the second await; arithmetic stands between. */
async int scaled(int id)
{
    int quota = await fetch_quota(id);
    int percent = quota * 100 / 4096;
    int mail = await fetch_mail(id); // EXPECT: awaitc-sequential-await

    return percent + mail;
}

/* Errors are looked at when both are there. */
async int both(int id)
{
    int quota = await fetch_quota(id);
    int mail = await fetch_mail(id); // EXPECT: awaitc-sequential-await

    if (quota < 0 || mail < 0)
        return -1;
    return quota + mail;
}

/* The second one is returned. */
async int last(int id, int *quota)
{
    *quota = await fetch_quota(id);
    return await fetch_mail(id); // EXPECT: awaitc-sequential-await
}

/* The same variable serves twice; what it held was used. */
async long reused(void)
{
    long n, sum = 0;

    n = await count_rows("users");
    sum += n;
    n = await count_rows("orders"); // EXPECT: awaitc-sequential-await
    sum += n;
    return sum;
}
