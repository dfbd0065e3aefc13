/* SPDX-License-Identifier: MIT */
/*
 * Async functions as the tool would lower them, written by hand, for the tests of the runtime. The
 * shape is always the same:
 *
 *     struct f__frame { aw_frame head; ...what survives }
 *     f__poll(c, f, st, args)   switch on st: 0 is the first call, k goes on after await k
 *     f__entry                  looks for room; f__grow when there is none
 *     f__resume                 calls f__poll, leaves the result at AW_RESULT(f, T)
 *
 * A function here is a frame, a body and one line of macros.
 */
#ifndef LOWERED_BY_HAND_H
#define LOWERED_BY_HAND_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <awaitc/abi.h>
#include <awaitc/plain.h>

void aw_yield(aw_cx *c, void *fp) __asm__(AW_SYMBOL("aw_yield"));
void aw_park(aw_cx *c, void *fp) __asm__(AW_SYMBOL("aw_park"));
int aw_join(aw_cx *c, void *fp, aw_task *t, void *result) __asm__(AW_SYMBOL("aw_join"));
void aw_sleep_ms(aw_cx *c, void *fp, uint64_t ms) __asm__(AW_SYMBOL("aw_sleep_ms"));
int aw_scope_wait(aw_cx *c, void *fp, struct aw_scope *s) __asm__(AW_SYMBOL("aw_scope_wait"));

#define UNUSED __attribute__((unused))

/* The site of await `k` of function f: resumes f with state k. */
#define SITE(f, k, more_flags)                                                                     \
    {                                                                                              \
        .resume = f##__resume, .state = (k), .flags = (more_flags), .line = __LINE__, .func = #f,  \
        .file = __FILE__                                                                           \
    }

/*
 * Awaits of a body whose variables all live in its frame `f`, so that there is nothing to spill.
 * `fn` has fn__sites[]; await `k` is site k.
 */
#define AWAIT(fn, k, call)                                                                         \
    do {                                                                                           \
        call;                                                                                      \
        if (AW_UNLIKELY(c->pending != NULL)) {                                                     \
            AW_LINK(c, &f->head, &fn##__sites[k]);                                                 \
            return 0;                                                                              \
        case k:;                                                                                   \
        }                                                                                          \
    } while (0)
#define AWAIT_INT(fn, k, out, call)                                                                \
    do {                                                                                           \
        (out) = (call);                                                                            \
        if (AW_UNLIKELY(c->pending != NULL)) {                                                     \
            AW_LINK(c, &f->head, &fn##__sites[k]);                                                 \
            return 0;                                                                              \
        case k:                                                                                    \
            (out) = *(int *)c->ret;                                                                \
        }                                                                                          \
    } while (0)
/* One branch of the group f->g: an ASYNC_INT of this need. */
#define BRANCH(i, fn, value, out)                                                                  \
    do {                                                                                           \
        aw_cx *s__ = aw_group_strand(f->g, i, fn##__need);                                         \
        if (s__ != NULL) {                                                                         \
            if (f->g->kind == AW_TRY_ALL)                                                          \
                aw_group_width(f->g, i, (int)sizeof(int));                                         \
            int v__ = fn##__poll(s__, aw_group_room(f->g, i), 0, value);                           \
            if (aw_group_started(f->g, i)) {                                                       \
                (out) = v__;                                                                       \
                if (f->g->kind == AW_TRY_ALL)                                                      \
                    aw_group_value(f->g, i, v__);                                                  \
            }                                                                                      \
        }                                                                                          \
    } while (0)
#define LATE(i, out)                                                                               \
    do {                                                                                           \
        if (aw_group_late(f->g, i))                                                                \
            (out) = *(int *)aw_group_ret(f->g, i);                                                 \
    } while (0)

/* An async function `int f(intptr_t arg)` with frame struct f__frame and body f__poll. */
#define ASYNC_INT(f, room_bytes)                                                                   \
    enum { f##__need = (room_bytes) };                                                             \
    static int f##__poll(aw_cx *c, struct f##__frame *fr, unsigned st, intptr_t arg);              \
    static void f##__resume(aw_cx *c, aw_frame *fr, unsigned st)                                   \
    {                                                                                              \
        struct f##__frame *frame = (struct f##__frame *)(void *)fr;                                \
        int v = f##__poll(c, frame, st == AW_RESTART ? 0 : st, st == AW_RESTART ? frame->arg : 0); \
        if (c->pending == NULL) {                                                                  \
            *AW_RESULT(fr, int) = v;                                                               \
            c->ret = AW_RESULT(fr, int);                                                           \
        }                                                                                          \
    }                                                                                              \
    static const aw_site f##__restart UNUSED = SITE(f, AW_RESTART, 0);                             \
    static int f##__grow(aw_cx *c, void *fp, intptr_t arg)                                         \
    {                                                                                              \
        aw_growth g;                                                                               \
        int v = 0;                                                                                 \
        switch (aw_grow_begin(c, fp, f##__need, __alignof__(struct f##__frame), &g)) {             \
        case AW_GROW_RUN:                                                                          \
            v = f##__poll(c, g.room, 0, arg);                                                      \
            break;                                                                                 \
        case AW_GROW_BOUNCE:                                                                       \
            ((struct f##__frame *)g.room)->arg = arg;                                              \
            aw_bounce(c, g.room, &f##__restart);                                                   \
            break;                                                                                 \
        default:                                                                                   \
            break;                                                                                 \
        }                                                                                          \
        aw_grow_end(c, &g);                                                                        \
        return v;                                                                                  \
    }                                                                                              \
    static UNUSED int f##__entry(aw_cx *c, void *fp, intptr_t arg)                                 \
    {                                                                                              \
        if (AW_UNLIKELY(AW_MUST_GROW(c, fp, f##__need)))                                           \
            return f##__grow(c, fp, arg);                                                          \
        return f##__poll(c, fp, 0, arg);                                                           \
    }                                                                                              \
    static void f##__start(aw_cx *c, void *fp, void *args)                                         \
    {                                                                                              \
        intptr_t arg;                                                                              \
        memcpy(&arg, args, sizeof arg);                                                            \
        int v = f##__entry(c, fp, arg);                                                            \
        if (c->pending == NULL) {                                                                  \
            *AW_RESULT(fp, int) = v;                                                               \
            c->ret = AW_RESULT(fp, int);                                                           \
        }                                                                                          \
    }                                                                                              \
    static const aw_spawn_site f##__spawn UNUSED = {                                               \
        .start = f##__start,                                                                       \
        .args_bytes = sizeof(intptr_t),                                                            \
        .args_align = sizeof(intptr_t),                                                            \
        .result_bytes = sizeof(int),                                                               \
        .line = __LINE__,                                                                          \
        .need_bytes = f##__need,                                                                   \
        .func = #f,                                                                                \
        .file = __FILE__,                                                                          \
        .flags = AW_SPAWN_SIGNED_RESULT,                                                           \
    };

/* Runs an ASYNC_INT on a runtime to its end; its result in *out. */
#define BLOCK_ON(rt, f, value, out) aw_block_on_site(rt, &f##__spawn, &(intptr_t){value}, out)
#define SPAWN(f, value)             aw_spawn_task(NULL, &f##__spawn, &(intptr_t){value})

/* Frames of 64 bytes and more, so that every need below is a multiple of 16. */
#define NEED(f, children_bytes) ((sizeof(struct f##__frame) + (children_bytes) + 15) / 16 * 16)

/* ---- the runtime of a test program --------------------------------------------------------- */

static UNUSED aw_runtime *rt;

/* Group fixtures: every test of the program runs on this runtime. */
static UNUSED int set_up(void **state)
{
    (void)state;
    rt = aw_runtime_new(NULL);
    return rt == NULL;
}

static UNUSED int tear_down(void **state)
{
    (void)state;
    aw_runtime_free(rt);
    return 0;
}

/* ---- a log of events ----------------------------------------------------------------------- */

static char test_log[4096];
static size_t test_log_length;

static UNUSED void log_reset(void)
{
    test_log[0] = '\0';
    test_log_length = 0;
}

static UNUSED __attribute__((format(printf, 1, 2))) void say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    size_t left = sizeof test_log - test_log_length;
    int n = vsnprintf(test_log + test_log_length, left, format, args);
    va_end(args);
    assert_true(n >= 0 && (size_t)n < left);
    test_log_length += (size_t)n;
}

/* ---- functions that many tests use --------------------------------------------------------- */

/* Yields `arg` times, returns `arg`. */
struct yields__frame {
    aw_frame head;
    intptr_t arg;
    int i;
};
ASYNC_INT(yields, NEED(yields, AW_LEAF_ROOM))
static const aw_site yields__1 = SITE(yields, 1, 0);

static int yields__poll(aw_cx *c, struct yields__frame *f, unsigned st, intptr_t arg)
{
    int i; /* spilled, as the tool does it */
    switch (st) {
    case 0:
        for (i = 0; i < arg; i++) {
            aw_yield(c, f + 1);
            if (AW_UNLIKELY(c->pending != NULL)) {
                f->arg = arg;
                f->i = i;
                AW_LINK(c, &f->head, &yields__1);
                return 0;
            case 1:
                arg = f->arg;
                i = f->i;
            }
        }
    }
    return (int)arg;
}

/* Parks `arg` times, returns `arg`; the waker is in parks_waker before each. */
struct parks__frame {
    aw_frame head;
    intptr_t arg;
    int i;
};
ASYNC_INT(parks, NEED(parks, AW_LEAF_ROOM))
static const aw_site parks__sites[] = {SITE(parks, 0, 0), SITE(parks, 1, 0)};
static aw_waker parks_waker;

static int parks__poll(aw_cx *c, struct parks__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        f->arg = arg;
        for (f->i = 0; f->i < f->arg; f->i++) {
            parks_waker = aw_waker_get();
            AWAIT(parks, 1, aw_park(c, f + 1));
        }
    }
    return (int)f->arg;
}

/* Holds a resource while it parks for ever: logs "+arg", and "-arg" when it is left. */
struct holds__frame {
    aw_frame head;
    intptr_t arg;
};
ASYNC_INT(holds, NEED(holds, AW_LEAF_ROOM))
static const aw_site holds__sites[] = {SITE(holds, 0, 0), SITE(holds, 1, AW_SITE_CLEAN)};

static int holds__poll(aw_cx *c, struct holds__frame *f, unsigned st, intptr_t arg)
{
    switch (st) {
    case 0:
        f->arg = arg;
        say("+%d ", (int)arg);
        AWAIT(holds, 1, aw_park(c, f + 1));
        break;
    case 1 | AW_CANCEL:
        break;
    }
    say("-%d ", (int)f->arg);
    return (int)f->arg;
}

#endif
