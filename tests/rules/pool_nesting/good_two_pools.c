/* As the bad case of two jobs in one GThreadPool, where the halves have a pool of their own. */
#include <pthread.h>
typedef void *gpointer;
typedef int gint, gboolean;
typedef struct _GError GError;
typedef struct _GThreadPool GThreadPool;
typedef void (*GFunc)(gpointer data, gpointer user_data);
GThreadPool *g_thread_pool_new(GFunc func, gpointer user_data, gint max_threads, gboolean exclusive, GError **error);
gboolean g_thread_pool_push(GThreadPool *pool, gpointer data, GError **error);

struct tile { struct tile *half; pthread_mutex_t mu; pthread_cond_t cv; int done; };
void paint(struct tile *t);
static GThreadPool *painters, *halves;

static void finish(struct tile *t)
{
    pthread_mutex_lock(&t->mu);
    t->done = 1;
    pthread_cond_signal(&t->cv);
    pthread_mutex_unlock(&t->mu);
}

static void render_half(gpointer data, gpointer user)
{
    (void)user;
    paint(data);
    finish(data);
}

static void render(gpointer data, gpointer user)
{
    struct tile *t = data, *h = t->half;

    (void)user;
    if (h)
        g_thread_pool_push(halves, h, 0);
    paint(t);
    if (h) {
        pthread_mutex_lock(&h->mu);
        while (!h->done)
            pthread_cond_wait(&h->cv, &h->mu);
        pthread_mutex_unlock(&h->mu);
    }
    finish(t);
}

void painters_start(struct tile *root)
{
    halves = g_thread_pool_new(render_half, 0, 4, 1, 0);
    painters = g_thread_pool_new(render, 0, 4, 1, 0);
    g_thread_pool_push(painters, root, 0);
}
