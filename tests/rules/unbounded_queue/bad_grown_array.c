/* SPDX-License-Identifier: MIT */
/* A queue that is an array, made larger when it is full. */
#include <awaitc.h>
#include <stdlib.h>

struct job {
    int op;
};
struct backlog {
    struct job *at;
    size_t n, capacity;
};
async int next_job(int fd, struct job *j);

async int intake(int fd, struct backlog *b)
{
    struct job j;
    while (await next_job(fd, &j) > 0) {
        if (b->n == b->capacity) {
            size_t capacity = b->capacity != 0 ? b->capacity * 2 : 16;
            struct job *at = realloc(b->at, capacity * sizeof *at);
            if (at == NULL)
                return -1;
            b->at = at;
            b->capacity = capacity;
        }
        b->at[b->n++] = j; // EXPECT: awaitc-unbounded-queue
    }
    return 0;
}
