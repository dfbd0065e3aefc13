#include <awaitc.h>

struct item { struct item *next; const char *key; char *value; };
struct chunk { uint64_t id; unsigned char hash[32]; int ok; };
async char *kv_get(const char *key);
async int verify_chunk(const struct chunk *c);

/* The counter lives outside: where it starts is no round's. */
async int load(struct item *list)
{
    struct item *it;
    for (it = list; it != NULL; it = it->next) {
        it->value = await kv_get(it->key); // EXPECT: awaitc-await-in-loop
        if (it->value == NULL)
            return -1;
    }
    return 0;
}

async int scrub(struct chunk *chunks, int n)
{
    int bad = 0, i;
    for (i = 0; i < n; ++i) {
        struct chunk *c = &chunks[i];
        c->ok = await verify_chunk(c); // EXPECT: awaitc-await-in-loop
        if (!c->ok)
            bad++;
    }
    return bad;
}
