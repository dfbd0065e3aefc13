/* What an await gave is linked in where it stands, by hand or by a macro. */
#include <awaitc.h>
#include <sys/queue.h>

struct msg {
    TAILQ_ENTRY(msg) link;
    struct msg *next;
};
TAILQ_HEAD(msgs, msg);
struct chain {
    struct msg *first, **last;
};
async struct msg *recv_msg(int fd);

async int tail_queue(struct msgs *q, int fd)
{
    struct msg *m;
    while ((m = await recv_msg(fd)) != NULL)
        TAILQ_INSERT_TAIL(q, m, link); // EXPECT: awaitc-unbounded-queue
    return 0;
}

async int by_place(struct chain *q, int fd)
{
    struct msg *m;
    while ((m = await recv_msg(fd)) != NULL) {
        m->next = NULL;
        *q->last = m; // EXPECT: awaitc-unbounded-queue
        q->last = &m->next;
    }
    return 0;
}

async int in_front(struct chain *q, int fd)
{
    struct msg *m;
    while ((m = await recv_msg(fd)) != NULL) {
        m->next = q->first;
        q->first = m; // EXPECT: awaitc-unbounded-queue
    }
    return 0;
}
