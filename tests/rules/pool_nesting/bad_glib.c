typedef struct _GThreadPool GThreadPool; typedef struct { long x[4]; } GMutex; typedef struct { long x[4]; } GCond;
typedef void (*GFunc)(void *data, void *user);
GThreadPool *g_thread_pool_new(GFunc f, void *user, int max, int excl, void **err);
int g_thread_pool_push(GThreadPool *p, void *data, void **err);
void g_mutex_lock(GMutex *m); void g_mutex_unlock(GMutex *m); void g_cond_wait(GCond *c, GMutex *m); void g_cond_signal(GCond *c);
struct job { GThreadPool *pool; GMutex m; GCond done; int ready; struct job *part; };
int compute(struct job *j);
static void run(void *data, void *user)
{
    struct job *j = data; (void)user;
    if (j->part) {
        g_thread_pool_push(j->pool, j->part, 0);
        g_mutex_lock(&j->m);
        while (!j->ready)
            g_cond_wait(&j->done, &j->m); // EXPECT: awaitc-pool-nesting
        g_mutex_unlock(&j->m);
    }
    compute(j);
    g_mutex_lock(&j->m);
    j->ready = 1;
    g_cond_signal(&j->done);
    g_mutex_unlock(&j->m);
}
GThreadPool *start(struct job *j) { j->pool = g_thread_pool_new(run, 0, 4, 0, 0); return j->pool; }
