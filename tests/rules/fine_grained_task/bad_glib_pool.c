#include <stddef.h>
typedef void *gpointer;
typedef struct _GThreadPool GThreadPool;
typedef void (*GFunc)(gpointer data, gpointer user_data);
GThreadPool *g_thread_pool_new(GFunc f, gpointer user_data, int max, int exclusive, void **e);
int g_thread_pool_push(GThreadPool *p, gpointer data, void **e);

struct item { int v, out; };

static void twice(gpointer data, gpointer user_data)
{
    struct item *it = data;
    (void)user_data;
    it->out = it->v * 2;
}

void double_all(struct item *items, int n)
{
    GThreadPool *p = g_thread_pool_new(twice, NULL, 4, 0, NULL);
    for (int i = 0; i < n; i++)
        g_thread_pool_push(p, &items[i], NULL); // EXPECT: awaitc-fine-grained-task
}
