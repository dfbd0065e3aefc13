#include <stddef.h>
struct bufferevent; struct evbuffer; struct event_base;
typedef void (*bufferevent_data_cb)(struct bufferevent *bev, void *ctx);
typedef void (*bufferevent_event_cb)(struct bufferevent *bev, short what, void *ctx);
void bufferevent_setcb(struct bufferevent *bev, bufferevent_data_cb rd, bufferevent_data_cb wr, bufferevent_event_cb ev, void *ctx);
struct evbuffer *bufferevent_get_input(struct bufferevent *bev);
struct evbuffer *bufferevent_get_output(struct bufferevent *bev);
int evbuffer_add_buffer(struct evbuffer *dst, struct evbuffer *src);
size_t evbuffer_get_length(const struct evbuffer *b);
int bufferevent_disable(struct bufferevent *bev, short what);
int bufferevent_write(struct bufferevent *bev, const void *p, size_t n);
int bufferevent_write_buffer(struct bufferevent *bev, struct evbuffer *buf);
struct pair { struct bufferevent *client, *upstream; };
static void relay(struct bufferevent *bev, void *ctx)
{
    struct bufferevent *partner = ctx;
    struct evbuffer *src = bufferevent_get_input(bev), *dst;
    dst = bufferevent_get_output(partner);
    evbuffer_add_buffer(dst, src);
    if (evbuffer_get_length(dst) > 1 << 20)
        bufferevent_disable(bev, 2);
}
static void up(struct bufferevent *bev, void *ctx)
{
    struct pair *p = ctx;
}
static void echo(struct bufferevent *bev, void *ctx)
{
    struct pair *p = ctx;
    bufferevent_write_buffer(bev, bufferevent_get_input(bev));
    bufferevent_write(p->client, "ok", 2);
    evbuffer_add_buffer(bufferevent_get_output(bev), bufferevent_get_input(bev));
}
void start(struct pair *p)
{
    bufferevent_setcb(p->client, up, NULL, NULL, p);
    bufferevent_setcb(p->client, echo, NULL, NULL, p);
    bufferevent_setcb(p->upstream, relay, NULL, NULL, p->client);
}
