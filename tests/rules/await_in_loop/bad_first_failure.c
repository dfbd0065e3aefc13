#include <awaitc.h>

struct mirror { const char *url; };
async int try_mirror(const char *url);

async int download(const struct mirror *m, int n)
{
    int rc = -1;

    for (int i = 0; i < n; i++) {
        rc = await try_mirror(m[i].url); // EXPECT: awaitc-await-in-loop
        if (rc < 0)
            return rc;
    }
    return rc;
}
