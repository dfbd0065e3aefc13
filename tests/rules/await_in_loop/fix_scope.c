#include <awaitc.h>

struct item {
    int id;
};
async void refresh(struct item *it);

async void refresh_all(struct item *items, int n)
{
    for (int i = 0; i < n; i++)
        await refresh(&items[i]); // EXPECT: awaitc-await-in-loop
}
