/* As bad_taken_in.c, with a length that is looked at; and a list of one message's parts. */
#include <awaitc.h>
#include <sys/queue.h>

struct msg {
    TAILQ_ENTRY(msg) link;
    struct msg *next, *parts;
};
TAILQ_HEAD(msgs, msg);
async struct msg *recv_msg(int fd);
async int handle(struct msg *m);
void msg_free(struct msg *m);

async int tail_queue(struct msgs *q, int *count, int fd)
{
    struct msg *m;
    while ((m = await recv_msg(fd)) != NULL) {
        if (*count >= 100) {
            msg_free(m);
            continue;
        }
        TAILQ_INSERT_TAIL(q, m, link);
        ++*count;
    }
    return 0;
}

async int at_once(int fd)
{
    struct msg *m;
    while ((m = await recv_msg(fd)) != NULL) {
        m->parts = NULL;
        if (await handle(m) < 0)
            return -1;
    }
    return 0;
}
