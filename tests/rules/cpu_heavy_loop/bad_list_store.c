#include <awaitc.h>

struct row { struct row *next; int live; };
struct table { struct row *rows; uint64_t nrows; };
void row_compact(struct table *t, struct row *r);
async int journal(int fd, const char *what);

async int vacuum(struct table *t, int fd)
{
    int rc = await journal(fd, "vacuum");
    if (rc < 0)
        return rc;
    for (struct row *r = t->rows; r != NULL; r = r->next) { // EXPECT: awaitc-cpu-heavy-loop
        if (!r->live)
            row_compact(t, r);
    }
    return await journal(fd, "done");
}
