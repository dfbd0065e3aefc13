#include <awaitc.h>

struct addr {
    unsigned char b[16];
    int ok;
};
struct config {
    struct addr primary, backup;
    struct addr peers[4];
};
struct page {
    char text[4096];
    int len;
};
async void query(const char *name, int type, struct addr *out);
async int load_page(const char *url, struct page *out);
async int refresh(struct addr *a);

/* Out-parameters of different objects. */
async int two_pages(struct page *left, struct page *right)
{
    int a = await load_page("/left", left);
    int b = await load_page("/right", right); // EXPECT: awaitc-sequential-await

    return a < 0 ? a : b;
}

/* Different fields of one object. */
async void fields(struct config *c, const char *name)
{
    await query(name, 28, &c->primary);
    await query(name, 1, &c->backup); // EXPECT: awaitc-sequential-await
}

/* Different elements. */
async void elements(struct config *c)
{
    await query("a", 1, &c->peers[0]);
    await query("b", 1, &c->peers[1]); // EXPECT: awaitc-sequential-await
}

/* Locals. */
async int locals(void)
{
    struct addr a, b;

    await query("a", 1, &a);
    await query("b", 1, &b); // EXPECT: awaitc-sequential-await
    return a.ok && b.ok;
}

/* Through an alias of another object. */
async int aliases(struct config *c, struct config *d)
{
    struct addr *first = &c->primary, *second = &d->primary;
    int a = await refresh(first);
    int b = await refresh(second); // EXPECT: awaitc-sequential-await

    return a + b;
}

/* In a branch, and in a loop that goes on for ever. */
async int branch(struct addr *a, struct addr *b, int force)
{
    int x = 0, y = 0;

    if (force) {
        x = await refresh(a);
        y = await refresh(b); // EXPECT: awaitc-sequential-await
    }
    return x + y;
}

/* One needs the login, the other does not. */
async int login(const char *name);
async int get_profile(int id);
async int get_motd(const char *language);
async int start_page(const char *name, const char *language)
{
    int id = await login(name);
    int profile = await get_profile(id);
    int motd = await get_motd(language); // EXPECT: awaitc-sequential-await

    return profile + motd;
}

/* A pure helper of the file stands between. */
static int parity(int x)
{
    return x & 1;
}
async int helper(struct addr *a, struct addr *b)
{
    int x = await refresh(a);
    int odd = parity(x);
    int y = await refresh(b); // EXPECT: awaitc-sequential-await

    return odd ? y : x;
}
