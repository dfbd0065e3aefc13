#include <awaitc.h>

struct item {
    int id;
};
async void refresh(struct item *it);

async void refresh_all(struct item *items, int n)
{
    aw_scope scope;
    aw_scope_init(&scope, 16);
    for (int i = 0; i < n; i++)
        (void)await aw_scope_spawn(&scope, refresh(&items[i])); // EXPECT: awaitc-await-in-loop
    (void)await aw_scope_wait(&scope);
}
