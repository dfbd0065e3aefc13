#include <awaitc.h>
struct rec { int id; char *name; };
async char *name_of(int id);
async int names(struct rec *r, int n)
{
    int missing = 0;
    for (struct rec *p = r; p < r + n; ++p) {
        p->name = await name_of(p > r ? (p - 1)->id + (p - 1)->name[0] : p->id);
        if (p->name == NULL)
            return -1;
    }
    return missing;
}
