/* SPDX-License-Identifier: MIT */
/*
 * One async function, written as the tool would lower it, that carries out a list of steps: awaits
 * of the runtime's leaves, and plain calls between them. Each step's result stays in the list; a
 * step that was not reached, or was cancelled, keeps NOT_DONE.
 *
 *     struct step reader[] = {{READ, .fd = fds[0], .buf = buf, .len = 8}, {END}};
 *     struct step main[] = {{SPAWN, .script = reader, .task = &t}, {YIELD}, {CANCEL, .task = &t},
 *                           {JOIN, .task = &t}, {END}};
 *     run(main);
 */
#ifndef LEAF_SCRIPT_H
#define LEAF_SCRIPT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <awaitc/abi.h>
#include <awaitc/plain.h>

#define UNUSED __attribute__((unused))

void aw_yield(aw_cx *c, void *fp) __asm__(AW_SYMBOL("aw_yield"));
int aw_join(aw_cx *c, void *fp, aw_task *t, void *result) __asm__(AW_SYMBOL("aw_join"));
void aw_sleep_ms(aw_cx *c, void *fp, uint64_t ms) __asm__(AW_SYMBOL("aw_sleep_ms"));
void aw_sleep_ns(aw_cx *c, void *fp, uint64_t ns) __asm__(AW_SYMBOL("aw_sleep_ns"));
void aw_sleep_us(aw_cx *c, void *fp, uint64_t us) __asm__(AW_SYMBOL("aw_sleep_us"));
void aw_sleep_until(aw_cx *c, void *fp, uint64_t at_ns) __asm__(AW_SYMBOL("aw_sleep_until"));
ssize_t aw_read(aw_cx *c, void *fp, int fd, void *buf, size_t len) __asm__(AW_SYMBOL("aw_read"));
ssize_t aw_write(aw_cx *c, void *fp, int fd, const void *buf,
                 size_t len) __asm__(AW_SYMBOL("aw_write"));
ssize_t aw_write_all(aw_cx *c, void *fp, int fd, const void *buf,
                     size_t len) __asm__(AW_SYMBOL("aw_write_all"));
int aw_accept(aw_cx *c, void *fp, int listener) __asm__(AW_SYMBOL("aw_accept"));
int aw_tcp_connect(aw_cx *c, void *fp, const char *host,
                   uint16_t port) __asm__(AW_SYMBOL("aw_tcp_connect"));

enum step_kind {
    END,
    YIELD,
    SLEEP_NS, /* n */
    SLEEP_US,
    SLEEP_MS,
    SLEEP_UNTIL, /* n */
    READ,        /* fd, buf, len */
    WRITE,
    WRITE_ALL,
    ACCEPT,  /* fd; result is a descriptor */
    CONNECT, /* host, n: port */
    POOL,    /* n: which, call, arg */
    SPAWN,   /* script, task; result 0 */
    JOIN,    /* task */
    CANCEL,  /* task */
    CANCEL_SELF,
    CALL /* call, arg; result 0 */
};

enum { NOT_DONE = -9999 };

struct step {
    enum step_kind kind;
    int fd;
    void *buf;
    size_t len;
    uint64_t n;
    const char *host;
    void (*call)(void *arg);
    void *arg;
    struct step *script;
    aw_task **task;
    ssize_t result;
};

struct script__frame {
    aw_frame head;
    struct step *at;
    void *pad; /* a multiple of 16 */
};

/* `script` leaves its leaves no more room than what a caller through a pointer keeps, so that they
 * must grow; `roomy` has room for each. */
static void script__start(aw_cx *c, void *fp, void *args);
static void roomy__start(aw_cx *c, void *fp, void *args);

static const aw_spawn_site script__spawn = {
    .start = script__start,
    .args_bytes = sizeof(struct step *),
    .args_align = sizeof(struct step *),
    .result_bytes = sizeof(int),
    .need_bytes = sizeof(struct script__frame) + AW_LEAF_ROOM,
    .func = "script",
};
static const aw_spawn_site roomy__spawn UNUSED = {
    .start = roomy__start,
    .args_bytes = sizeof(struct step *),
    .args_align = sizeof(struct step *),
    .result_bytes = sizeof(int),
    .need_bytes = sizeof(struct script__frame) + 304,
    .func = "roomy",
};

static aw_runtime *rt;

static void step_plainly(struct step *s)
{
    if (s->kind == SPAWN) {
        *s->task = aw_spawn_task(NULL, &script__spawn, &s->script);
        assert_non_null(*s->task);
    } else if (s->kind == CANCEL) {
        aw_cancel(*s->task);
    } else if (s->kind == CANCEL_SELF) {
        aw_cancel(aw_task_self());
    } else {
        s->call(s->arg);
    }
}

static ssize_t step_begin(aw_cx *c, void *fp, struct step *s)
{
    s->result = NOT_DONE;
    switch (s->kind) {
    case YIELD:
        return aw_yield(c, fp), 0;
    case SLEEP_NS:
        return aw_sleep_ns(c, fp, s->n), 0;
    case SLEEP_US:
        return aw_sleep_us(c, fp, s->n), 0;
    case SLEEP_MS:
        return aw_sleep_ms(c, fp, s->n), 0;
    case SLEEP_UNTIL:
        return aw_sleep_until(c, fp, s->n), 0;
    case READ:
        return aw_read(c, fp, s->fd, s->buf, s->len);
    case WRITE:
        return aw_write(c, fp, s->fd, s->buf, s->len);
    case WRITE_ALL:
        return aw_write_all(c, fp, s->fd, s->buf, s->len);
    case ACCEPT:
        return aw_accept(c, fp, s->fd);
    case CONNECT:
        return aw_tcp_connect(c, fp, s->host, (uint16_t)s->n);
    case POOL:
        return aw_pool_run(c, fp, (int)s->n, s->call, s->arg), 0;
    case JOIN:
        return aw_join(c, fp, *s->task, NULL);
    case END:
    case SPAWN:
    case CANCEL:
    case CANCEL_SELF:
    case CALL:
        break;
    }
    step_plainly(s);
    return 0;
}

/* The result of a step that suspended. */
static ssize_t step_late(aw_cx *c, const struct step *s)
{
    if (s->kind == READ || s->kind == WRITE || s->kind == WRITE_ALL)
        return *(ssize_t *)c->ret;
    if (s->kind == ACCEPT || s->kind == CONNECT || s->kind == JOIN)
        return *(int *)c->ret;
    return 0;
}

static void script__resume(aw_cx *c, aw_frame *frame, unsigned st);
static const aw_site script__1 = {
    .resume = script__resume, .state = 1, .line = __LINE__, .func = "script", .file = __FILE__};

/* Runs the steps from `s` on; the result is 0 natively, or at AW_RESULT. */
static void script__poll(aw_cx *c, struct script__frame *f, struct step *s)
{
    for (; s->kind != END; s++) {
        ssize_t r = step_begin(c, f + 1, s);
        if (c->pending != NULL) {
            AW_LINK(c, &f->head, &script__1);
            f->at = s;
            return;
        }
        s->result = r;
    }
    *AW_RESULT(f, int) = 0;
    c->ret = AW_RESULT(f, int);
}

static void script__resume(aw_cx *c, aw_frame *frame, unsigned st)
{
    struct script__frame *f = (struct script__frame *)(void *)frame;
    assert_int_equal(st, 1);
    struct step *s = f->at;
    s->result = step_late(c, s);
    script__poll(c, f, s + 1);
}

static void script__start(aw_cx *c, void *fp, void *args)
{
    c->lim = (char *)fp + sizeof(struct script__frame) + AW_LEAF_ROOM;
    script__poll(c, fp, *(struct step **)args);
}

static void roomy__start(aw_cx *c, void *fp, void *args)
{
    script__poll(c, fp, *(struct step **)args);
}

static UNUSED aw_task *start_task(struct step *steps)
{
    aw_task *t = aw_spawn_task(rt, &script__spawn, &steps);
    assert_non_null(t);
    return t;
}

/* Carries a script out to its end; 0 or why it was cancelled. */
static UNUSED int run(struct step *steps)
{
    return aw_block_on_site(rt, &script__spawn, &steps, NULL);
}

static UNUSED int run_with_room(struct step *steps)
{
    return aw_block_on_site(rt, &roomy__spawn, &steps, NULL);
}

static UNUSED uint64_t clock_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static int script_set_up(void **state)
{
    (void)state;
    rt = aw_runtime_new(NULL);
    return rt == NULL;
}

static int script_tear_down(void **state)
{
    (void)state;
    aw_runtime_free(rt);
    return 0;
}

#endif
