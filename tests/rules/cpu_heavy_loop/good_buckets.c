/* SPDX-License-Identifier: MIT */
/* The chains of a table whose loop over the buckets yields. */
#include <awaitc.h>
#include <stdint.h>

struct row {
    uint64_t hash;
    struct row *next;
};
uint64_t hash_row(const struct row *r);

async int rebuild(struct row **buckets, uint64_t count, struct row **fresh, uint64_t n)
{
    for (uint64_t i = 0; i < count; i++) {
        struct row *next;
        for (struct row *r = buckets[i]; r != NULL; r = next) {
            next = r->next;
            r->hash = hash_row(r);
            r->next = fresh[r->hash % n];
            fresh[r->hash % n] = r;
        }
        if (i % 64 == 63)
            await aw_yield();
    }
    return 0;
}
