#include <awaitc.h>
#include <stdint.h>
#include <stdlib.h>
struct map { const unsigned char *base; uint64_t size; };
struct hasher { uint32_t s[4]; }; void hash_round(struct hasher *h);
AW_CPU_HEAVY void train(void *m);
int is_prime(unsigned n);
async uint32_t checksum_file(struct map *m, int fd)
{
    uint32_t h = 0;
    for (uint64_t i = 0; i < m->size; i++) // EXPECT: awaitc-cpu-heavy-loop
        h = h * 31 + m->base[i];
    if (await aw_write(fd, &h, 4) < 0) return 0;
    return h;
}
async void stretch(struct hasher *h, unsigned rounds, int fd)
{
    for (unsigned i = 0; i < rounds; i++) // EXPECT: awaitc-cpu-heavy-loop
        hash_round(h);
    (void)await aw_write(fd, h, sizeof *h);
}
async int count_primes(int limit, int fd)
{
    int n = 0;
    for (int i = 2; i < limit; i++) { // EXPECT: awaitc-cpu-heavy-loop
        int prime = 1;
        for (int k = 2; k * k <= i; k++)
            if (i % k == 0) { prime = 0; break; }
        n += prime;
    }
    (void)await aw_write(fd, &n, sizeof n);
    return n;
}
async void learn(void *m, int fd)
{
    for (int epoch = 0; epoch < 100; epoch++) {
        train(m); // EXPECT: awaitc-cpu-heavy-loop
        (void)await aw_write(fd, ".", 1);
    }
}
async int spin_forever(volatile int *v, int fd)
{
    (void)await aw_write(fd, ".", 1);
    for (;;) // EXPECT: awaitc-cpu-heavy-loop
        *v += 1;
}
static void helper(struct map *maps, uint64_t nblocks, void (*put)(const unsigned char *))
{
    for (uint64_t b = 0; b < nblocks; b++) // EXPECT: awaitc-cpu-heavy-loop
        put(maps->base + b * 4096);
}
async int copy_blocks(struct map *m, uint64_t nblocks, void (*put)(const unsigned char *), int fd)
{
    helper(m, nblocks, put);
    return (int)await aw_write(fd, ".", 1);
}
