#include "../loops.h"

struct index { uint64_t docs, at; };
void index_merge_doc(struct index *ix, uint64_t doc);

/* The end of this turn is counted from where it starts. */
static gboolean merge(gpointer data)
{
    struct index *ix = data;
    uint64_t stop = ix->at + 64;
    for (; ix->at < ix->docs && ix->at < stop; ix->at++)
        index_merge_doc(ix, ix->at);
    return ix->at < ix->docs ? TRUE : FALSE;
}

void index_schedule(struct index *ix)
{
    g_idle_add(merge, ix);
}
