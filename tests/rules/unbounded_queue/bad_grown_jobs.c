// The piece is queued where it is stored, not where the array is made larger.
#include <awaitc.h>
#include <stdlib.h>

struct job {
    int kind;
};

struct pool {
    struct job **jobs;
    int count, room;
};

async struct job *next_job(int fd);

async int gather(int fd, struct pool *p)
{
    struct job *j;
    while ((j = await next_job(fd)) != NULL) {
        if (p->count == p->room) {
            struct job **more = realloc(p->jobs, (size_t)(p->room + 64) * sizeof *more);
            if (more == NULL)
                return -1;
            p->jobs = more;
            p->room += 64;
        }
        p->jobs[p->count++] = j; // EXPECT: awaitc-unbounded-queue
    }
    return p->count;
}
