/* The cells of an area; a table that is hashed anew. */
#include <awaitc.h>
#include <stdint.h>

struct image { unsigned w, h; uint32_t *px; };
struct table { unsigned n, cap; struct { unsigned key, val; } *slot; };
async int store_count(unsigned n);

static void blend(struct image *d, const struct image *s)
{
    for (unsigned y = 0; y < d->h; y++) // EXPECT: awaitc-cpu-heavy-loop
        for (unsigned x = 0; x < d->w; x++) {
            uint32_t a = d->px[y * d->w + x], b = s->px[y * s->w + x];
            d->px[y * d->w + x] = ((a ^ b) & 0xfefefefe) / 2 + (a & b);
        }
}

async int compose(struct image *d, const struct image *s, int out)
{
    blend(d, s);
    return (int)await aw_write_all(out, d->px, (size_t)d->w * d->h * 4);
}

async int rehash(struct table *t)
{
    unsigned moved = 0;
    for (unsigned i = 0; i < t->cap; i++) { // EXPECT: awaitc-cpu-heavy-loop
        if (t->slot[i].key == 0)
            continue;
        unsigned j = t->slot[i].key * 2654435761u % t->cap;
        while (t->slot[j].key != 0 && j != i)
            j = (j + 1) % t->cap;
        t->slot[j] = t->slot[i];
        moved++;
    }
    return await store_count(moved);
}
