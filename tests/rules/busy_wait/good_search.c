// A search that gives others a turn now and then waits for nobody.
#include <awaitc.h>
#include <stdint.h>

struct table {
    const unsigned char *used;
};

static uint64_t mixed(uint64_t x)
{
    x ^= x >> 31;
    return x * 0x7fb5d329728ea185u;
}

async uint64_t solved(uint64_t seed, unsigned bits)
{
    uint64_t nonce = 0;
    while (mixed(seed + nonce) >> (64 - bits)) {
        if ((++nonce & 0x3ff) == 0)
            await aw_yield();
    }
    return nonce;
}

async unsigned free_id(const struct table *t)
{
    unsigned id = 0;
    while (t->used[id]) {
        id++;
        await aw_yield();
    }
    return id;
}
