#include <awaitc.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
typedef struct uv_loop_s uv_loop_t;
typedef struct uv_work_s { void *data; } uv_work_t;
int uv_queue_work(uv_loop_t *loop, uv_work_t *req, void (*work)(uv_work_t *),
                  void (*after)(uv_work_t *, int));

struct chunk { int *v; int n; };
struct batch { DIR *d; int n; char name[128][256]; };
struct pixels { unsigned w, h; unsigned char *p; };
int render(struct pixels *p);
int compress_block(const void *p, size_t n);
void use(const char *s);

/* A chunk each. */
static int square_chunk(struct chunk *c)
{
    for (int i = 0; i < c->n; i++)
        c->v[i] *= c->v[i];
    return c->n;
}

async int squares(int *v, int n)
{
    int done = 0;
    for (int i = 0; i < n; i += 65536) {
        struct chunk c = { v + i, n - i < 65536 ? n - i : 65536 };
        done += await aw_compute(square_chunk(&c));
    }
    return done;
}

static int many(struct batch *b)
{
    struct dirent *e;
    for (b->n = 0; b->n < 128 && (e = readdir(b->d)) != NULL; b->n++)
        strcpy(b->name[b->n], e->d_name);
    return b->n;
}

async void list(struct batch *b)
{
    while (await aw_blocking(many(b)) > 0) {
        for (int i = 0; i < b->n; i++)
            use(b->name[i]);
    }
}

/* Work that nobody here knows, and work that waits. */
async int drawn(struct pixels *p, int fd)
{
    int rc = await aw_compute(render(p));
    return rc < 0 ? rc : (int)await aw_write(fd, p->p, 1);
}

async int packed(const char *p, size_t n)
{
    int total = 0;
    for (size_t at = 0; at + 4096 <= n; at += 4096)
        total += await aw_compute(compress_block(p + at, 4096));
    return total;
}

async long size_of(const char *path)
{
    struct stat st;
    return await aw_blocking(stat(path, &st)) == 0 ? st.st_size : -1;
}

static int save(int fd, const char *p, size_t n)
{
    return pwrite(fd, p, n, 0) < 0 ? -1 : fsync(fd);
}

async int saved(int fd, const char *p, size_t n, int reply)
{
    int rc = await aw_blocking(save(fd, p, n));
    return rc < 0 ? rc : (int)await aw_write(reply, "k", 1);
}

/* One line of a terminal may take its time; one name alone has to be fetched. */
async int asked(char *line, int size)
{
    while (await aw_blocking(fgets(line, size, stdin)) != NULL) {
        if (line[0] != '\n')
            return 0;
    }
    return -1;
}

async int is_empty(DIR *d)
{
    return await aw_blocking(readdir(d)) == NULL;
}

/* Tasks that wait. */
async void ping(int fd)
{
    if (await aw_write(fd, "p", 1) < 0)
        aw_close(fd);
}

async void ping_all(const int *fds, int n)
{
    aw_scope s;
    aw_scope_init(&s, 16);
    for (int i = 0; i < n; i++) {
        if (await aw_scope_spawn(&s, ping(fds[i])) < 0)
            break;
    }
    (void)await aw_scope_wait(&s);
}

/* A job of libuv that reads a file, and one whose loop may be long. */
static void read_file(uv_work_t *req)
{
    FILE *f = fopen(req->data, "r");
    if (f) {
        fclose(f);
    }
}

static void square_all(uv_work_t *req)
{
    square_chunk(req->data);
}

void start(uv_loop_t *loop, uv_work_t *req, int n)
{
    for (int i = 0; i < n; i++) {
        uv_queue_work(loop, &req[i], read_file, 0);
        uv_queue_work(loop, &req[i], square_all, 0);
    }
}
