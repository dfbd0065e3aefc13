/* SPDX-License-Identifier: MIT */
/*
 * What does a program mean with `async` and `await` removed? This header stands in for <awaitc.h> on
 * the erased side of every comparison: keywords vanish, and each form runs its calls one after the
 * other. What has no sequential meaning (cancel, a timeout that fires) is left out, so that a test of
 * it does not build erased and needs an expected output.
 */
#ifndef AWAITC_H
#define AWAITC_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#define T_ERASED 1

#define aw_async
#define aw_await
#ifndef AWAITC_NO_KEYWORDS
#define async
#define await
#define spawn(call) aw_spawn(call)
#define defer aw_defer
#endif

#define AW_NOESCAPE
#define AW_BLOCKS
#define AW_NONBLOCKING
#define AW_CPU_HEAVY
#define AW_NOT_IN_ASYNC
#define AW_SYMBOL(name) name

#define AW_ECANCELED (-ECANCELED)
#define AW_ETIMEDOUT (-ETIMEDOUT)

/* A spawned call has run at once; its result waits here for the join. */
typedef struct aw_task {
    size_t size;
    _Alignas(16) char result[];
} aw_task;

typedef struct aw_runtime {
    int unused;
} aw_runtime;

typedef struct aw_waker {
    int unused;
} aw_waker;

typedef struct aw_config {
    unsigned workers, max_blocking_threads, compute_threads;
} aw_config;
#define AW_CONFIG_DEFAULT {0, 0, 0}

typedef struct aw_scope {
    int error;
} aw_scope;

static inline aw_task *t_box(const void *value, size_t size)
{
    aw_task *t = malloc(sizeof *t + size);
    t->size = size;
    memcpy(t->result, value, size);
    return t;
}

static inline int aw_join(aw_task *t, void *result)
{
    if (t == NULL)
        return -EINVAL;
    if (result != NULL)
        memcpy(result, t->result, t->size);
    free(t);
    return 0;
}

static inline void aw_detach(aw_task *t)
{
    free(t);
}

static inline void aw_scope_init(aw_scope *s, size_t limit)
{
    (void)limit;
    s->error = 0;
}

static inline int aw_scope_wait(aw_scope *s)
{
    return s->error;
}

static inline aw_runtime *aw_runtime_new(const aw_config *config)
{
    static aw_runtime only;
    (void)config;
    return &only;
}

static inline void aw_runtime_free(aw_runtime *rt)
{
    (void)rt;
}

static inline void aw_yield(void) {}
static inline void aw_park(void) {}
static inline void aw_sleep_ms(uint64_t ms) { (void)ms; }
static inline void aw_sleep_ns(uint64_t ns) { (void)ns; }
static inline aw_waker aw_waker_get(void) { return (aw_waker){0}; }
static inline void aw_wake(const aw_waker *w) { (void)w; }
static inline ssize_t aw_read(int fd, void *buf, size_t len) { return read(fd, buf, len); }
static inline ssize_t aw_write(int fd, const void *buf, size_t len) { return write(fd, buf, len); }
static inline int aw_close(int fd) { return close(fd); }

/* The value of a call of any type, void included: void gives (char)0. */
#define T_IS_VOID(call) __builtin_types_compatible_p(__typeof__(call), void)
#define T_VALUE(call)                                                                              \
    __builtin_choose_expr(T_IS_VOID(call), ((call), (char)0),                                      \
                          __builtin_choose_expr(T_IS_VOID(call), (char)0, (call)))

#define aw_spawn(call)                                                                             \
    ({                                                                                             \
        __typeof__(T_VALUE(call)) t_value_ = T_VALUE(call);                                        \
        t_box(&t_value_, sizeof t_value_);                                                         \
    })
#define aw_spawn_on(rt, call) ((void)(rt), aw_spawn(call))

#define aw_all(...) ((void)(__VA_ARGS__))
#define T_FIRST(first, ...) first
#define aw_race(...) ((void)(T_FIRST(__VA_ARGS__, 0)), 0)
#define aw_timeout(ms, call) ((void)(ms), (void)(call), 0)
#define aw_blocking(call) (call)
#define aw_compute(call) (call)
#define aw_block_on(call) (call)
#define aw_runtime_block_on(rt, call) ((void)(rt), (call))

/* Stops at the first negative result, which is the value. */
#define T_TRY1(a) ((t_rc_ = (int)(a)) < 0)
#define T_TRY2(a, ...) (T_TRY1(a) || T_TRY1(__VA_ARGS__))
#define T_TRY3(a, ...) (T_TRY1(a) || T_TRY2(__VA_ARGS__))
#define T_TRY4(a, ...) (T_TRY1(a) || T_TRY3(__VA_ARGS__))
#define T_TRY_PICK(a, b, c, d, name, ...) name
#define aw_try_all(...)                                                                            \
    ({                                                                                             \
        int t_rc_ = 0;                                                                             \
        if (!(T_TRY_PICK(__VA_ARGS__, T_TRY4, T_TRY3, T_TRY2, T_TRY1, 0)(__VA_ARGS__)))            \
            t_rc_ = 0;                                                                             \
        t_rc_;                                                                                     \
    })

#define aw_scope_spawn(scope, call)                                                                \
    ({                                                                                             \
        aw_scope *t_scope_ = (scope);                                                              \
        if (t_scope_->error == 0) {                                                                \
            int t_rc_ = (int)T_VALUE(call);                                                        \
            if (t_rc_ < 0)                                                                         \
                t_scope_->error = t_rc_;                                                           \
        }                                                                                          \
        t_scope_->error;                                                                           \
    })

/* gcc only: the block becomes a nested function that a clean-up calls. */
#define T_PASTE_(a, b) a##b
#define T_PASTE(a, b) T_PASTE_(a, b)
#define T_DEFER_(n)                                                                                \
    auto void T_PASTE(t_defer_, n)(char *);                                                        \
    __attribute__((cleanup(T_PASTE(t_defer_, n)))) char T_PASTE(t_guard_, n) = 0;                  \
    void T_PASTE(t_defer_, n)(char *t_unused_ __attribute__((unused)))
#define aw_defer T_DEFER_(__COUNTER__)

#endif
