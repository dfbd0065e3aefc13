#include <awaitc.h>
#include <pthread.h>
#include <semaphore.h>
struct req { sem_t done; int result; pthread_mutex_t mu; pthread_cond_t cv; int ok; };
int compute(int x);
static int inner(struct req *r)
{
    r->result = compute(1);
    sem_post(&r->done);
    return 0;
}
async void run_inner(struct req *r)
{
    (void)await aw_blocking(inner(r));
}
static int outer(struct req *r, aw_runtime *rt)
{
    aw_detach(aw_spawn_on(rt, run_inner(r)));
    sem_wait(&r->done); // EXPECT: awaitc-pool-nesting
    return r->result;
}
async int both(struct req *r, aw_runtime *rt, int fd)
{
    int rc = await aw_blocking(outer(r, rt));
    return rc < 0 ? rc : (int)await aw_write(fd, "k", 1);
}
