/* SPDX-License-Identifier: MIT */
/* Arrays that grow up to a limit, text, and what the function itself reads. */
#include <awaitc.h>
#include <stdlib.h>

struct job {
    int op;
};
struct backlog {
    struct job *at;
    size_t n, capacity;
};
struct line {
    char *text;
    size_t length, capacity;
};
async int next_job(int fd, struct job *j);
async int next_char(int fd, char *c);
int work(const struct job *at, size_t n);

async int up_to_a_limit(int fd, struct backlog *b)
{
    struct job j;
    while (b->n < 1000 && await next_job(fd, &j) > 0) {
        if (b->n == b->capacity) {
            struct job *at = realloc(b->at, (b->capacity + 64) * sizeof *at);
            if (at == NULL)
                return -1;
            b->at = at;
            b->capacity += 64;
        }
        b->at[b->n++] = j;
    }
    return 0;
}

async int a_line(int fd, struct line *l)
{
    char c;
    while (await next_char(fd, &c) > 0 && c != '\n') {
        if (l->length == l->capacity) {
            char *text = realloc(l->text, l->capacity + 64);
            if (text == NULL)
                return -1;
            l->text = text;
            l->capacity += 64;
        }
        l->text[l->length++] = c;
    }
    return 0;
}
