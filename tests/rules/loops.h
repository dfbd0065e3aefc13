/* SPDX-License-Identifier: MIT */
/* What the cases declare of event loops and libraries: no package is needed to run them. */
#ifndef RULES_CASES_LOOPS_H
#define RULES_CASES_LOOPS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/time.h>
#include <sys/types.h>

/* libevent */
struct event;
struct event_base;
struct bufferevent;
struct evbuffer;
struct evdns_base;
typedef void (*event_callback_fn)(int fd, short what, void *arg);
typedef void (*bufferevent_data_cb)(struct bufferevent *bev, void *arg);
typedef void (*bufferevent_event_cb)(struct bufferevent *bev, short what, void *arg);
#define EV_TIMEOUT 0x01
#define EV_READ 0x02
#define EV_WRITE 0x04
#define EV_SIGNAL 0x08
#define EV_PERSIST 0x10
#define EVLOOP_ONCE 0x01
#define EVLOOP_NONBLOCK 0x02
struct event_base *event_base_new(void);
struct event *event_new(struct event_base *b, int fd, short what, event_callback_fn cb, void *arg);
int event_assign(struct event *ev, struct event_base *b, int fd, short what, event_callback_fn cb,
                 void *arg);
int event_add(struct event *ev, const struct timeval *tv);
int event_base_loop(struct event_base *b, int flags);
int event_base_dispatch(struct event_base *b);
int evutil_make_socket_nonblocking(int fd);
void bufferevent_setcb(struct bufferevent *bev, bufferevent_data_cb rd, bufferevent_data_cb wr,
                       bufferevent_event_cb ev, void *arg);
int bufferevent_socket_connect_hostname(struct bufferevent *bev, struct evdns_base *dns, int af,
                                        const char *host, int port);
#define evtimer_new(b, cb, arg) event_new((b), -1, 0, (cb), (arg))

/* libuv */
typedef struct uv_loop_s uv_loop_t;
typedef struct uv_handle_s uv_handle_t;
typedef struct uv_timer_s {
    void *data;
} uv_timer_t;
typedef struct uv_stream_s {
    void *data;
} uv_stream_t;
typedef struct uv_work_s {
    void *data;
} uv_work_t;
typedef struct uv_async_s {
    void *data;
} uv_async_t;
typedef struct uv_poll_s {
    void *data;
} uv_poll_t;
typedef struct uv_fs_s {
    void *data;
    ssize_t result;
} uv_fs_t;
typedef struct uv_buf_t {
    char *base;
    size_t len;
} uv_buf_t;
typedef struct uv_sem_s {
    int n;
} uv_sem_t;
typedef struct uv_mutex_s {
    int n;
} uv_mutex_t;
typedef void (*uv_timer_cb)(uv_timer_t *t);
typedef void (*uv_work_cb)(uv_work_t *w);
typedef void (*uv_after_work_cb)(uv_work_t *w, int status);
typedef void (*uv_async_cb)(uv_async_t *a);
typedef void (*uv_fs_cb)(uv_fs_t *r);
typedef void (*uv_poll_cb)(uv_poll_t *p, int status, int events);
typedef void (*uv_alloc_cb)(uv_handle_t *h, size_t n, uv_buf_t *b);
typedef void (*uv_read_cb)(uv_stream_t *s, ssize_t n, const uv_buf_t *b);
typedef enum { UV_RUN_DEFAULT = 0, UV_RUN_ONCE, UV_RUN_NOWAIT } uv_run_mode;
int uv_run(uv_loop_t *l, uv_run_mode mode);
int uv_timer_start(uv_timer_t *t, uv_timer_cb cb, uint64_t ms, uint64_t repeat);
int uv_queue_work(uv_loop_t *l, uv_work_t *w, uv_work_cb work, uv_after_work_cb after);
int uv_async_init(uv_loop_t *l, uv_async_t *a, uv_async_cb cb);
int uv_read_start(uv_stream_t *s, uv_alloc_cb alloc, uv_read_cb rd);
int uv_poll_init(uv_loop_t *l, uv_poll_t *p, int fd);
int uv_poll_start(uv_poll_t *p, int events, uv_poll_cb cb);
int uv_fs_open(uv_loop_t *l, uv_fs_t *r, const char *path, int flags, int mode, uv_fs_cb cb);
int uv_fs_stat(uv_loop_t *l, uv_fs_t *r, const char *path, uv_fs_cb cb);
int uv_fs_read(uv_loop_t *l, uv_fs_t *r, int fd, const uv_buf_t *b, unsigned n, int64_t at,
               uv_fs_cb cb);
void uv_fs_req_cleanup(uv_fs_t *r);
void uv_sem_wait(uv_sem_t *s);
void uv_sem_post(uv_sem_t *s);
void uv_mutex_lock(uv_mutex_t *m);
void uv_mutex_unlock(uv_mutex_t *m);
void uv_sleep(unsigned ms);

/* GLib, GIO, GTK */
typedef int gboolean;
typedef void *gpointer;
typedef unsigned guint;
typedef char gchar;
typedef struct _GError GError;
typedef struct _GMainContext GMainContext;
typedef struct _GMainLoop GMainLoop;
typedef struct _GThreadPool GThreadPool;
typedef struct _GThread GThread;
typedef struct _GVariant GVariant;
typedef struct _GCancellable GCancellable;
typedef struct _GDBusConnection GDBusConnection;
typedef struct _GDBusProxy GDBusProxy;
typedef struct _GtkDialog GtkDialog;
typedef struct _GIOChannel GIOChannel;
typedef struct _GMutex {
    int n;
} GMutex;
typedef enum { G_IO_IN = 1, G_IO_OUT = 4 } GIOCondition;
typedef gboolean (*GSourceFunc)(gpointer data);
typedef void (*GCallback)(void);
typedef void (*GFunc)(gpointer data, gpointer user);
typedef gboolean (*GUnixFDSourceFunc)(int fd, GIOCondition c, gpointer data);
typedef gpointer (*GThreadFunc)(gpointer data);
#define TRUE 1
#define FALSE 0
#define G_CALLBACK(f) ((GCallback)(f))
#define g_signal_connect(i, s, h, d) g_signal_connect_data((i), (s), (h), (d), NULL, 0)
unsigned long g_signal_connect_data(gpointer o, const char *sig, GCallback h, gpointer d, void *n,
                                    int flags);
guint g_timeout_add(guint ms, GSourceFunc f, gpointer data);
guint g_timeout_add_seconds(guint s, GSourceFunc f, gpointer data);
guint g_idle_add(GSourceFunc f, gpointer data);
guint g_unix_fd_add(int fd, GIOCondition c, GUnixFDSourceFunc f, gpointer data);
gboolean g_main_context_iteration(GMainContext *c, gboolean may_block);
gboolean g_main_context_pending(GMainContext *c);
void g_main_loop_run(GMainLoop *l);
GMainLoop *g_main_loop_new(GMainContext *c, gboolean running);
void g_main_loop_quit(GMainLoop *l);
int gtk_dialog_run(GtkDialog *d);
GThreadPool *g_thread_pool_new(GFunc f, gpointer user, int max, gboolean excl, GError **e);
gboolean g_thread_pool_push(GThreadPool *p, gpointer data, GError **e);
GThread *g_thread_new(const char *name, GThreadFunc f, gpointer data);
gpointer g_thread_join(GThread *t);
gboolean g_spawn_sync(const char *dir, char **argv, char **env, int flags, void *setup, void *user,
                      char **out, char **err, int *status, GError **e);
gboolean g_spawn_command_line_sync(const char *cmd, char **out, char **err, int *status, GError **e);
gboolean g_file_get_contents(const char *path, char **out, size_t *len, GError **e);
GVariant *g_dbus_proxy_call_sync(GDBusProxy *p, const char *m, GVariant *v, int flags, int timeout,
                                 GCancellable *c, GError **e);
void g_usleep(unsigned long us);
void g_mutex_lock(GMutex *m);
void g_mutex_unlock(GMutex *m);
gboolean g_unix_set_fd_nonblocking(int fd, gboolean on, GError **e);

/* libev */
struct ev_loop;
typedef struct ev_io {
    int active, pending, priority;
    void *data;
    void (*cb)(struct ev_loop *l, struct ev_io *w, int revents);
    struct ev_io *next;
    int fd, events;
} ev_io;
typedef struct ev_timer {
    int active, pending, priority;
    void *data;
    void (*cb)(struct ev_loop *l, struct ev_timer *w, int revents);
    double at, repeat;
} ev_timer;
#define EV_A_ struct ev_loop *loop,
#define ev_init(ev, cb_) ((ev)->active = (ev)->pending = 0, (ev)->cb = (cb_))
#define ev_io_set(ev, fd_, events_) ((ev)->fd = (fd_), (ev)->events = (events_))
#define ev_timer_set(ev, after_, repeat_) ((ev)->at = (after_), (ev)->repeat = (repeat_))
#define ev_io_init(ev, cb, fd, events) \
    do { \
        ev_init((ev), (cb)); \
        ev_io_set((ev), (fd), (events)); \
    } while (0)
#define ev_timer_init(ev, cb, after, repeat) \
    do { \
        ev_init((ev), (cb)); \
        ev_timer_set((ev), (after), (repeat)); \
    } while (0)
void ev_io_start(struct ev_loop *l, ev_io *w);
void ev_timer_start(struct ev_loop *l, ev_timer *w);
int ev_run(struct ev_loop *l, int flags);

/* sd-event, sd-bus */
typedef struct sd_event sd_event;
typedef struct sd_event_source sd_event_source;
typedef struct sd_bus sd_bus;
typedef struct sd_bus_message sd_bus_message;
typedef struct sd_bus_slot sd_bus_slot;
typedef struct sd_bus_error {
    const char *name, *message;
    int need_free;
} sd_bus_error;
typedef int (*sd_event_io_handler_t)(sd_event_source *s, int fd, uint32_t revents, void *arg);
typedef int (*sd_event_time_handler_t)(sd_event_source *s, uint64_t usec, void *arg);
typedef int (*sd_bus_message_handler_t)(sd_bus_message *m, void *arg, sd_bus_error *e);
int sd_event_add_io(sd_event *e, sd_event_source **s, int fd, uint32_t events,
                    sd_event_io_handler_t cb, void *arg);
int sd_event_add_time(sd_event *e, sd_event_source **s, int clock, uint64_t usec, uint64_t acc,
                      sd_event_time_handler_t cb, void *arg);
int sd_event_run(sd_event *e, uint64_t timeout);
int sd_event_loop(sd_event *e);
int sd_bus_call(sd_bus *b, sd_bus_message *m, uint64_t usec, sd_bus_error *e, sd_bus_message **r);
int sd_bus_call_async(sd_bus *b, sd_bus_slot **s, sd_bus_message *m, sd_bus_message_handler_t cb,
                      void *arg, uint64_t usec);
int sd_bus_match_signal(sd_bus *b, sd_bus_slot **s, const char *sender, const char *path,
                        const char *iface, const char *member, sd_bus_message_handler_t cb,
                        void *arg);

#endif
