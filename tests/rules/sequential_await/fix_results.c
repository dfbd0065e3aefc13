#include <awaitc.h>

struct user {
    int quota, mail;
};
async int fetch_quota(int id);
async int fetch_mail(int id);
async void query(const char *name, int *out);

async int load(struct user *u, int id)
{
    u->quota = await fetch_quota(id);
    u->mail = await fetch_mail(id); // EXPECT: awaitc-sequential-await
    return 0;
}

async int sum(int id)
{
    int a = await fetch_quota(id);
    int b = await fetch_mail(id); // EXPECT: awaitc-sequential-await

    return a + b;
}

async int both(int *x, int *y)
{
    await query("a", x);
    await query("b", y); // EXPECT: awaitc-sequential-await
    return *x + *y;
}
