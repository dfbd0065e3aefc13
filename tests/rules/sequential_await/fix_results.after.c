#include <awaitc.h>

struct user {
    int quota, mail;
};
async int fetch_quota(int id);
async int fetch_mail(int id);
async void query(const char *name, int *out);

async int load(struct user *u, int id)
{
    await aw_all(u->quota = fetch_quota(id), u->mail = fetch_mail(id)); // EXPECT: awaitc-sequential-await
    return 0;
}

async int sum(int id)
{
    int a;
    int b;
    await aw_all(a = fetch_quota(id), b = fetch_mail(id)); // EXPECT: awaitc-sequential-await

    return a + b;
}

async int both(int *x, int *y)
{
    await aw_all(query("a", x), query("b", y)); // EXPECT: awaitc-sequential-await
    return *x + *y;
}
