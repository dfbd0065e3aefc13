#include "../loops.h"
#include <stdlib.h>
#include <sys/wait.h>
struct child { uv_work_t w; int pid; };
static void wait_child(uv_work_t *w)
{
    struct child *c = w->data;
    int st;
    waitpid(c->pid, &st, 0);
}
static void waited(uv_work_t *w, int status) { (void)status; free(w->data); }

void watch_children(uv_loop_t *l, const int *pids, int n)
{
    for (int i = 0; i < n; i++) {
        struct child *c = calloc(1, sizeof *c);
        if (c == NULL)
            return;
        c->pid = pids[i];
        c->w.data = c;
        uv_queue_work(l, &c->w, wait_child, waited); // EXPECT: awaitc-blocking-pool-size
    }
}
