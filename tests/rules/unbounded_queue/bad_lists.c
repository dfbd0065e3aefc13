#include <awaitc.h>
#include <stdlib.h>
#include <sys/queue.h>

struct job {
    STAILQ_ENTRY(job) link;
    struct job *next;
    char text[128];
};
STAILQ_HEAD(jobs, job);
struct stack {
    struct job *first;
};
typedef struct _GAsyncQueue GAsyncQueue;
void g_async_queue_push(GAsyncQueue *q, void *item);
async struct job *next_job(int fd);

async int by_macro(int fd, struct jobs *jobs)
{
    char c;
    while (await aw_read(fd, &c, 1) == 1) {
        struct job *j = calloc(1, sizeof *j);
        if (j == NULL)
            return -1;
        j->text[0] = c;
        STAILQ_INSERT_TAIL(jobs, j, link); // EXPECT: awaitc-unbounded-queue
    }
    return 0;
}

/* At the head it grows as well. */
async int at_head(int fd, struct stack *s)
{
    char c;
    while (await aw_read(fd, &c, 1) == 1) {
        struct job *j = calloc(1, sizeof *j);
        if (j == NULL)
            return -1;
        j->text[0] = c;
        j->next = s->first;
        s->first = j; // EXPECT: awaitc-unbounded-queue
    }
    return 0;
}

/* To a thread that is slower. */
async void to_thread(int fd, GAsyncQueue *q)
{
    struct job *j;
    while ((j = await next_job(fd)) != NULL)
        g_async_queue_push(q, j); // EXPECT: awaitc-unbounded-queue
}
