#include <awaitc.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <time.h>
#include <stdbool.h>
/* ordinary small async code */
struct cfg { int n; char *key[64]; };
struct table { struct node *bucket[256]; };
struct node { struct node *next; char *key; int value; };
struct pool { int *fds; size_t n, cap; bool closed; };
void apply(const char *k); int lookup(struct table *t, const char *k); void close_one(int fd); void report(int v);
int work_once(void); bool more(void);
async int load(int fd, struct cfg *c)
{
    char buf[4096];
    ssize_t n = await aw_read(fd, buf, sizeof buf - 1);
    if (n < 0)
        return (int)n;
    buf[n] = '\0';
    for (char *line = buf, *next; line && *line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        apply(line);
    }
    for (int i = 0; i < c->n; i++)
        apply(c->key[i]);
    return 0;
}
async int find(struct table *t, const char *key, int fd)
{
    unsigned h = 0;
    for (const char *p = key; *p; p++)
        h = h * 31 + (unsigned char)*p;
    for (struct node *n = t->bucket[h & 255]; n; n = n->next)
        if (strcmp(n->key, key) == 0)
            return (int)await aw_write(fd, &n->value, sizeof n->value);
    return -1;
}
async void shutdown_all(struct pool *p, int fd)
{
    for (size_t i = 0; i < p->n; i++)
        close_one(p->fds[i]);
    p->n = 0;
    (void)await aw_write(fd, "bye", 3);
}
async int write_numbers(int fd, const int *v, size_t n)
{
    char line[64];
    for (size_t i = 0; i < n; i++) {
        int k = snprintf(line, sizeof line, "%d\n", v[i]);
        if (await aw_write_all(fd, line, (size_t)k) < 0)
            return -1;
    }
    return 0;
}
async int poll_until(int fd, uint64_t deadline)
{
    char c;
    while (aw_now() < deadline) {
        ssize_t n = await aw_read(fd, &c, 1);
        if (n != 1)
            return (int)n;
        if (c == '!')
            return 1;
    }
    return 0;
}
async void steps(void)
{
    while (more()) {
        for (int i = 0; i < 32 && more(); i++)
            report(work_once());
        await aw_yield();
    }
}
async int reverse(char *s, int fd)
{
    for (size_t i = 0, j = strlen(s); i < j; i++) {
        char c = s[i];
        s[i] = s[--j];
        s[j] = c;
    }
    return (int)await aw_write_all(fd, s, strlen(s));
}
async int first_free(struct pool *p, int fd)
{
    size_t i = 0;
    while (i < p->n && p->fds[i] != -1)
        i++;
    if (i == p->n)
        return -1;
    p->fds[i] = fd;
    return (int)await aw_write(fd, "ok", 2);
}
async int grow(struct pool *p, int fd)
{
    while (p->cap < p->n + 1)
        p->cap = p->cap ? p->cap * 2 : 8;
    int *v = realloc(p->fds, p->cap * sizeof *v);
    if (!v)
        return -1;
    p->fds = v;
    p->fds[p->n++] = fd;
    return (int)await aw_write(fd, "ok", 2);
}
