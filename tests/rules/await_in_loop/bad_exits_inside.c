/* The loop's condition stands in its body, its step in several places. */
#include <awaitc.h>

struct disk { const char *path; };
struct peer { int fd; };
async int disk_usage(const char *path, unsigned long long *out);
async int send_state(struct peer *p, const char *state, size_t n);

async unsigned long long total_usage(const struct disk *d, unsigned n)
{
    unsigned long long sum = 0;
    unsigned i = 0;

    for (;;) {
        unsigned long long one = 0;
        if (i == n)
            break;
        if (await disk_usage(d[i].path, &one) < 0) // EXPECT: awaitc-await-in-loop
            one = 0;
        sum += one;
        i++;
    }
    return sum;
}

async void publish(struct peer **peers, unsigned n, const char *state, size_t len)
{
    struct peer **p = peers;

    while (p < peers + n) {
        if ((*p)->fd < 0) {
            p++;
            continue;
        }
        (void)await send_state(*p, state, len); // EXPECT: awaitc-await-in-loop
        p++;
    }
}

async void publish_by_goto(struct peer **peers, unsigned n, const char *state, size_t len)
{
    unsigned i = 0;

    if (n == 0)
        return;
next:
    (void)await send_state(peers[i], state, len); // EXPECT: awaitc-await-in-loop
    i++;
    if (i < n)
        goto next;
}
