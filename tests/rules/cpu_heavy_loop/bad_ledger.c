#include <awaitc.h>
struct tx { int from, to; long amount; };
struct ledger { struct tx *tx; size_t count; long balance[256]; };
int tx_verify(const struct tx *t);
async int ledger_load(int fd, struct ledger *l);
async int ledger_check(int fd, struct ledger *l)
{
    int bad = 0;
    if (await ledger_load(fd, l) < 0)
        return -1;
    for (size_t i = 0; i < l->count; i++) { // EXPECT: awaitc-cpu-heavy-loop
        if (tx_verify(&l->tx[i]) < 0)
            bad++;
    }
    return bad;
}
