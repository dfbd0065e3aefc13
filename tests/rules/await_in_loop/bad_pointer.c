#include <awaitc.h>
struct rec { int id; char *name; };
async char *name_of(int id);
async int names(struct rec *r, int n)
{
    int missing = 0;
    for (struct rec *p = r; p < r + n; ++p) {
        p->name = await name_of(p->id); // EXPECT: awaitc-await-in-loop
        missing += p->name == NULL;
    }
    return missing;
}
