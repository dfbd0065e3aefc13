#include <stdlib.h>
#include <string.h>
#include <stdio.h>
typedef struct uv_loop_s uv_loop_t; typedef struct uv_timer_s { void *data; } uv_timer_t; typedef struct uv_idle_s { void *data; } uv_idle_t; typedef struct uv_async_s { void *data; } uv_async_t;
typedef struct uv_poll_s { void *data; } uv_poll_t; typedef struct uv_stream_s { void *data; } uv_stream_t; typedef struct uv_buf_t { char *base; unsigned long len; } uv_buf_t; typedef struct uv_handle_s uv_handle_t;
typedef struct uv_work_s { void *data; } uv_work_t;
int uv_timer_start(uv_timer_t *t, void (*cb)(uv_timer_t *), unsigned long a, unsigned long b);
int uv_async_init(uv_loop_t *l, uv_async_t *a, void (*cb)(uv_async_t *));
int uv_poll_start(uv_poll_t *p, int ev, void (*cb)(uv_poll_t *, int, int));
int uv_read_start(uv_stream_t *s, void (*alloc)(uv_handle_t *, unsigned long, uv_buf_t *), void (*cb)(uv_stream_t *, long, const uv_buf_t *));
int uv_queue_work(uv_loop_t *l, uv_work_t *w, void (*work)(uv_work_t *), void (*after)(uv_work_t *, int));

typedef int gboolean; typedef unsigned guint; typedef void *gpointer; typedef gboolean (*GSourceFunc)(gpointer);
guint g_timeout_add(guint ms, GSourceFunc fn, gpointer data); guint g_idle_add(GSourceFunc fn, gpointer data);

struct client { struct client *next; int fd; char name[32]; };
struct timer { long due; void (*fn)(void *); void *arg; };
struct heap { struct timer **v; size_t n; };
struct srv { struct client *clients; size_t nclients; struct client **all; struct heap h; char *argv[16]; char **env; };
struct job { struct job *next; void (*run)(struct job *); };
struct queue { struct job *head; };
struct job *queue_pop(struct queue *q);
struct timer *heap_min(struct heap *h); void heap_pop(struct heap *h);
void send_text(struct client *c, const char *t); long now_ms(void);
int json_parse(const char *s, size_t n, size_t *used); void handle(int v);
char *next_token(char **s); void tok(char *t); void put(char c);
static void on_timer(uv_timer_t *t)
{
    struct srv *s = t->data;
    struct timer *x;
    long now = now_ms();
    while ((x = heap_min(&s->h)) != NULL && x->due <= now) {
        heap_pop(&s->h);
        x->fn(x->arg);
    }
    for (size_t i = 0; i < s->nclients; i++)
        send_text(s->all[i], "ping");
    for (char **e = s->env; *e; e++)
        handle((int)strlen(*e));
    for (struct client *c = s->clients, *n; c; c = n) {
        n = c->next;
        if (c->fd < 0)
            continue;
        send_text(c, c->name);
    }
}
static void on_async(uv_async_t *a)
{
    struct queue *q = a->data;
    struct job *j;
    while ((j = queue_pop(q)) != NULL)
        j->run(j);
}
static void on_read(uv_stream_t *s, long nread, const uv_buf_t *buf)
{
    size_t at = 0, used;
    (void)s;
    for (long i = 0; i < nread; i++)
        put(buf->base[i]);
    while (at < (size_t)nread && json_parse(buf->base + at, (size_t)nread - at, &used) == 0)
        at += used;
    char *line = buf->base, *t;
    while ((t = next_token(&line)) != NULL)
        tok(t);
    for (t = strtok_r(buf->base, " ", &line); t; t = strtok_r(NULL, " ", &line))
        tok(t);
    char *p = buf->base, *end = p + nread;
    while (p < end) {
        char *nl = memchr(p, '\n', (size_t)(end - p));
        if (!nl)
            break;
        tok(p);
        p = nl + 1;
    }
}
static void on_closed(uv_timer_t *t)
{
    struct srv *s = t->data;
    for (size_t i = 0; i < s->h.n; i++)
        free(s->h.v[i]);
    free(s->h.v);
    for (int i = 0; i < 16 && s->argv[i]; i++)
        free(s->argv[i]);
    for (size_t i = 0; i < s->nclients; i++) {
        struct client *c = s->all[i];
        if (c->fd == -1) {
            s->all[i--] = s->all[--s->nclients];
            free(c);
        }
    }
}
static gboolean refresh(gpointer data)
{
    struct srv *s = data;
    char text[256];
    int len = 0;
    for (struct client *c = s->clients; c && len < 200; c = c->next)
        len += snprintf(text + len, sizeof text - (size_t)len, "%s ", c->name);
    for (unsigned i = 0; i < sizeof text; i++)
        if (text[i] == '\t')
            text[i] = ' ';
    unsigned h = 0;
    for (const char *q = text; *q; q++)
        h = h * 33 + (unsigned char)*q;
    handle((int)h);
    return 1;
}
void start(uv_timer_t *t, uv_async_t *a, uv_loop_t *l, uv_stream_t *st)
{
    uv_timer_start(t, on_timer, 0, 1000); uv_async_init(l, a, on_async); uv_read_start(st, 0, on_read); uv_timer_start(t, on_closed, 0, 0);
    g_timeout_add(1000, refresh, t->data);
}
