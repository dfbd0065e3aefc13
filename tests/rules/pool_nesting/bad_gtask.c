/* GTask's pool: a job that runs another one and waits. */
typedef void *gpointer;
typedef struct _GTask GTask;
typedef struct _GCancellable GCancellable;
typedef void (*GTaskThreadFunc)(GTask *task, gpointer source, gpointer data, GCancellable *c);
GTask *g_task_new(gpointer source, GCancellable *c, void *callback, gpointer data);
void g_task_run_in_thread(GTask *task, GTaskThreadFunc fn);
void g_task_run_in_thread_sync(GTask *task, GTaskThreadFunc fn);
int decode(gpointer data);

static void decode_job(GTask *t, gpointer source, gpointer data, GCancellable *c)
{
    (void)t;
    (void)source;
    (void)c;
    decode(data);
}

static void load_job(GTask *t, gpointer source, gpointer data, GCancellable *c)
{
    GTask *part = g_task_new(source, c, 0, data);
    (void)t;
    g_task_run_in_thread_sync(part, decode_job); // EXPECT: awaitc-pool-nesting
}

void load(gpointer data)
{
    g_task_run_in_thread(g_task_new(0, 0, 0, data), load_job);
}
