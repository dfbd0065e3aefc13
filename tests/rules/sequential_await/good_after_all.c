#include <awaitc.h>

async void warm_cache(const char *region);
async void load_rules(const char *path);
async int listen_on(int port);

/* What could wait with the two would stand among them. */
async int boot(const char *region, const char *path, int port)
{
    await aw_all(warm_cache(region), load_rules(path));
    return await listen_on(port);
}
