#include <awaitc.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>
typedef struct uv_loop_s uv_loop_t;
typedef struct uv_work_s { void *data; } uv_work_t;
int uv_queue_work(uv_loop_t *loop, uv_work_t *req, void (*work)(uv_work_t *),
                  void (*after)(uv_work_t *, int));

struct cell { int value, seen; };
void use(const char *s);

static int square(int x)
{
    return x * x;
}

static unsigned hash(const char *s, unsigned n)
{
    unsigned h = 5381;
    if (n > 16)
        n = 16;
    for (unsigned i = 0; i < n; i++)
        h = h * 33 + (unsigned char)s[i];
    return h;
}

/* Once an item. */
async void squares(int *v, int n)
{
    for (int i = 0; i < n; i++)
        v[i] = await aw_compute(square(v[i])); // EXPECT: awaitc-fine-grained-task
}

async unsigned hashes(char **keys, int n)
{
    unsigned all = 0;
    while (n-- > 0)
        all ^= await aw_blocking(hash(keys[n], 16)); // EXPECT: awaitc-fine-grained-task
    return all;
}

/* Buffered input: one call in many has to fetch. */
async int lines(FILE *f)
{
    char line[256];
    int n = 0;
    while (await aw_blocking(fgets(line, sizeof line, f)) != NULL) { // EXPECT: awaitc-fine-grained-task
        use(line);
        n++;
    }
    return n;
}

async void names(DIR *d)
{
    for (;;) {
        struct dirent *e = await aw_blocking(readdir(d)); // EXPECT: awaitc-fine-grained-task
        if (e == NULL)
            return;
        use(e->d_name);
    }
}

/* Alone, but for next to nothing. */
async size_t measured(const char *s)
{
    return await aw_blocking(strlen(s)); // EXPECT: awaitc-fine-grained-task
}

/* A task an item, which never waits. */
static async void mark(struct cell *c)
{
    c->seen = 1;
}

async int mark_all(struct cell *c, int n, int fd)
{
    for (int i = 0; i < n; i++)
        spawn(mark(&c[i])); // EXPECT: awaitc-fine-grained-task
    return (int)await aw_write(fd, "k", 1);
}

/* The same with libuv. */
static void add_one(uv_work_t *req)
{
    struct cell *c = req->data;
    c->value++;
}

void add_all(uv_loop_t *loop, uv_work_t *req, struct cell *c, int n)
{
    for (int i = 0; i < n; i++) {
        req[i].data = &c[i];
        uv_queue_work(loop, &req[i], add_one, 0); // EXPECT: awaitc-fine-grained-task
    }
}
