/* As bad_exits_inside.c, where a round goes by what another gave. */
#include <awaitc.h>

struct page { unsigned long long next, size[64]; unsigned n; };
struct peer { int fd, done; };
async int list_page(const char *path, unsigned long long from, struct page *out);
async int poll_peer(struct peer *p);
async int send_state(struct peer *p, const char *state, size_t n);

async unsigned long long total_usage(const char *path)
{
    unsigned long long sum = 0, from = 0;

    for (;;) {
        struct page p;
        if (await list_page(path, from, &p) < 0)
            break;
        for (unsigned i = 0; i < p.n && i < 64; i++)
            sum += p.size[i];
        if (p.next == 0)
            break;
        from = p.next;
    }
    return sum;
}

/* Stays with a peer until it is done. */
async void poll_all(struct peer **peers, unsigned n)
{
    unsigned i = 0;

    while (i < n) {
        if (peers[i]->done) {
            i++;
            continue;
        }
        (void)await poll_peer(peers[i]);
    }
}

async int offer_by_goto(struct peer **peers, unsigned n, const char *state, size_t len)
{
    unsigned i = 0;

next:
    if (i == n)
        return -1;
    if (await send_state(peers[i], state, len) >= 0)
        return 0;
    i++;
    goto next;
}
